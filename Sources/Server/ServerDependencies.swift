package import Catalog
package import Concurrency
package import Downloads
package import Foundation
package import Library
package import Logging
package import Lookup
package import Reading
package import Scans

/// The stores and services of a server, opened and connected in one place for `serve` and for tests.
package struct ServerDependencies: Sendable {
    package let jobs: ScanJobs
    package let accounts: AccountBook
    package let apps: AppKeyBook
    package let audit: AuditLog
    package let library: LibraryStore
    let catalog: CatalogFile
    let lookup: BookLookup
    let online: OnlineServices
    let covers: CoverQueue
    let enrichments: EnrichmentQueue
    let incomplete: IncompleteSearch
    let pictures: JobPictures
    let downloads: CatalogDownloads

    /// Opens the library of a server.
    ///
    /// - Parameter date: returns the date of what users do.
    /// - Throws: the error of a folder that a newer version wrote, or of a library that cannot be opened.
    package static func library(
        in folder: URL, date: @escaping @Sendable () -> Date = { Date() }
    ) throws -> LibraryStore {
        try DataFormat.check(folder)
        return try LibraryStore(folder: LibraryFolder(folder), clock: date)
    }

    /// Opens the stores in `folder` and connects the services.
    ///
    /// - Parameters:
    ///   - folder: the data folder.
    ///   - library: that of the folder.
    ///   - catalog: the local catalog, which may be imported while the server runs.
    ///   - dumps: where the catalog is downloaded from when the owner starts a download.
    ///   - received: keeps what providers answer, and is searched by `reader`; nil if providers identify no books.
    ///   - clock: the time of jobs, which continues evenly when the machine's clock is set.
    ///   - labelFont: the font of annotated photos.
    /// - Throws: the error of a store that cannot be opened, `TypefaceError`.
    package init(
        folder: URL, library: LibraryStore, reader: any ShelfReading, catalog: CatalogFile, dumps: DumpServer,
        online: OnlineServices,
        received: ReceivedRecords? = nil, limits: JobLimits, clock: SteadyClock = SteadyClock(),
        labelFont: URL, logger: Logger
    ) throws {
        let lookup = BookLookup(catalog: CatalogSource(catalog, online: online), online: online)
        let covers = CoverQueue(online: online, library: library) { reason in
            logger.notice("Could not fetch a cover", metadata: ["reason": "\(reason)"])
        }
        self.library = library
        self.catalog = catalog
        self.lookup = lookup
        self.online = online
        self.covers = covers
        enrichments = EnrichmentQueue(LibraryEnrichment(lookup: lookup, library: library, covers: covers)) { reason in
            logger.notice("Could not look up a book in all sources", metadata: ["reason": "\(reason)"])
        }
        incomplete = IncompleteSearch(lookup: lookup, online: online, library: library)
        let importer = ScanImporter(library: library, limits: limits.photo) { entry, url in
            await covers.fetch(url, for: entry)
        }
        jobs = ScanJobs(
            importer, files: try JobFiles(folder: folder.appending(path: "jobs"), keptFree: limits.bytesKeptFree),
            reader: reader,
            enricher: JobEnrichment(lookup: lookup),
            identifier: ModelIdentification(
                services: online, providers: received.map { OnlineIdentification(online: online, received: $0) },
                font: labelFont, limits: limits.photo),
            limits: limits, clock: clock
        ) { error in
            logger.error("Could not continue a scan job", metadata: ["reason": "\(error)"])
        }
        accounts = try AccountBook(file: folder.appending(path: AccountBook.fileName))
        apps = AppKeyBook(folder: folder)
        audit = AuditLog(folder: folder, logger: logger)
        pictures = try JobPictures(jobs: jobs, labelFont: labelFont)
        downloads = CatalogDownloads(catalog: catalog, server: dumps, clock: online.clock) { outcome in
            switch outcome {
            case .replaced(let editions): logger.info("Catalog downloaded", metadata: ["editions": "\(editions)"])
            case .upToDate: logger.info("The catalog is up to date")
            case .stopped: logger.info("The download of the catalog was stopped")
            case .failed(let failure):
                logger.notice("Could not download the catalog", metadata: ["reason": "\(failure.message)"])
            }
        }
    }
}
