import Bibliography
package import ShelflistAPI

extension ReviewQueueItem {
    /// - Parameter seen: the spine to show; nil for the least certain one.
    init(_ book: ReviewItem, kind: InboxKind = .detection, seen: Detection? = nil) {
        let seen = seen ?? book.detection
        let id =
            switch kind {
            case .missing: "m\(book.id)"
            case .incomplete: "i\(book.id)"
            case .detection, .duplicateQuestion, .failedRow: seen.map { "\($0.id)" } ?? "e\(book.id)"
            }
        self.init(id: id, kind: kind, book: book, seen: seen)
        if kind == .detection {
            // An edit that is not approved yet is what the user sees in the queue.
            title = seen?.editedTitle ?? title
            author = seen?.editedAuthor ?? author
        }
        duplicates = book.duplicateQuestions.map(PossibleDuplicate.init)
    }

    /// - Parameters:
    ///   - book: the copy in question; nil while a spine waits for the answer.
    ///   - seen: the spine in question.
    init(_ question: DuplicateQuestion, book: ReviewItem?, seen: Detection?) {
        self.init(id: "q\(question.id)", kind: .duplicateQuestion, book: book, seen: seen ?? book?.detection)
        title = title ?? question.title
        if book == nil { author = Self.line(question.authors) }
        duplicates = [PossibleDuplicate(question)]
    }

    init(_ row: FailedRow) {
        self.init(id: "r\(row.id)", kind: .failedRow)
        title = row.content.isEmpty ? nil : row.content
        problem = "\(row.name), line \(row.line): \(row.reason)"
    }

    private init(id: String, kind: InboxKind, book: ReviewItem?, seen: Detection?) {
        // Items without a book do not change.
        self.init(id: id, kind: kind, etag: RevisionTag.of(book?.revision ?? 1))
        workId = book.map { "\($0.work)" }
        entryId = book.map { "\($0.id)" }
        title = book?.title
        author = book.flatMap { Self.line($0.authors) }
        isbn = book?.isbn?.isbn13
        confidence = book?.confidence ?? seen?.confidence
        tier = book?.tier
        resolvedTitle = seen?.resolvedTitle
        resolvedAuthor = seen?.resolvedAuthor
        boundingBox = seen?.boundingBox
        quad = seen?.quad?.inFourDigits
        photoId = seen.map { "\($0.photo)" }
        cropUrl = seen.flatMap { PictureURL.crop($0) }
        text = seen?.text ?? []
        matches = book?.alternatives ?? []
    }

    private static func line(_ authors: [String]) -> String? {
        authors.isEmpty ? nil : authors.joined(separator: ", ")
    }

    /// Adds what lists of the library show of the copy.
    mutating func add(_ entry: LibraryBook) {
        (reviewStatus, coverUrl, shelf) = (entry.reviewStatus, entry.coverUrl, entry.shelf)
        callNumber = entry.callNumber
    }
}

extension PossibleDuplicate {
    package init(_ question: DuplicateQuestion) {
        self.init(
            id: "\(question.id)", kind: question.kind, detectionId: question.detection.map { "\($0)" },
            entryId: question.entry.map { "\($0)" }, title: question.title, authors: question.authors,
            existing: Existing(
                workId: "\(question.existing)", title: question.existingTitle, authors: question.existingAuthors,
                entryIds: question.copies.map { "\($0)" }))
    }
}

extension PossibleDuplicate.Existing {
    /// Adds the pictures of a copy, which are shown beside the book.
    mutating func show(_ copy: LibraryBook) {
        (coverUrl, cropUrl) = (copy.coverUrl, copy.cropUrl)
    }
}
