public import Bibliography
public import Foundation

/// A shelf, as messages about books name it.
public struct ShelfReference: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var name: String
    /// Its name after those of the shelves around it: `Home / Study / Bookcase 2`.
    public var path: String

    /// - Parameter path: nil for a shelf that is in no other.
    public init(id: String, name: String, path: String? = nil) {
        (self.id, self.name, self.path) = (id, name, path ?? name)
    }
}

/// A copy of a book in the library.
///
/// Some fields are present only in the response for a single copy.
public struct LibraryBook: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    public var workId: String
    public var editionId: String?
    public var title: String
    @Null public var subtitle: String?
    /// All authors, separated by commas.
    public var author: String
    public var authors: [String]
    @Null public var isbn: String?
    @Null public var year: Int?
    @Null public var coverUrl: ServerPath?
    /// The photo of the spine.
    @Null public var cropUrl: ServerPath?
    @Known public var ownership: Ownership?
    @Known public var readingStatus: ReadingStatus?
    /// 0.5...5.
    @Null public var rating: Double?
    @Null public var shelf: ShelfReference?
    public var addedAt: Date
    public var reviewStatus: ReviewStatus
    /// The version of the copy, to be sent with changes.
    public var etag: String
    public var notes: String?
    /// What a label on its spine says, such as `796.1 ABC`.
    public var callNumber: String?
    public var tags: [String]?
    public var startedOn: String?
    public var finishedOn: String?
    public var loan: Loan?
    /// The loans that have ended, latest first.
    public var pastLoans: [PastLoan]?
    /// Where its spine is in a photo.
    public var position: SpinePosition?
    public var confidence: Double?
    public var checked: Bool?
    public var publisher: String?
    public var pages: Int?
    public var series: String?
    /// Its number in the series: `3`, `2.5` or `1-3`.
    public var seriesNumber: String?
    /// The number of copies of the work.
    public var copies: Int?
    /// When a stocktake did not find it, or a person said that it is gone; nil for a copy that is there.
    public var missingSince: Date?
    /// What is glued or printed on it; each copy has another one.
    public var barcode: String?
    @Known public var condition: CopyCondition?
    /// What was paid for it.
    public var price: Money?
    /// What it is worth.
    public var value: Money?
    /// A date such as `2026-11-21`, `2026-11` or `2026`.
    public var valuedOn: String?
    public var acquiredOn: String?
    /// From whom, or where.
    public var acquiredFrom: String?
    /// Of the change that the message answers.
    public var undoToken: String?

    public init(
        id: String, workId: String, title: String, authors: [String] = [], ownership: Ownership = .owned,
        addedAt: Date, reviewStatus: ReviewStatus = .verified, etag: String = "r1"
    ) {
        self.id = id
        self.workId = workId
        self.title = title
        self.authors = authors
        author = authors.joined(separator: ", ")
        self.ownership = ownership
        self.addedAt = addedAt
        self.reviewStatus = reviewStatus
        self.etag = etag
    }
}

/// To whom a book is lent.
public struct Loan: Codable, Hashable, Sendable {
    public var to: String
    /// The first day, such as `2026-11-26`; a month or a year if no more is known.
    public var since: String?
    /// The day on which the book should be back.
    public var due: String?

    public init(to: String, since: String? = nil, due: String? = nil) {
        (self.to, self.since, self.due) = (to, since, due)
    }
}

/// A loan that has ended.
public struct PastLoan: Codable, Hashable, Sendable {
    public var to: String
    @Null public var since: String?
    @Null public var due: String?
    /// The day on which the book came back, or was lent to another person.
    public var returned: String

    public init(to: String, since: String?, due: String?, returned: String) {
        (self.to, self.since, self.due, self.returned) = (to, since, due, returned)
    }
}

/// Where a spine is in a photo.
public struct SpinePosition: Codable, Hashable, Sendable {
    public var photoId: String
    /// Nil if the photo is not stored.
    @Null public var photoUrl: ServerPath?
    public var detectionId: String
    public var boundingBox: UnitRect
    public var quad: UnitQuad?

    public init(photoId: String, photoUrl: ServerPath?, detectionId: String, boundingBox: UnitRect, quad: UnitQuad?) {
        (self.photoId, self.photoUrl) = (photoId, photoUrl)
        (self.detectionId, self.boundingBox, self.quad) = (detectionId, boundingBox, quad)
    }
}

/// A book and where its latest photo shows it.
public struct LocatedBook: Codable, Hashable, Sendable {
    public var book: LibraryBook
    /// Nil if no photo shows the book.
    @Null public var place: PlaceInPhoto?

    public init(book: LibraryBook, place: PlaceInPhoto?) { (self.book, self.place) = (book, place) }
}

/// The place of a spine in a photo, counted from 1.
public struct PlaceInPhoto: Codable, Hashable, Sendable {
    /// The shelf board, from the top.
    public var row: Int
    public var rows: Int
    /// From the left within the row.
    public var place: Int
    public var places: Int

