import ArgumentParser
import Concurrency
import DelimitedText
import Foundation
import Library
import Lookup
import Reading
import Scans
import ShelflistAPI
import Terminal

struct LibraryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import lists of books, or the results of a scan.",
        discussion: """
            CSV: our own export, those of Goodreads, LibraryThing, StoryGraph, Libib, BookBuddy, Book Catalogue and Open \
            Library, or any list with a column for the title. RIS and CSL-JSON: the books among the references of a reference manager. Rows are looked up in the catalog where there is one, then \
            with the providers that are turned on ('shelflist providers'). Books that none of them has are added as the \
            list describes them; 'shelflist library enrich' looks for them again.

            JSON: what 'shelflist scan --format json' printed; its photos are imported as well.

            Importing the same file again adds nothing twice and resumes an interrupted import. Rows of a list that the \
            library has already are named and left out; importing the list again with --duplicates different adds them as \
            books of their own, with add-copy as further copies.

            With --server, lists are sent to that server, which looks their rows up with its own catalog and providers.
            """)

    @Argument(help: "The files to import.", completion: .file(extensions: ["csv", "tsv", "json", "ris"])) var files:
        [String]
    @Option(help: "What to do with books that are in the library: skip, add-copy, different, existing, or ask.")
    var duplicates = DuplicateChoice.skip
    @Option(help: "For lists: the encoding of the text, such as windows-1251. (default: detected)")
    var encoding: TextEncoding?
    @Option(help: "For scans: the shelf that was photographed.") var shelf: String?
    @Option(help: "For scans: a book needs review below this confidence, 0.40 to 0.90. (default: the setting)")
    var threshold: Double?
    @Flag(name: .customLong("no-lookup"), help: "Do not look the rows up.") var noLookup = false
    @Flag(help: "Look the rows up in the catalog of this machine only.") var offline = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if try options.place.address() != nil { try checkOptionsOfServer() }
    }

    func run() async throws {
        guard let address = try options.place.address() else {
            return try await options.data.withLibrary { store in
                try await forEachFile { file, bytes in
                    if let scan = try Self.scanResult(bytes) {
                        try await take(scan, from: file, Self.job(bytes), store)
                    } else {
                        try await take(bytes, from: file, store)
                    }
                }
            }
        }
        try await run(at: address)
    }

    /// Imports each file; one that fails is reported and does not affect the others.
    func forEachFile(_ work: (_ file: String, _ bytes: [UInt8]) async throws -> Void) async throws {
        var failed = false
        for file in files {
            do {
                try await work(file, try Self.bytes(of: file))
            } catch {
                StandardStream.errors.write(Failure.line(for: file, error))
                failed = true
            }
        }
        if failed { throw ExitCode.failure }
    }

    private func take(_ bytes: [UInt8], from file: String, _ store: LibraryStore) async throws {
        let name = URL(filePath: file).lastPathComponent
        let report = try await withCatalogs(options.folder, offline: offline) { catalogs in
            let covers = catalogs.covers(for: store)
            let report = try await store.importBooks(
                bytes, name: name, duplicates: duplicates.decision, encoding: encoding,
                enrich: noLookup ? nil : catalogs.lookup.enricher,
                onCover: { entry, url in await covers.fetch(url, for: entry) },
                progress: { done, rows, _ in ProgressBar.show(done, of: rows, label: name) })
            await covers.finish()
            return report
        }
        ProgressBar.clear()
        Self.warn(of: report.encoding.rawValue, or: report.otherEncoding?.rawValue, in: file)
        Self.warn(of: report.problems.map { ($0.line, $0.reason, nil) }, in: file)
        Self.warn(of: report.incomplete.map { ($0.line, $0.reason, nil) }, in: file)
        if !report.unusedColumns.isEmpty {
            StandardStream.warn("\(file): not used: \(TerminalText.safe(report.unusedColumns.joined(separator: ", ")))")
        }
        Self.warn(of: report.duplicates.map { ($0.line, $0.reason, $0.content) }, in: file)
        options.show(report) { Self.lines(report, file) }
    }

    /// Says that the encoding is not certain.
    static func warn(of encoding: String, or other: String?, in file: String) {
        guard let other else { return }
        StandardStream.warn(
            "\(file): It was read as \(encoding), but it may be \(other). If letters are wrong, take the import back "
                + "with 'shelflist review undo' and import the file again with --encoding \(other).")
    }

    /// Names each row that was not added.
    static func warn(of rows: [(line: Int, reason: String, content: String?)], in file: String) {
        for row in rows {
            let content = row.content.map { "\(TerminalText.safe($0)) was not added. " } ?? ""
            StandardStream.warn("\(file): line \(row.line): \(content)\(row.reason)")
        }
    }

    private func take(_ scan: ScanResult, from file: String, _ job: String, _ store: LibraryStore) async throws {
        let shelf = try await shelf.asyncMap { try await store.shelf(named: $0).id }
        let importer = ScanImporter(library: store)
        var report = ScanImportReport()
        for (position, photo) in scan.photos.enumerated() {
            // The document has the paths of the scan's arguments; the photo may be gone.
            let place = [
                URL(filePath: photo.path), URL(filePath: file).deletingLastPathComponent().appending(path: photo.path),
            ]
            let found = place.first { FileManager.default.fileExists(atPath: $0.path) }
            if found == nil {
                StandardStream.warn("\(photo.path): The photo is not there; its spines will not be shown.")
            }
            report.books += try await importer.importPhoto(
                photo, bytes: found.map { try PhotoFile(path: $0.path).read() }, scan: job, position: position,
                shelf: shelf, threshold: threshold, duplicates: duplicates.decision
            ).books
        }
        self.options.show(report) { ScanImportSummary.lines(report) }
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        let values = try URL(filePath: file).resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard values.isRegularFile == true else { throw LibraryError.notPossible("This is not a file.") }
        guard values.fileSize ?? 0 <= 50_000_000 else {
            throw LibraryError.notPossible("The file has more than 50 MB. Split it.")
        }
        return [UInt8](try Data(contentsOf: URL(filePath: file)))
    }

    /// Returns nil for anything but JSON.
    ///
    /// - Throws: `LibraryError.notPossible` for JSON of another kind.
    static func scanResult(_ bytes: [UInt8]) throws -> ScanResult? {
        guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return nil }
        do {
            return try JSONDecoder().decode(ScanResult.self, from: Data(bytes))
        } catch {
            throw LibraryError.notPossible(
                "This is not the whole document that 'shelflist scan --format json' prints. Scan the photos again; lists "
                    + "of books are taken in as CSV.")
        }
    }

    /// The same document is the same scan.
    private static func job(_ bytes: [UInt8]) -> String { "file:" + LibraryStore.fingerprint(bytes) }

    private static func lines(_ report: ListImportReport, _ file: String) -> [String] {
        let counts: [(Int, String)] = [
            (report.added, "added"), (report.changed, "changed"), (report.enriched, "looked up"),
            (report.notFound, "without catalog data"),
            (report.duplicates.count, "in the library already"), (report.alreadyImported, "taken in before"),
            (report.notAsked, "not looked up (no source available)"), (report.problems.count, "left out"),
        ]
        return [line(counts, file)] + hint(report.duplicates.count)
    }

    /// Says how rows that were left out are added.
    static func hint(_ duplicates: Int) -> [String] {
        guard duplicates > 0 else { return [] }
        return ["To add what the library has already, import the list again with --duplicates different or add-copy."]
    }

    static func line(_ counts: [(Int, String)], _ file: String) -> String {
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let name = TerminalText.safe(URL(filePath: file).lastPathComponent)
        return "\(name): " + (parts.isEmpty ? "no books in it" : parts.joined(separator: ", ")) + "."
    }
}

