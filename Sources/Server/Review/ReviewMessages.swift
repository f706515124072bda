import Bibliography
import Foundation
import Library
import ShelflistAPI

/// A book that needs review or was reviewed.
struct ReviewItemMessage: TaggedMessage {
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
    @Null var boundingBox: UnitRect?
    var quad: UnitQuad?
    @Null var photoId: String?
    @Null var cropUrl: String?
    var text: [ReadText]
    var matches: [BookMatch]
    @Null var shelf: ShelfRefMessage?
    var problem: String?
    var duplicates: [DuplicateMessage]
    var etag: String
    /// Of the change that the message answers.
    var undoToken: String?

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
        boundingBox = seen?.boundingBox
        quad = seen?.quad?.inFourDigits
        photoId = seen.map { "\($0.photo)" }
        cropUrl = seen.flatMap { PictureURL.crop($0) }
        text = seen?.text ?? []
        matches = item.alternatives
        self.shelf = shelf.map { ShelfRefMessage(id: "\($0.id)", name: $0.name) }
        problem = item.failedEnrichment.map { "\($0.file), line \($0.line): \($0.reason)" }
        duplicates = item.duplicateQuestions.map(DuplicateMessage.init)
        etag = RevisionTag.of(item.revision)
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
    @Null var cropUrl: String?
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
