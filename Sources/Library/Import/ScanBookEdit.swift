package import ShelflistAPI

/// What the user made of a book of a scan that is not in the library yet.
///
/// It is applied when the book is added.
package struct ScanBookEdit: Codable, Hashable, Sendable {
    package var correction = BookCorrection()
    /// Whether the spine is not a book.
    package var isRejected = false

    package init() {}

    package var isEmpty: Bool { self == ScanBookEdit() }

    /// Returns the user's version of a book; nil where nothing of it was edited.
    func applied(to read: BookDetails) throws -> BookDetails? {
        guard correction != BookCorrection() else { return nil }
        var book = read
        try correction.apply(to: &book)
        return try book.cleaned()
    }
}

extension ScanBookOutcome {
    /// Creates the outcome of a book that was not added.
    package init(edit: ScanBookEdit) {
        self.init(edit.isRejected ? .rejected : .open)
        title = edit.correction.title
        author = edit.correction.authors?.joined(separator: ", ")
        edit.correction.isbn.apply(to: &isbn)
    }
}