extension TextEncoding: ExpressibleByArgument {
    init?(argument: String) { self.init(named: argument) }
}

/// What the command line calls the decisions on duplicates.
enum DuplicateChoice: String, CaseIterable, ExpressibleByArgument {
    case skip
    case addCopy = "add-copy"
    case different
    case existing
    case ask

    var decision: DuplicateDecision? {
        self == .addCopy ? .addCopy : DuplicateDecision(rawValue: rawValue)
    }
}

/// What an import of photos did, in a sentence.
enum ScanImportSummary {
    static func lines(_ report: ScanImportReport) -> [String] {
        let counts: [(ImportedBook.Outcome, String)] = [
            (.verified, "added"), (.needsReview, "need review"), (.copy, "added as another copy"),
            (.existing, "known"), (.skipped, "left out as duplicates"), (.needsDecision, "may be duplicates"),
            (.alreadyImported, "taken in before"), (.rejectedBefore, "rejected before"),
        ]
        let parts = counts.map { (report.count($0), $1) }.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var lines = [parts.isEmpty ? "No books." : parts.joined(separator: ", ") + "."]
        if report.count(.needsReview) > 0 { lines.append("Look at them with: shelflist review") }
        if report.count(.needsDecision) > 0 {
            lines.append("Decide on duplicates with: shelflist library duplicates")
        }
        return lines
    }
}
