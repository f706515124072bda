import Bibliography
import Foundation
import ShelflistAPI

/// A book of a scan as BooksTracker decodes it in the messages of its socket and in results.
struct BookshelfBook: Encodable {
    /// Names the book in `POST /feedback`.
    var detectionId: String
    /// Never missing, because the app cannot decode a book without a title and an author.
    var title: String
    var author: String
    var isbn: String?
    /// At least 0.6 if and only if the book is accepted.
    var confidence: Double
    var boundingBox: Box
    var reviewStatus: String
    var enrichmentStatus: String?
    var coverUrl: String?
    var publisher: String?
    var publicationYear: Int?
    /// `nil` if the book was not looked up; the app then decides by the confidence.
    var enrichment: Enrichment?

    /// A bounding box by its corners and by its size: versions of the app read one or the other.
    struct Box: Encodable {
        var x1, y1, x2, y2, x, y, width, height: Double

        init(_ rect: UnitRect) {
            (x1, y1, x2, y2) = (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height)
            (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height)
        }
    }

    /// The outcome of the lookup: `apiData` for the app of October 2025, the other fields for that of November.
    struct Enrichment: Encodable {
        var status: String
        var apiData: APIData?
        var work: BookshelfWork?
        var editions: [BookshelfEdition]?
        var authors: [BookshelfAuthor]?
        var provider: String?
        var cachedResult: Bool?
    }

    struct APIData: Encodable {
        var title: String
        var authors: [String]
        var isbn: String?
        var coverUrl: String?
        var publisher: String?
        var publicationYear: Int?
    }

    /// The app queues books below this confidence for review.
    private static let reviewLimit = 0.6

    init(_ found: ScanBook, of job: String) {
        let book = found.book
        let isAccepted = book.reviewStatus != .needsReview
        let record = found.metadata?.record ?? Self.identifyingRecord(of: book)
        detectionId = DetectionName(job: job, book: found.id).text
        title = book.title ?? ""
        author = book.author ?? ""
        isbn = book.isbn ?? record?.isbn
        // The app has neither the library's threshold nor a mark for books that were not checked.
        confidence =
            isAccepted ? max(book.confidence, Self.reviewLimit) : min(book.confidence, Self.reviewLimit - 0.01)
        boundingBox = Box(book.boundingBox)
        reviewStatus = book.reviewStatus.rawValue
        coverUrl = record.flatMap(BookshelfEdition.cover)
        publisher = record?.publisher
        publicationYear = record?.year
        enrichmentStatus =
            switch found.enrichment {
            case .enriched: "success"
            // The app would count an accepted book as uncertain.
            case _ where isAccepted && record != nil: "success"
            case .notFound: "not_found"
            case .failed: "error"
            case .none, .pending: nil
            }
        guard let enrichmentStatus else { return }
        enrichment = Enrichment(status: enrichmentStatus)
        guard let record, enrichmentStatus == "success" else { return }
        // The app ignores a lookup without an author.
        let authors = record.authors.isEmpty ? [author] : record.authors
        enrichment?.apiData = APIData(
            title: record.title, authors: authors, isbn: isbn, coverUrl: coverUrl, publisher: publisher,
            publicationYear: publicationYear)
        enrichment?.work = BookshelfWork(record, reviewStatus: reviewStatus)
        enrichment?.editions = [BookshelfEdition(record)]
        enrichment?.authors = authors.map { BookshelfAuthor(name: $0) }
        enrichment?.provider = record.source
        enrichment?.cachedResult = false
    }

    /// Returns what is known of the record that gave the book its title and author.
    private static func identifyingRecord(of book: DetectedBook) -> BookRecord? {
        guard let source = book.source, let title = book.title else { return nil }
        return BookRecord(
            id: "", title: title, authors: book.author.map { [$0] } ?? [], isbn: book.isbn, source: source)
    }
}

/// The name of a scan's book in results and feedback: `JOB:BOOK`.
struct DetectionName {
    let job: String
    let book: String

    var text: String { "\(job):\(book)" }

    init(job: String, book: String) { (self.job, self.book) = (job, book) }

    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        self.init(job: parts[0], book: parts[1])
    }
}

/// A work as BooksTracker decodes it.
///
/// The empty lists are identifiers that Shelflist does not have; the app warns about missing ones.
struct BookshelfWork: Encodable {
    var title: String
    var subjectTags: [String] = []
    var originalLanguage: String?
    var firstPublicationYear: Int?
    var coverImageURL: String?
    var primaryProvider: String
    var goodreadsWorkIDs: [String] = []
    var amazonASINs: [String] = []
    var librarythingIDs: [String] = []
    var googleBooksVolumeIDs: [String] = []
    var isbndbQuality = 0
    var reviewStatus: String

    init(_ record: BookRecord, reviewStatus: String) {
        title = record.title
        originalLanguage = record.language
        firstPublicationYear = record.year
        coverImageURL = BookshelfEdition.cover(of: record)
        primaryProvider = record.source
        self.reviewStatus = reviewStatus
    }
}

/// An edition as BooksTracker decodes it.
struct BookshelfEdition: Encodable {
    var isbn: String?
    var isbns: [String]
    var title: String
    var publisher: String?
    var publicationDate: String?
    var pageCount: Int?
    var coverImageURL: String?
    var language: String?
    var primaryProvider: String
    var amazonASINs: [String] = []
    var googleBooksVolumeIDs: [String] = []
    var librarythingIDs: [String] = []
    var isbndbQuality = 0

    init(_ record: BookRecord) {
        isbn = record.isbn
        isbns = record.isbn.map { [$0] } ?? []
        title = record.title
        publisher = record.publisher
        publicationDate = record.year.map(String.init)
        pageCount = record.pages
        coverImageURL = Self.cover(of: record)
        language = record.language
        primaryProvider = record.source
    }

    /// The provider's URL of the cover, which the app loads itself.
    static func cover(of record: BookRecord) -> String? {
        record.coverURL.flatMap { $0.scheme == "https" || $0.scheme == "http" ? $0.absoluteString : nil }
    }
}

/// An author as BooksTracker decodes it.
struct BookshelfAuthor: Encodable {
    var name: String
    var gender = "Unknown"
}
