public import ArgumentParser
import Foundation
import Library
import Lookup
import Scanning
package import ShelflistAPI

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Read photos of bookshelves.",
        discussion: """
            Prints the books of each photo, in the order in which the photos are named. A photo that cannot be read \
            is named on stderr and leaves the others unharmed.

            Examples:
              shelflist scan shelf.jpg
              shelflist scan --annotate seen/ holiday/*.jpg
              shelflist scan --format json shelf.jpg | jq '.photos[].books[].title'
            """)

    @Argument(
        help: ArgumentHelp("Photos to read: JPEG, PNG, WebP or HEIC.", valueName: "photo"), completion: .file())
    var photos: [String]

    @Option(help: "What to print.")
    var format = ScanFormat.table

    @Option(
        help: ArgumentHelp(
            "Also write each photo with its spines outlined and numbered into this folder.", valueName: "folder"),
        completion: .directory)
    var annotate: String?

    @Option(
        help: ArgumentHelp(
            "Look the spines up in this catalog, made by 'shelflist catalog import', or in this list of books: CSV with a "
                + "header (title, author, isbn …), may be repeated. (default: catalog.sqlite in the data directory, if "
                + "there is one)",
            valueName: "file"), completion: .file(extensions: ["csv", "sqlite"]))
    var catalog: [String] = []

    @Option(help: ArgumentHelp("A book needs review below this confidence, 0 to 1.", valueName: "confidence"))
    var threshold = 0.6

    @Option(help: "Whether to filter the photo before it is read; with auto, the photo's own quality decides.")
    var preprocess = PreprocessingMode.auto

    @Option(
        help: ArgumentHelp(
            "How many photos to read at once. The cores are shared out among them; 1 reads one after another. "
                + "(default: as many as there are cores)", valueName: "number"))
    var jobs: Int?

    @Flag(name: .customLong("import"), help: "Take the photos and their books into the library.")
    var isImported = false

    @Flag(help: "With --import: look the books up in the catalog of this machine only.") var offline = false

    @Option(help: ArgumentHelp("With --import: the shelf that was photographed.", valueName: "name"))
    var shelf: String?

    func validate() throws {
        if isImported, !LibraryStore.thresholdRange.contains(threshold) {
            throw ValidationError("With --import, --threshold is from 0.40 to 0.90; it cannot be \(threshold).")
        }
        if shelf != nil, !isImported { throw ValidationError("--shelf is for --import.") }
        guard (0...1).contains(threshold) else {
            throw ValidationError(
                "--threshold is a confidence from 0 to 1, for example 0.6; it cannot be \(threshold).")
        }
        if let jobs, !(1...64).contains(jobs) {
            throw ValidationError("--jobs is a number of photos from 1 to 64; it cannot be \(jobs).")
        }
    }

    func run() async throws {
        let files = photos.map(PhotoFile.init(path:))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? cores, files.count)
        let scanner: PhotoScanner
        var annotation: PhotoAnnotation?
        var importer: PhotoImporter?
        do {
            let installation = try Installation.locate()
            scanner = try PhotoScanner(
                installation: installation,
                options: ScanOptions(
                    preprocessing: preprocess, threshold: threshold, threads: max(1, cores / jobs)),
                concurrentPhotos: jobs,
                catalog: try CatalogFiles.search(named: catalog, environment: ProcessInfo.processInfo.environment))
            if let annotate {
                annotation = try PhotoAnnotation(folder: annotate, photos: files, labelFont: installation.labelFont)
            }
            if isImported { importer = try await self.importer() }
        } catch {
            let file = error is AnnotationError ? annotate : (error as? CatalogFileError)?.path
            StandardStream.errors.write(Failure.line(for: file, error))
            throw ExitCode.failure
        }

        let report = RunReport(photos: files, writer: writer())
        let interruption = Interruption { report.interrupt(by: $0) }
        await ScanRun(
            photos: files, jobs: jobs, scanner: scanner, annotation: annotation, importer: importer, report: report)()
        let failures = report.close()
        if let importer { try await enrich(importer.job) }
        withExtendedLifetime(interruption) {}
        if failures > 0 { throw ExitCode.failure }
    }

    /// The books are in the library; what is missing of their editions comes now, where there is anybody to ask.
    private func enrich(_ job: String) async throws {
        let options = LibraryOptions(data: nil)
        try await options.withLibrary { store in
            try await withCatalogs(options, offline: offline) { desk in
                guard !desk.lookup.sources.isEmpty else { return }
                _ = try await desk.enrich(try await store.incompleteBooks(ofScan: job), in: store)
            }
        }
    }

    private func importer() async throws -> PhotoImporter {
        let store = try LibraryStore(folder: LibraryOptions(data: nil).folder)
        let shelf = try await shelf.asyncMap { try await store.shelf(named: $0).id }
        return PhotoImporter(
            store: store, job: "scan:\(UUID().uuidString.lowercased())", shelf: shelf, threshold: threshold)
    }

    private func writer() -> any ScanWriter {
        switch format {
        case .table: ScanTable(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
        case .json: ScanJSON()
        case .csv: ScanCSV()
        }
    }
}

extension PreprocessingMode: ExpressibleByArgument {}
