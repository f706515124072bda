import Bibliography
import Foundation
import Library
import ShelflistAPI

/// A book that was reviewed, or an item of the queue.
struct ReviewItemMessage: TaggedMessage {
    var id: String
    var kind: String
    @Null var workId: String?
    @Null var entryId: String?
    @Null var title: String?
    @Null var author: String?
    @Null var isbn: String?
    @Null var confidence: Double?
    @Null var tier: String?
    @Null var reviewStatus: String?
    @Null var resolvedTitle: String?
    @Null var resolvedAuthor: String?
    @Null var boundingBox: UnitRect?
    var quad: UnitQuad?
    @Null var photoId: String?
    @Null var cropUrl: ServerPath?
    @Null var coverUrl: ServerPath?
    var text: [ReadText]
    var matches: [BookMatch]
    @Null var shelf: ShelfRefMessage?
    var problem: String?
    var duplicates: [DuplicateMessage]
    var etag: String
    /// Of the change that the message answers.
    var undoToken: String?

    init(_ item: ReviewItem, reviewStatus: ReviewStatus, shelf: Shelf?) {
        self.init(
            InboxItem(
                kind: item.failedEnrichment == nil ? .detection : .failedEnrichment, book: item,
                detection: item.detection, shelf: shelf), reviewStatus: reviewStatus)
    }

    /// - Parameter reviewStatus: nil for that in the item.
    init(_ item: InboxItem, reviewStatus: ReviewStatus? = nil) {
        let (book, seen) = (item.book, item.detection)
        kind = item.kind.rawValue
        id =
            switch item.kind {
            case .detection, .failedEnrichment: seen.map { "\($0.id)" } ?? book.map { "e\($0.id)" } ?? ""
            case .duplicateQuestion: item.question.map { "q\($0.id)" } ?? ""
            case .missing: book.map { "m\($0.id)" } ?? ""
            case .incomplete: book.map { "i\($0.id)" } ?? ""
            case .failedRow: item.row.map { "r\($0.id)" } ?? ""
            }
        workId = book.map { "\($0.work)" }
        entryId = book.map { "\($0.id)" }
        // An edit that is not approved yet is what the user sees in the queue.
        let edited = item.kind == .detection ? seen : nil
        let authors = book?.authors ?? item.question?.authors ?? []
        title =
            edited?.editedTitle ?? book?.title ?? item.question?.title
            ?? item.row.flatMap { $0.content.isEmpty ? nil : $0.content }
        author = edited?.editedAuthor ?? (authors.isEmpty ? nil : authors.joined(separator: ", "))
        isbn = book?.isbn?.isbn13
        confidence = book?.confidence ?? seen?.confidence
        tier = item.row == nil ? book?.tier.rawValue : nil
        self.reviewStatus = (reviewStatus ?? item.entry?.reviewStatus)?.rawValue
        resolvedTitle = seen?.resolvedTitle
        resolvedAuthor = seen?.resolvedAuthor
        boundingBox = seen?.boundingBox
        quad = seen?.quad?.inFourDigits
        photoId = seen.map { "\($0.photo)" }
        cropUrl = seen.flatMap { PictureURL.crop($0) }
        coverUrl = item.entry?.cover.map(CoverURL.of)
        text = seen?.text ?? []
        matches = book?.alternatives ?? []
        shelf = item.shelf.map { ShelfRefMessage(id: "\($0.id)", name: $0.name) }
        let (failed, row) = (book?.failedEnrichment, item.row)
        problem =
            failed.map { "\($0.file), line \($0.line): \($0.reason)" }
            ?? row.map { "\($0.name), line \($0.line): \($0.reason)" }
        duplicates =
            item.question.map { [DuplicateMessage($0, existing: item.existing)] }
            ?? (book?.duplicateQuestions ?? []).map { DuplicateMessage($0) }
        // Items without a book do not change.
        etag = RevisionTag.of(book?.revision ?? 1)
    }
}

/// A possible duplicate that needs a decision.
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
        var coverUrl: ServerPath?
        var cropUrl: ServerPath?
    }

    /// - Parameter existing: a copy of the existing work; its pictures are shown beside the book.
    init(_ question: DuplicateQuestion, existing copy: EntrySummary? = nil) {
        id = "\(question.id)"
        kind = question.kind.rawValue
        detectionId = question.detection.map { "\($0)" }
        entryId = question.entry.map { "\($0)" }
        title = question.title
        authors = question.authors
        existing = Existing(
            workId: "\(question.existing)", title: question.existingTitle, authors: question.existingAuthors,
            entryIds: question.copies.map { "\($0)" }, coverUrl: copy?.cover.map(CoverURL.of),
            cropUrl: copy.flatMap { copy in copy.spine.map { PictureURL.crop($0, outline: copy.spineOutline) } })
    }
}

/// What was changed of a book without a decision of the user.
struct AutomaticChangeMessage: Encodable {
    var id: String
    var time: Date
    /// `identified`, or `withdrawn` for a book that was removed.
    var action: String
    var workId: String
    @Null var entryId: String?
    var before: [String: String?]
    @Null var after: [String: String?]?
    @Null var source: String?
    /// Of the copy that the spine shows now; nil if it shows none.
    @Null var reviewStatus: String?
    @Null var cropUrl: ServerPath?
    var undoable: Bool
    var seen: Bool

    init(_ change: AutomaticChange) {
        id = "\(change.action)"
        time = change.at
        action = change.judgement.rawValue
        workId = "\(change.work)"
        entryId = change.entry.map { "\($0)" }
        before = ["title": change.readTitle, "author": change.readAuthor]
        after =
            change.judgement == .withdrawn
            ? nil : ["title": change.finalTitle, "author": change.finalAuthor, "isbn": change.finalISBN]
        source = change.source
        reviewStatus = change.reviewStatus?.rawValue
        cropUrl =
            change.hasPicture
            ? change.detection.map { PictureURL.crop($0, outline: change.outline ?? "") } : nil
        undoable = change.isUndoable
        seen = change.isSeen
    }
}
