package import Catalog
package import Foundation

/// The catalog of a server and the state of its download.
package struct CatalogStatus: Sendable {
    /// Nil if there is no catalog.
    package var info: CatalogInfo?
    /// The dumps that the catalog was downloaded from; nil if it was imported from files.
    package var downloaded: DownloadedDumps?
    /// Why the catalog cannot be used.
    package var problem: String?
    package var freeBytes: Int
    /// When the server of the dumps was last asked for newer ones.
    package var checkedAt: Date?
    /// Nil if no download is running or unfinished.
    package var download: Download?

    package struct Download: Sendable {
        package enum State: String, CaseIterable, Sendable {
            case running
            /// It was cancelled and ends soon.
            case stopping
            /// Another program is downloading into the catalog.
            case elsewhere
            /// It failed for a reason that may pass, and is tried again within the hour.
            case waiting
            /// It was cancelled or has failed; starting it again resumes it.
            case stopped
        }

        package var state: State
        /// Nil if it is not known.
        package var filter: EditionFilter?
        package var startedAt: Date?
        package var progress: DownloadMonitor.Progress?
        /// Bytes on disk that the next start uses again.
        package var unfinishedBytes: Int?
        package var failure: DownloadFailure?
    }
}
