import Catalog
package import Foundation
import Providers
import Storage

/// Why a download of the catalog ended, for the owner.
package struct DownloadFailure: Codable, Equatable, Sendable {
    package enum Reason: String, Codable, CaseIterable, Sendable {
        /// The server cannot be reached, or connections to it are cut.
        case unreachable
        /// The server answers with an error.
        case refused
        /// The address leads to something other than a dump.
        case notADump
        /// The dump was replaced on the server during the download.
        case changed
        /// The dump or the new catalog is damaged.
        case damaged
        case diskFull
        /// Another program is downloading into the catalog.
        case running
        case other
    }

    package var reason: Reason
    /// What is wrong, and what to do.
    package var message: String
    package var date: Date

    /// Whether the same download may succeed later without any change.
    package var isTransient: Bool {
        switch reason {
        case .unreachable, .refused, .changed, .running: true
        case .notADump, .damaged, .diskFull, .other: false
        }
    }
}

extension DownloadFailure {
    init(_ error: any Error, at date: Date) {
        self.init(reason: Self.reason(error), message: "\(error)", date: date)
    }

    private static func reason(_ error: any Error) -> Reason {
        switch error {
        case let error as DownloadError: reason(error)
        case CatalogDownloadError.running, CatalogError.busy: .running
        case CatalogDownloadError.doesNotFit, CatalogDownloadError.diskFull, StorageError.diskFull: .diskFull
        case is ImportFailure: .damaged
        default: .other
        }
    }

    static func reason(_ error: DownloadError) -> Reason {
        switch error {
        case .unreachable, .cut: .unreachable
        case .status(404, _), .status(410, _): .notADump
        case .status: .refused
        case .webPage, .notGzip, .foreignHost, .redirectedTooOften: .notADump
        case .changed: .changed
        }
    }
}

/// What is stored of a download between runs of the server, beside the catalog.
struct StoredDownload: Codable, Equatable, Sendable {
    /// What is kept of the dumps by the last download that was not completed.
    var filter: EditionFilter?
    /// Whether that download is to be resumed when the server starts, and after a transient failure.
    var isWanted = false
    var failure: DownloadFailure?
    /// When the server of the dumps was last asked for newer ones.
    var checkedAt: Date?
    /// The earliest date of the next automatic update.
    var nextUpdate: Date?
}

extension StoredDownload {
    private static func file(_ path: String) -> JSONFile<StoredDownload> {
        JSONFile(URL(filePath: path), fix: "Start the download again.")
    }

    /// An unreadable file counts as none: the owner starts the download again.
    init(readingFrom path: String) { self = (try? Self.file(path).load()) ?? StoredDownload() }

    /// - Throws: `CatalogDownloadError.storage`, `.diskFull`; the file is then unchanged.
    func write(to path: String) throws {
        do {
            try Self.file(path).save(self)
        } catch {
            throw CatalogDownloadError(error, writing: path)
        }
    }
}
