public import ArgumentParser
import Bibliography
import Foundation
import Library
import Lookup
import Providers
import Scanning
package import ShelflistAPI

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Read photos of bookshelves.",
        discussion: """
            Prints the books of each photo, in the order of the arguments. Photos that cannot be read are named on stderr; \
            the others are not affected.

            Examples:
              shelflist scan shelf.jpg
              shelflist scan --annotate seen/ holiday/*.jpg
              shelflist scan --format json shelf.jpg | jq '.photos[].books[].title'
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

    @Option(help: ArgumentHelp("Books below this confidence need review, 0 to 1.", valueName: "confidence"))
    var threshold = 0.6

    @Option(help: "Whether to filter the photo before reading; auto decides by the photo's quality.")
    var preprocess = PreprocessingMode.auto

    @Option(
        help: ArgumentHelp(
            "Number of photos to read at once. They share the cores; 1 reads one after another. "
                + "(default: the number of cores)", valueName: "number"))
    var jobs: Int?

    @Flag(name: .customLong("import"), help: "Add the photos and their books to the library.")
    var isImported = false

    @Flag(
        help: """
            Ask the enabled providers about books that no record on this machine explains; Open Library, if none is \
            enabled. They receive words read on the spines, never photos.
            """)
    var online = false

    @Flag(help: "With --import: query only the catalog on this machine.") var offline = false

    @Option(help: ArgumentHelp("With --import: the shelf that was photographed.", valueName: "name"))
    var shelf: String?

    func validate() throws {
        if isImported, !LibraryStore.thresholdRange.contains(threshold) {
            throw ValidationError("With --import, --threshold is from 0.40 to 0.90, not \(threshold).")
        }
        if online, offline { throw ValidationError("Choose --online or --offline.") }
        if online, !catalog.isEmpty {
            throw ValidationError("--online uses the records of the data directory. Leave out --catalog.")
        }
        if shelf != nil, !isImported { throw ValidationError("--shelf needs --import. Add it.") }
        guard (0...1).contains(threshold) else {
            throw ValidationError(
                "--threshold is a confidence from 0 to 1, for example 0.6, not \(threshold).")
        }
        if let jobs, !(1...64).contains(jobs) {
            throw ValidationError("--jobs is a number of photos from 1 to 64, not \(jobs).")
        }
    }

    func run() async throws {
        let files = photos.map(PhotoFile.init(path:))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let jobs = min(self.jobs ?? cores, files.count)
        let scanner: PhotoScanner
        var annotation: PhotoAnnotation?
        let scan = "scan:\(UUID().uuidString.lowercased())"
        var identification: OnlineIdentification?
        var catalogs: OnlineCatalogs?
        var importPhoto: (@Sendable ([UInt8], ScannedPhoto) async throws -> ScanImportReport)?
        do {
            let installation = try Installation.locate()
            let data = LibraryOptions(data: nil).folder.url
            let records: @Sendable () throws -> CatalogSnapshot?
            if catalog.isEmpty {
                let local = CatalogFiles.localRecords(in: data, starterList: installation.starterList)
                records = local.snapshot
                if online {
                    let opened = try await Self.catalogs(in: data)
                    catalogs = opened
                    identification = OnlineIdentification(online: opened, received: local.received)
                }
            } else {
                let named = try CatalogFiles.search(named: catalog)
                records = { named.snapshot }
            }
            scanner = try PhotoScanner(
                installation: installation,
                options: ScanOptions(
                    preprocessing: preprocess, threshold: threshold, threads: max(1, cores / jobs),
                    reportsSpines: false),
                concurrentPhotos: jobs,
                catalog: records)
            if let annotate {
                annotation = try PhotoAnnotation(folder: annotate, photos: files, labelFont: installation.labelFont)
            }
            if isImported { importPhoto = try await importer(into: scan) }
        } catch {
            let file = error is AnnotationError ? annotate : (error as? CatalogFileError)?.path
            StandardStream.errors.write(Failure.line(for: file, error))
            throw ExitCode.failure
        }

        let report = RunReport(photos: files, writer: writer())
        let interruption = Interruption { report.interrupt(by: $0) }
        await ScanRun(
            photos: files, jobs: jobs, scanner: scanner, annotation: annotation, importPhoto: importPhoto,
            online: identification, report: report)()
        await catalogs?.close()
        let failures = report.close()
        if isImported { try await enrich(scan) }
        withExtendedLifetime(interruption) {}
        if failures > 0 { throw ExitCode.failure }
    }

    /// The enabled providers; Open Library for this run, if none is enabled.
    private static func catalogs(in data: URL) async throws -> OnlineCatalogs {
        var configuration = try await ProviderConfiguration.ofEnvironment(ProcessInfo.processInfo.environment)
        let enabled = try OnlineCatalogs(
            data: data, configuration: configuration, version: Shelflist.currentVersion)
        guard enabled.providers.isEmpty else { return enabled }
        await enabled.close()
        configuration.isOn = [.openLibrary]
        return try OnlineCatalogs(data: data, configuration: configuration, version: Shelflist.currentVersion)
    }

    /// Fills in the editions of imported books, if there is a source to query.
    private func enrich(_ job: String) async throws {
        let options = LibraryOptions(data: nil)
        try await options.withLibrary { store in
            try await withCatalogs(options, offline: offline) { catalogs in
                guard !catalogs.lookup.sources.isEmpty else { return }
                _ = try await catalogs.enrich(try await store.incompleteBooks(ofScan: job), in: store)
            }
        }
    }

    private func importer(
        into scan: String
    ) async throws -> @Sendable ([UInt8], ScannedPhoto) async throws -> ScanImportReport {
        let library = try LibraryStore(folder: LibraryOptions(data: nil).folder)
        let shelf = try await shelf.asyncMap { try await library.shelf(named: $0).id }
        let importer = ScanImporter(library: library)
        let options = ScanImporter.Options(shelf: shelf, threshold: threshold)
        return { bytes, photo in try await importer.importPhoto(photo, bytes: bytes, scan: scan, options: options) }
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
