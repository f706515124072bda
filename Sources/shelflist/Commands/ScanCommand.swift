public import ArgumentParser
import Concurrency
import Foundation
import Library
import Lookup
package import Providers
import Reading
import Scans
package import ShelflistAPI
import Terminal
import WorkQueue

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Read photos of bookshelves.",
        discussion: """
            Prints the books of each photo, in the order of the arguments. Photos that cannot be read are named on stderr; \
            the others are not affected.

            With --server, the photos are sent to that server, which reads them with its own catalog and providers. With \
            --work-queue, the workers of that queue read them, and this machine identifies the books; the same command \
            resumes where it was interrupted.

            Examples:
              shelflist scan shelf.jpg
              shelflist scan --annotate seen/ holiday/*.jpg
              shelflist scan --format json shelf.jpg | jq '.photos[].books[].title'
              shelflist scan --work-queue postgresql://shelflist@db.example.org/shelflist archive/*.jpg
            """)

    @Argument(
        help: ArgumentHelp("Photos to read: JPEG, PNG, WebP or HEIC.", valueName: "photo"), completion: .file())
    var photos: [String]

    @Option(help: "Output format.")
    var format = ScanFormat.table

    @Option(
        help: ArgumentHelp(
            "Also write each photo with its spines outlined and numbered to this folder.", valueName: "folder"),
        completion: .directory)
    var annotate: String?

    @Option(
        help: ArgumentHelp(
            "Match spines against this catalog, made by 'shelflist catalog import', or this list of books: CSV with a "
                + "header (title, author, isbn …); may be repeated. (default: catalog.sqlite in the data directory, if "
                + "there is one)",
            valueName: "file"), completion: .file(extensions: ["csv", "sqlite"]))
    var catalog: [String] = []

    @Option(
        help: ArgumentHelp(
            "Books below this confidence need review, 0 to 1. (default: 0.6; with --server, its setting)",
            valueName: "confidence"))
    var threshold: Double?

    @Option(help: "Whether to filter the photo before reading; auto decides by the photo's quality.")
    var preprocess = PreprocessingMode.auto

    @Option(
        help: ArgumentHelp(
            "Number of photos to read at once. They share the cores; 1 reads one after another. "
                + "(default: the number of cores; with --work-queue, 32)", valueName: "number"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Have the photos read by the workers of this queue: postgresql://user@host/database.", valueName: "url"))
    var workQueue: String?

    @Flag(name: .customLong("import"), help: "Add the photos and their books to the library.")
    var isImported = false

    @Flag(
        help: """
            Ask Open Library about books that no record on this machine explains, even if no provider is enabled. \
            Providers receive words read on the spines, never photos.
            """)
    var online = false

    @Flag(help: "Ask no provider, even if some are enabled.") var offline = false

    @Option(
        help: ArgumentHelp(
            "Who reads the photos. local: this machine. assist: a model is asked about the spines that need review, cut "
                + "out, in one picture a photo. gemini, openai: a model is asked about the whole photo. Asks before "
                + "anything is sent for the first time. (default: the setting, see 'shelflist readers')",
            valueName: "reader"))
    var reader: ReaderMode?

    @Option(
        help: ArgumentHelp(
            "Print side by side what several readers see, with their agreement, cost and time: for example "
                + "local,gemini. Adds nothing to the library.", valueName: "readers"))
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "The shelf that was photographed. Without --import, prints what differs from its books, and stores nothing.",
            valueName: "name"))
    var shelf: String?

    @Flag(
        help: """
            Print which of the books the library has, for example of a photo of a shop's shelf. Stores nothing, and \
            asks no provider.
            """)
    var check = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        if try server.address() != nil { try checkOptionsOfServer() }
        if isImported, let threshold, !LibraryStore.thresholdRange.contains(threshold) {
            throw ValidationError("With --import, --threshold is from 0.40 to 0.90, not \(threshold).")
        }
        if online, offline { throw ValidationError("Choose --online or --offline.") }
        if offline, let reader, reader != .local {
            throw ValidationError("--offline sends nothing, so --reader can only be local.")
        }
        if compare != nil { try checkOptionsOfComparison() }
        if online, !catalog.isEmpty {
            throw ValidationError("--online uses the records of the data directory. Leave out --catalog.")
        }
        if workQueue != nil, try server.address() != nil {
            throw ValidationError("Choose --server or --work-queue.")
        }
        if isAudit { try checkOptionsOfAudit() }
        if check { try checkOptionsOfCheck() }
        if let threshold, !(0...1).contains(threshold) {
            throw ValidationError(
                "--threshold is a confidence from 0 to 1, for example 0.6, not \(threshold).")
        }
        if let jobs, !(1...64).contains(jobs) {
            throw ValidationError("--jobs is a number of photos from 1 to 64, not \(jobs).")
        }
    }

    func run() async throws {
        if let address = try server.address() { return try await run(at: address) }
        if let compare { return try await reportingErrors { try await printComparison(of: Self.readers(compare)) } }
        let scan = "scan:\(UUID().uuidString.lowercased())"
        let library = try await reportingErrors { try openLibrary() }
        let shelf = try await reportingErrors { try await scannedShelf(in: library) }
        let (run, sources, question, importPhoto, queue) = try await reportingErrors {
            try await prepare(scan, library, shelf)
        }
        await run.untilInterrupted()
        await sources.close()
        try await reportingErrors { try await queue?.close(isComplete: run.report.failures.isEmpty) }
        let last = try await reportingErrors { try await answer(question, after: run, sources, importPhoto) }
        if isAudit, let shelf, let library {
            try await reportingErrors { try await printAudit(of: last.results, shelf, in: library) }
        }
        if check { try await reportingErrors { try await printAnswers(about: last.results, in: library) } }
        if isImported, let library {
            try await enrich(scan, in: library)
            LibrarySignsCommand.report(try await reportingErrors { try await library.labelQuestions(ofScan: scan) })
        }
        if !last.failures.isEmpty { throw ExitCode.failure }
    }

    private func prepare(
        _ scan: String, _ library: LibraryStore?, _ shelf: Shelf?
    ) async throws -> (LocalScan, ScanSources, SourceQuestion?, LocalScan.PhotoImport?, QueuedPhotos?) {
        let files = photos.map(PhotoFile.init(path:))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? (workQueue == nil ? cores : QueuedPhotos.photosOffered), files.count)
        let installation = try Installation.locate()
        try await ReaderQuestion(data: folder.url, canAsk: format == .table && SourceQuestion.isPossible)
            .settle(mode)
        let question = try await openQuestion()
        let sources = try await openSources(installation, library: library, reader: mode)
        let scanner = try PhotoScanner(
            installation: installation,
            options: ReadingOptions(
                preprocessing: preprocess, threshold: localThreshold, threads: max(1, cores / jobs),
                reportsSpines: false),
            cache: installation.cache(for: folder.url), concurrentPhotos: workQueue == nil ? jobs : 1,
            catalog: sources.records, expected: sources.expected)
        let queue = try await workQueue.asyncMap { url in
            try await QueuedPhotos(
                PostgresAddress(url), scanner: scanner, installation: installation, data: folder.url)
        }
        let reader: any ShelfReading = if let queue { queue.reader } else { scanner }
        let annotation = try annotate.map {
            try PhotoAnnotation(folder: $0, photos: files, labelFont: installation.labelFont)
        }
        let importPhoto = isImported ? library.map { importer(into: scan, $0, shelf) } : nil
        let run = LocalScan(
            photos: files, jobs: jobs, reader: reader.reading(shelf: shelf?.id.description), annotation: annotation,
            importPhoto: question?.canAsk == true ? nil : importPhoto, online: sources.online,
            threshold: localThreshold, mode: mode,
            report: RunReport(photos: files, writer: isAudit || check ? nil : format.writer))
        return (run, sources, question, importPhoto, queue)
    }

    func openSources(
        _ installation: Installation, library: LibraryStore?, reader mode: ReaderMode?
    ) async throws -> ScanSources {
        var sources =
            catalog.isEmpty
            ? ScanSources(data: folder.url, library: library, installation: installation)
            : try ScanSources(named: catalog, data: folder.url)
        guard !offline, !check else { return sources }
        try await sources.open(
            online ? .enabledOr(.openLibrary) : catalog.isEmpty ? .enabled : .none, reader: mode,
            font: installation.labelFont)
        return sources
    }

    /// Who reads the photos; nil for the setting.
    var mode: ReaderMode? { offline || check ? .local : reader }

    /// The threshold of scans on this machine.
    var localThreshold: Double { threshold ?? 0.6 }

    var folder: LibraryFolder { LibraryFolder(URL(filePath: DataFolder.current)) }

    /// Fills in the editions of imported books, if there is a source to query.
    private func enrich(_ job: String, in store: LibraryStore) async throws {
        try await reportingErrors {
            try await withCatalogs(folder, offline: offline) { catalogs in
                guard !catalogs.lookup.sources.isEmpty else { return }
                _ = try await catalogs.enrich(try await store.incompleteBooks(ofScan: job), in: store)
            }
        }
    }

    private func importer(
        into scan: String, _ library: LibraryStore, _ shelf: Shelf?
    ) -> LocalScan.PhotoImport {
        let importer = ScanImporter(library: library)
        return { [localThreshold] bytes, photo in
            try await importer.importPhoto(
                photo, bytes: bytes, scan: scan, shelf: shelf?.id, threshold: localThreshold)
        }
    }
}

extension PreprocessingMode: ExpressibleByArgument {}
extension ReaderMode: ExpressibleByArgument {}
extension ModelProvider: ExpressibleByArgument {}
