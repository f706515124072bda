import Bibliography
import Foundation
import ShelflistAPI

/// A book in the format of the app that posts to `/v3/jobs/scans`.
///
/// The app rejects a book without title or author, and one with an unknown `enrichmentStatus`.
struct VersionThreeBook: Encodable {
    enum Status: String, Encodable {
        case pending, success, error
        case notFound = "not_found"
    }

    /// Of a book whose title could not be read: the app would show an empty row.
    private static let unknownTitle = "Unknown title"

    var title: String
    var author: String
    var isbn: String?
    /// Absolute.
    var coverUrl: String?
    var publisher: String?
    var publishedDate: String?
    var pageCount: Int?
    var confidence: Double
    /// `nil` if the book was not looked up.
    var enrichmentStatus: Status?

    /// - Parameter isFinal: whether the lookup of the book has ended.
    init(_ found: ScanBook, isFinal: Bool, _ base: BaseAddress) {
        let record = found.metadata?.record
        title = found.book.title.flatMap { $0.isEmpty ? nil : $0 } ?? Self.unknownTitle
        author = found.book.author ?? ""
        isbn = found.book.isbn ?? record?.isbn
        coverUrl = (record?.coverURL?.absoluteString).map { $0.hasPrefix("/") ? base.address(of: $0, as: .http) : $0 }
        publisher = record?.publisher
        publishedDate = record?.year.map(String.init)
        pageCount = record?.pages
        confidence = found.book.confidence
        enrichmentStatus =
            switch found.enrichment {
            case .enriched: .success
            case .notFound: .notFound
            case .failed: .error
            case .none, .pending: isFinal ? nil : .pending
            }
    }
}