    public init(row: Int, rows: Int, place: Int, places: Int) {
        (self.row, self.rows, self.place, self.places) = (row, rows, place, places)
    }
}

/// The books that match a search, exactly or approximately.
public struct LocatedBooks: Codable, Hashable, Sendable {
    public var books: [LocatedBook]
    /// Spines of other books, and unidentified ones, whose text matches; nil from an earlier version.
    package var spines: [FoundSpine]?
    /// Lines that belong to no spine; nil from an earlier version.
    package var lines: [FoundLine]?

    public init(books: [LocatedBook]) { self.books = books }
}

/// A book to be added to the library: a record of a search, or a title.
public struct NewBook: Codable, Hashable, Sendable {
    public var isbn: String?
    public var record: SearchRecord?
    public var title: String?
    public var authors: [String]?
    /// The identifier of a shelf.
    public var shelf: String?
    public var ownership: Ownership?
    public var tags: [String]?
    /// What to do if the library has the book: `ask` (the default), `skip` or `addCopy`.
    public var duplicates: String?
    /// How the book was named, for the statistics: `barcode`, or `hand` (the default).
    public var source: String?
    /// More about the book; applied to the title or record.
    public var correction: BookCorrection?
    /// More about the copy.
    public var details: BookChange?
    public var loan: Loan?
    /// The loans that have ended, latest first.
    public var pastLoans: [PastLoan]?

    public init(_ record: SearchRecord, shelf: String? = nil) { (self.record, self.shelf) = (record, shelf) }

    public init(title: String, authors: [String] = [], isbn: String? = nil, shelf: String? = nil) {
        (self.title, self.authors, self.isbn, self.shelf) = (title, authors, isbn, shelf)
    }
}

/// What became of a new book.
public enum AddedBook: Sendable {
    /// The book is in the library.
    case added(LibraryBook)
    /// Nothing was added, because the library has it.
    case exists(ExistingBooks)
}

/// The answer to a new book that the library has already.
public struct ExistingBooks: Codable, Hashable, Sendable {
    public var bookId: String
    public var certainty: String
    public var existing: [LibraryBook]

    public init(bookId: String, certainty: String, existing: [LibraryBook]) {
        (self.bookId, self.certainty, self.existing) = (bookId, certainty, existing)
    }
}

/// A change of a copy; fields that are not set are kept.
public struct BookChange: Codable, Hashable, Sendable {
    /// The identifier of a shelf.
    public var shelf = FieldPatch<String>.keep
    public var ownership: Ownership?
    public var readingStatus = FieldPatch<ReadingStatus>.keep
    public var rating = FieldPatch<Double>.keep
    public var notes = FieldPatch<String>.keep
    public var callNumber = FieldPatch<String>.keep
    public var tags: [String]?
    /// Whether it is missing; nil keeps it.
    public var missing: Bool?
    public var barcode = FieldPatch<String>.keep
    public var condition = FieldPatch<CopyCondition>.keep
    public var price = FieldPatch<Money>.keep
    public var value = FieldPatch<Money>.keep
    public var valuedOn = FieldPatch<String>.keep
    public var acquiredOn = FieldPatch<String>.keep
    public var acquiredFrom = FieldPatch<String>.keep
    /// A date such as `2026-11-21`, `2026-11` or `2026`.
    public var startedOn = FieldPatch<String>.keep
    public var finishedOn = FieldPatch<String>.keep
    /// The identifier of an edition of its work.
    public var editionId: String?

    public init() {}
}

/// A correction of what a book is; fields that are not set are kept.
public struct BookCorrection: Codable, Hashable, Sendable {
    public var title: String?
    public var subtitle = FieldPatch<String>.keep
    public var authors: [String]?
    public var isbn = FieldPatch<String>.keep
    public var publisher = FieldPatch<String>.keep
    public var year = FieldPatch<Int>.keep
    public var pages = FieldPatch<Int>.keep
    /// A number at the end is its number in the series: `Earthsea, #3`.
    public var series = FieldPatch<String>.keep
    public var seriesNumber = FieldPatch<String>.keep
    public var language = FieldPatch<String>.keep

    public init(title: String? = nil, authors: [String]? = nil) { (self.title, self.authors) = (title, authors) }
}

/// The result of an action.
public struct ActionOutcome: Codable, Hashable, Sendable {
    /// The number of books that were changed.
    public var changed: Int
    /// Undoes the action; nil if nothing was changed.
    @Null public var undoToken: String?
    /// The number of books in the review queue.
    public var remaining: Int?
    /// The kind of the decision that was undone, if the request was for the latest one: `verify`, `correct` or another word.
    public var undone: String?

    public init(changed: Int, undoToken: String?, remaining: Int? = nil) {
        (self.changed, self.undoToken, self.remaining) = (changed, undoToken, remaining)
    }
}

/// A value that differs after every change of the library.
public struct LibraryVersion: Codable, Hashable, Sendable {
    public var version: String

    public init(version: String) { self.version = version }
}
