package import Bibliography
import Foundation
package import Library
package import ShelflistAPI

extension ReviewQueueItem {
    package init(_ item: ReviewItem, reviewStatus: ReviewStatus, shelf: Shelf?) {
        self.init(
            InboxItem(
                kind: .detection, book: item, detection: item.detection, shelf: shelf), reviewStatus: reviewStatus)
    }

    /// - Parameter reviewStatus: nil for that in the item.
    package init(_ item: InboxItem, reviewStatus: ReviewStatus? = nil) {
        let (book, seen) = (item.book, item.detection)
        let id =
            switch item.kind {
            case .detection: seen.map { "\($0.id)" } ?? book.map { "e\($0.id)" } ?? ""
            case .duplicateQuestion: item.question.map { "q\($0.id)" } ?? ""
            case .missing: book.map { "m\($0.id)" } ?? ""
            case .incomplete: book.map { "i\($0.id)" } ?? ""
            case .failedRow: item.row.map { "r\($0.id)" } ?? ""
            }
        // Items without a book do not change.
        self.init(id: id, kind: item.kind.rawValue, etag: RevisionTag.of(book?.revision ?? 1))
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
        self.reviewStatus = reviewStatus ?? item.entry?.reviewStatus
        resolvedTitle = seen?.resolvedTitle
        resolvedAuthor = seen?.resolvedAuthor
        boundingBox = seen?.boundingBox
        quad = seen?.quad?.inFourDigits
        photoId = seen.map { "\($0.photo)" }
        cropUrl = seen.flatMap { PictureURL.crop($0) }
        coverUrl = item.entry?.cover.map(CoverURL.of)
        text = seen?.text ?? []
        matches = book?.alternatives ?? []
        shelf = item.shelf.map { ShelfReference(id: "\($0.id)", name: $0.name) }
        problem = item.row.map { "\($0.name), line \($0.line): \($0.reason)" }
        duplicates =
            item.question.map { [PossibleDuplicate($0, existing: item.existing)] }
            ?? (book?.duplicateQuestions ?? []).map { PossibleDuplicate($0) }
    }
}

extension PossibleDuplicate {
    /// - Parameter existing: a copy of the existing work; its pictures are shown beside the book.
    package init(_ question: DuplicateQuestion, existing copy: EntrySummary? = nil) {
        self.init(
            id: "\(question.id)", kind: question.kind.rawValue, detectionId: question.detection.map { "\($0)" },
            entryId: question.entry.map { "\($0)" }, title: question.title, authors: question.authors,
            existing: Existing(
                workId: "\(question.existing)", title: question.existingTitle, authors: question.existingAuthors,
                entryIds: question.copies.map { "\($0)" }, coverUrl: copy?.cover.map(CoverURL.of),
                cropUrl: copy.flatMap { copy in copy.spine.map { PictureURL.crop($0, outline: copy.spineOutline) } }))
    }
}

extension AutomaticEdit {
    package init(_ change: AutomaticChange) {
        self.init(
            id: "\(change.action)", time: change.at, action: change.judgement.rawValue, workId: "\(change.work)",
            before: ["title": change.readTitle, "author": change.readAuthor],
            after: change.judgement == .withdrawn
                ? nil : ["title": change.finalTitle, "author": change.finalAuthor, "isbn": change.finalISBN],
            undoable: change.isUndoable, seen: change.isSeen)
        entryId = change.entry.map { "\($0)" }
        source = change.source
        reviewStatus = change.reviewStatus?.rawValue
        cropUrl =
            change.hasPicture
            ? change.detection.map { PictureURL.crop($0, outline: change.outline ?? "") } : nil
    }
}
