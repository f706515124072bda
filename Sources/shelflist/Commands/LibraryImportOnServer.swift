import ArgumentParser
import DelimitedText
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

/// `library import --server`.
extension LibraryImportCommand {
    func run(at address: URL) async throws {
        let client = try await reportingErrors {
            try await options.place.server.connect(to: address).0.client
        }
        try await forEachFile { file, bytes in
            guard try Self.scanResult(bytes) == nil else {
                throw CommandError(
                    "A server does not import results of a scan. Scan the photos there: shelflist scan --server --import"
                )
            }
            let list = try await send(bytes, name: URL(filePath: file).lastPathComponent, to: client)
            Self.warn(of: list.encoding, or: list.otherEncoding, in: file)
            Self.warn(of: list.failedRows.map { ($0.line, $0.reason, nil) }, in: file)
            Self.warn(of: list.incompleteRows.map { ($0.line, $0.reason, nil) }, in: file)
            Self.warn(of: list.skippedRows.map { ($0.line, $0.reason, $0.content) }, in: file)
            options.show(list) {
                let counts = [
                    (list.added, "added"), (list.changed ?? 0, "changed"), (list.notFound, "without catalog data"),
                    (list.skipped, "in the library already"), (list.failedRows.count, "left out"),
                ]
                return [Self.line(counts, file)] + Self.hint(list.skippedRows.count)
            }
        }
    }

    /// Uploads a list and waits until the server has imported it.
    private func send(_ bytes: [UInt8], name: String, to client: ShelflistClient) async throws -> ListImport {
        let lists = client.lists
        var list = try await lists.upload(Data(bytes), name: name, encoding: encoding?.rawValue)
        list = try await lists.start(
            list.id, ListImportOptions(duplicates: duplicates == .addCopy ? "addCopy" : duplicates.rawValue))
        let interruption = Interruption { [id = list.id] signal in Task { await Self.stop(id, lists, by: signal) } }
        defer { withExtendedLifetime(interruption) {} }
        defer { ProgressBar.clear() }
        while list.status == .running {
            ProgressBar.show(list.done, of: list.rows, label: name)
            try await Task.sleep(for: .milliseconds(500))
            list = try await lists.state(list.id)
        }
        guard list.status == .completed else {
            throw CommandError(list.problem ?? "The server stopped the import. Import the file again to resume it.")
        }
        return list
    }

    /// Stops an import on the server and ends the process.
    private static func stop(_ id: String, _ lists: ListRequests, by signal: Int32) async {
        ProgressBar.clear()
        do {
            try await lists.cancel(id)
            StandardStream.warn("Stopped. Import the file again to resume it.")
        } catch {
            StandardStream.errors.write(Failure.line(for: nil, error))
            StandardStream.warn("The server continues the import. Stop it in the web app.")
        }
        _exit(128 + signal)
    }

    /// - Throws: `ValidationError` for an option of imports on this machine.
    func checkOptionsOfServer() throws {
        let options: [(name: String, isGiven: Bool, instead: String)] = [
            (
                "--duplicates \(duplicates.rawValue)", ![.skip, .addCopy, .different].contains(duplicates),
                "Choose skip, add-copy or different."
            ),
            ("--shelf", shelf != nil, "It is for results of scans. Leave it out."),
            ("--threshold", threshold != nil, "It is for results of scans. Leave it out."),
            ("--no-lookup", noLookup, "The server looks rows up. Leave it out."),
            ("--offline", offline, "The server asks the providers that are turned on there. Leave it out."),
        ]
        if let option = options.first(where: \.isGiven) {
            throw ValidationError("\(option.name) is not available with a server. \(option.instead)")
        }
    }
}
