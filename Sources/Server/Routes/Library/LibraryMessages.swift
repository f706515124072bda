import Bibliography
import Foundation
import Identification
import Imaging
import Library
import Lookup
import WireProtocol

struct ShelfRefMessage: Codable, Hashable {
    var id: String
    var name: String
}

/// A copy: the fields of the list; the others where one copy is asked for.
struct EntryMessage: Encodable {
    var id: String
    var workId: String
    var editionId: String?
    var title: String
    @Null var subtitle: String?
    var author: String
    var authors: [String]
    @Null var isbn: String?
    @Null var year: Int?
    @Null var coverUrl: String?
    @Null var cropUrl: String?
    var ownership: String
    @Null var readingStatus: String?
    @Null var rating: Double?
    @Null var shelf: ShelfRefMessage?
    var addedAt: Date
    var reviewStatus: String
    var etag: String
    var notes: String?
    var tags: [String]?
    var startedOn: String?
    var finishedOn: String?
    var loan: LoanMessage?
    var position: EntryPositionMessage?
    var confidence: Double?
    var publisher: String?
    var pages: Int?
    var copies: Int?

    init(_ entry: EntrySummary) {
        id = "\(entry.id)"
        workId = "\(entry.work)"
        title = entry.title
        subtitle = entry.subtitle
        author = entry.authors.joined(separator: ", ")
        authors = entry.authors
        isbn = entry.isbn?.isbn13
        year = entry.year
        coverUrl = entry.cover.map(CoverURL.of)
        ownership = entry.ownership.rawValue
        readingStatus = entry.reading.map(ReadingWords.wire)
        rating = entry.rating
        shelf = entry.shelf.map { ShelfRefMessage(id: "\($0)", name: entry.shelfName ?? "") }
        addedAt = entry.addedAt
        reviewStatus = entry.reviewStatus.rawValue
        etag = RevisionTag.of(entry.revision)
        tags = entry.tags
    }

    init(_ detail: EntryDetail) {
        let entry = detail.entry
        id = "\(entry.id)"
        workId = "\(entry.work)"
        editionId = entry.edition.map { "\($0)" }
        title = detail.work.title
        subtitle = detail.work.subtitle
        authors = detail.work.authors.filter { $0.role == .author }.map(\.name)
        author = authors.joined(separator: ", ")
        isbn = detail.edition?.isbn?.isbn13
        year = detail.edition?.year
        publisher = detail.edition?.publisher
        pages = detail.edition?.pages
        coverUrl = detail.edition?.cover.map(CoverURL.of)
        ownership = entry.details.ownership.rawValue
        readingStatus = entry.details.reading.map(ReadingWords.wire)
        rating = entry.details.rating
        shelf = detail.shelf.map { ShelfRefMessage(id: "\($0.id)", name: $0.name) }
        addedAt = entry.addedAt
        reviewStatus = detail.work.reviewStatus.rawValue
        etag = RevisionTag.of(entry.revision)
        notes = entry.details.notes
        tags = entry.details.tags
        startedOn = entry.details.startedOn?.rawValue
        finishedOn = entry.details.finishedOn?.rawValue
        loan = entry.details.ownership == .lent ? LoanMessage(to: entry.details.lentTo ?? "") : nil
        let seen = detail.detections.first
        position = seen.map(EntryPositionMessage.init)
        cropUrl = seen.map { "/api/v1/detections/\($0.id)/crop" }
        confidence = seen?.confidence
        copies = detail.copies.count
    }
}

enum CoverURL {
    static func of(_ file: String) -> String { "/api/v1/covers/\(file)" }
}

/// The wire's words are those of the API's other fields; the library's are those of its files.
enum ReadingWords {
    static func wire(_ status: ReadingStatus) -> String { status == .toRead ? "toRead" : status.rawValue }

    static func status(_ text: String, field: String = "readingStatus") throws -> ReadingStatus {
        guard let status = text == "toRead" ? .toRead : ReadingStatus(rawValue: text) else {
            throw Problem.invalidField(field, "'\(field)' has to be toRead, reading or read.")
        }
        return status
    }
}

struct LoanMessage: Codable {
    var to: String
}

struct EntryPositionMessage: Encodable {
    var photoId: String
    var photoUrl: String
    var detectionId: String
    var boundingBox: BoxMessage
    var quad: QuadMessage?

    init(_ detection: Detection) {
        photoId = "\(detection.photo)"
        photoUrl = "/api/v1/photos/\(detection.photo)/image"
        detectionId = "\(detection.id)"
        boundingBox = BoxMessage(detection.boundingBox)
        quad = detection.quad.map(QuadMessage.init)
    }
}

struct EditionMessage: Encodable {
    var id: String
    var workId: String
    @Null var isbn: String?
    @Null var publisher: String?
    @Null var year: Int?
    @Null var pages: Int?
    @Null var format: String?
    @Null var language: String?
    @Null var coverUrl: String?

    init(_ edition: Edition) {
        id = "\(edition.id)"
        workId = "\(edition.work)"
        isbn = edition.isbn?.isbn13
        publisher = edition.publisher
        year = edition.year
        pages = edition.pages
        format = edition.binding
        language = edition.language
        coverUrl = edition.cover.map(CoverURL.of)
    }
}

struct WorkMessage: Encodable {
    struct Author: Encodable {
        var name: String
        var role: String
    }

    var id: String
    var title: String
    @Null var subtitle: String?
    var authors: [Author]
    @Null var series: String?
    @Null var coverUrl: String?
    var reviewStatus: String
    var editions: [EditionMessage]
    var entries: [EntryMessage]
    var detections: [String]
    var etag: String

