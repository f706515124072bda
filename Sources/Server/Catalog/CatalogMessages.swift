import Catalog
import Downloads
import Foundation
import Hummingbird
import ShelflistAPI

/// The catalog and its download, for clients.
struct CatalogMessage: ResponseEncodable {
    var exists: Bool
    var works: Int
    var editions: Int
    var authors: Int
    /// Bytes on disk.
    var bytes: Int
    /// Whether everything in it can be searched.
    var searchable: Bool
    var freeBytes: Int
    var problem: String?
    var downloaded: Downloaded?
    var checkedAt: Date?
    var download: Download?

    struct Downloaded: Encodable {
        /// Empty for all languages.
        var languages: [String]
        var isbn: Bool
        /// The dumps' date, if the server says it.
        var dumps: String?
        var finishedAt: Date?
    }

    struct Download: Encodable {
        var state: String
        var languages: [String]?
        var isbn: Bool?
        var startedAt: Date?
        var progress: DownloadMonitor.Progress?
        var unfinishedBytes: Int?
        var failure: Failure?
    }

    struct Failure: Encodable {
        var reason: String
        var detail: String
        var time: Date
    }

    init(_ status: CatalogStatus) {
        exists = status.info != nil || status.problem != nil
        works = status.info?.works ?? 0
        editions = status.info?.editions ?? 0
        authors = status.info?.authors ?? 0
        bytes = status.info?.size ?? 0
        searchable = status.info?.isIndexed ?? false
        freeBytes = status.freeBytes
        problem = status.problem
        downloaded = status.downloaded.map { dumps in
            Downloaded(
                languages: dumps.filter.languages, isbn: dumps.filter.needsISBN, dumps: dumps.date,
                finishedAt: dumps.finishedAt)
        }
        checkedAt = status.checkedAt
        download = status.download.map { download in
            Download(
                state: download.state.rawValue, languages: download.filter?.languages,
                isbn: download.filter?.needsISBN, startedAt: download.startedAt,
                progress: download.progress, unfinishedBytes: download.unfinishedBytes,
                failure: download.failure.map {
                    Failure(reason: $0.reason.rawValue, detail: $0.message, time: $0.date)
                })
        }
    }
}

struct StartDownloadMessage: Decodable, Sendable {
    var languages: [String]?
    var isbn: Bool?
}
