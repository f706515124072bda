import ArgumentParser
import Catalog
import Foundation

struct CatalogInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what the catalog contains, from which files, since when.")

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let path = try options.file()
        let info = try await runCatalogWork { try Catalog(existingAt: path).info() }
        options.show(info) { lines(info) }
    }

    private func lines(_ info: CatalogInfo) -> [String] {
        var lines = [
            TerminalText.safe(info.path),
            "\(info.works) works, \(info.editions) editions, \(info.authors) authors, \(info.words) words; "
                + "\(megabytes(info.size)) MB",
        ]
        if !info.isIndexed, !info.files.isEmpty {
            lines.append("An import was stopped. Import the same files again to make everything searchable.")
        }
        let rows = info.files.map { file in
            [
                TerminalTable.Cell(file.path), .init(file.format), .init(String(file.rows)),
                .init(String(file.skipped)),
                .init(file.importedAt.ISO8601Format()), file.isComplete ? .init("whole") : .init("in part", .yellow),
            ]
        }
        guard !rows.isEmpty else { return lines }
        let table = TerminalTable(
            columns: [
                .init("File", room: .flexible(atLeast: 12)), .init("Format", dropped: 2),
                .init("Rows", isRightAligned: true), .init("Left out", isRightAligned: true, dropped: 1),
                .init("Imported"), .init("Read"),
            ], rows: rows)
        return lines + [""] + table.onTerminal()
    }

    private func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1e6) }
}