    init(_ work: Work, copies: [EntryDetail]) {
        id = "\(work.id)"
        title = work.title
        subtitle = work.subtitle
        authors = work.authors.map { Author(name: $0.name, role: $0.role.rawValue) }
        series = work.series
        var seen: Set<RowID<Edition>> = []
        let editions = copies.compactMap(\.edition).filter { seen.insert($0.id).inserted }
        coverUrl = editions.compactMap(\.cover).first.map(CoverURL.of)
        reviewStatus = work.reviewStatus.rawValue
        self.editions = editions.map(EditionMessage.init)
        entries = copies.map(EntryMessage.init)
        detections = copies.flatMap(\.detections).map { "\($0.id)" }
        etag = RevisionTag.of(work.revision)
    }
}

/// A book that waits for a person, or did.
struct ReviewItemMessage: Encodable {
    var id: String
    var kind: String
    var workId: String
    var entryId: String
    @Null var title: String?
    @Null var author: String?
    @Null var isbn: String?
    @Null var confidence: Double?
    var tier: String
    var reviewStatus: String
    @Null var resolvedTitle: String?
    @Null var resolvedAuthor: String?
    @Null var boundingBox: BoxMessage?
    var quad: QuadMessage?
    @Null var photoId: String?
    @Null var cropUrl: String?
    var text: [TextMessage]
    var matches: [MatchMessage]
    @Null var shelf: ShelfRefMessage?
    var problem: String?
    var duplicates: [DuplicateMessage]
    var etag: String

    init(_ item: ReviewItem, reviewStatus: ReviewStatus = .needsReview, shelf: Shelf? = nil) {
        let seen = item.detection
        id = seen.map { "\($0.id)" } ?? "e\(item.id)"
        kind = item.failedEnrichment == nil ? "detection" : "failedEnrichment"
        workId = "\(item.work)"
        entryId = "\(item.id)"
        title = seen?.editedTitle ?? item.title
        author = seen?.editedAuthor ?? (item.authors.isEmpty ? nil : item.authors.joined(separator: ", "))
        isbn = item.isbn?.isbn13
        confidence = item.confidence
        tier = item.tier.rawValue
        self.reviewStatus = reviewStatus.rawValue
        resolvedTitle = seen?.resolvedTitle
        resolvedAuthor = seen?.resolvedAuthor
        boundingBox = seen.map { BoxMessage($0.boundingBox) }
        quad = seen?.quad.map(QuadMessage.init)
        photoId = seen.map { "\($0.photo)" }
        cropUrl = seen.map { "/api/v1/detections/\($0.id)/crop" }
        text = seen?.text.map { TextMessage(text: $0.text, score: $0.score) } ?? []
        matches = item.alternatives.map {
            MatchMessage(
                title: $0.title, subtitle: $0.subtitle, author: $0.author, isbn: $0.isbn, confidence: $0.confidence,
                source: $0.source)
        }
        self.shelf = shelf.map { ShelfRefMessage(id: "\($0.id)", name: $0.name) }
        problem = item.failedEnrichment.map { "\($0.file), line \($0.line): \($0.reason)" }
        duplicates = item.duplicateQuestions.map(DuplicateMessage.init)
        etag = RevisionTag.of(item.revision)
    }
}

/// A question whether a book is in the library twice.
struct DuplicateMessage: Encodable {
    var id: String
    var kind: String
    @Null var detectionId: String?
    @Null var entryId: String?
    var title: String
    var authors: [String]
    var existing: Existing

    struct Existing: Encodable {
        var workId: String
        var title: String
        var authors: [String]
        var entryIds: [String]
    }

    init(_ question: DuplicateQuestion) {
        id = "\(question.id)"
        kind = question.kind.rawValue
        detectionId = question.detection.map { "\($0)" }
        entryId = question.entry.map { "\($0)" }
        title = question.title
        authors = question.authors
        existing = Existing(
            workId: "\(question.existing)", title: question.existingTitle, authors: question.existingAuthors,
            entryIds: question.copies.map { "\($0)" })
    }
}

/// What an action did.
struct ActionMessage: Encodable {
    var changed: Int
    @Null var undoToken: String?
    var remaining: Int?
}

/// A record to choose, as search gives it and matching takes it.
struct RecordMessage: Codable {
    var id: String
    var source: String
    var title: String
    @Null var subtitle: String?
    var authors: [String]
    @Null var isbn: String?
    @Null var publisher: String?
    @Null var year: Int?
    @Null var pages: Int?
    @Null var language: String?
    @Null var series: String?
    @Null var coverUrl: String?
    var work: String?
    var sources: [String]?

    init(_ offer: MatchOffer) {
        let record = offer.record
        id = record.id
        source = record.source
        title = record.title
        subtitle = record.subtitle
        authors = record.authors
        isbn = record.isbn
        publisher = record.publisher
        year = record.year
        pages = record.pages
        language = record.language
        series = record.series
        work = record.work
        coverUrl = CoverName.of(offer.coverURL?.absoluteString).map(CoverURL.of)
        sources = offer.sources
    }

    /// The name of the provider's cover that was offered with it.
    var coverName: String? { coverUrl?.split(separator: "/").last.map(String.init) }

    var record: Record {
        Record(
            id: id, work: work, title: title, subtitle: subtitle, authors: authors, series: series, isbn: isbn,
            publisher: publisher, year: year, pages: pages, language: language, source: source)
    }
}
