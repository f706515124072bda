package import Bibliography
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
        self.init(id: id, kind: item.kind, etag: RevisionTag.of(book?.revision ?? 1))
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
        tier = item.row == nil ? book?.tier : nil
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
        shelf = item.shelf.map(ShelfReference.init)
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
            id: "\(question.id)", kind: question.kind, detectionId: question.detection.map { "\($0)" },
            entryId: question.entry.map { "\($0)" }, title: question.title, authors: question.authors,
            existing: Existing(
                workId: "\(question.existing)", title: question.existingTitle, authors: question.existingAuthors,
                entryIds: question.copies.map { "\($0)" }, coverUrl: copy?.cover.map(CoverURL.of),
                cropUrl: copy.flatMap { copy in copy.spine.map { PictureURL.crop($0, outline: copy.spineOutline) } }))
    }
}
