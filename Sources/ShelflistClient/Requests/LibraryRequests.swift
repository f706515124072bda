public import ShelflistAPI

/// Requests about the books of the library.
///
/// Each change returns an `undoToken` for `ShelflistClient.undo`.
///
/// ```swift
/// for try await book in client.library.books() { show(book.title, book.shelf?.path) }
/// ```
public struct LibraryRequests: Sendable {
    let connection: ServerConnection

    /// The books that a query selects.
    public func books(_ query: LibraryQuery = LibraryQuery()) -> Pages<LibraryBook> {
        Pages(connection: connection, path: "api/v1/library", query: query.items)
    }

    /// Returns one book with all details.
    ///
    /// ```swift
    /// let book = try await client.library.book(loaded.id)
    /// show(book.notes, book.tags, book.loan?.due)
    /// ```
    public func book(_ id: String) async throws(ShelflistError) -> LibraryBook {
        try await connection.value(.init("GET", path(id)))
    }

    /// Returns whether the library has a book, and its copies.
    ///
    /// ```swift
    /// let answer = try await client.library.own(title: "Emma", author: "Jane Austen")
    /// show(answer.verdict, answer.copies.map { $0.shelf?.path })
    /// ```
    ///
    /// - Parameters:
    ///   - title: of the book.
    ///   - author: of several books with the title, the one by this author.
    public func own(title: String, author: String? = nil) async throws(ShelflistError) -> OwnAnswer {
        try await connection.value(.init("GET", "api/v1/own", [("title", title), ("author", author)]))
    }

    /// Returns whether the library has the edition with an ISBN, or another edition of the book.
    ///
    /// ```swift
    /// show(try await client.library.own(isbn: "978-0-14-143958-7").verdict)
    /// ```
    public func own(isbn: String) async throws(ShelflistError) -> OwnAnswer {
        try await connection.value(.init("GET", "api/v1/own", [("isbn", isbn)]))
    }

    /// Adds a book.
    ///
    /// ```swift
    /// switch try await client.library.add(NewBook(title: "Emma", authors: ["Jane Austen"])) {
    /// case .added(let book): show(book.undoToken)
    /// case .exists(let books): show(books.existing.map(\.title))
    /// }
    /// ```
    ///
    /// - Returns: the books that the library has already, in which case nothing was added; see `NewBook.duplicates`.
    public func add(_ book: NewBook) async throws(ShelflistError) -> AddedBook {
        try await connection.typed {
            let answer = try await connection.answer(.init("POST", "api/v1/library").json(book))
            return answer.status == 201
                ? .added(try WireJSON.decode(from: answer.body)) : .exists(try WireJSON.decode(from: answer.body))
        }
    }

    /// Changes shelf, rating, notes and other details of a copy.
    ///
    /// ```swift
    /// var change = BookChange()
    /// change.rating = .set(4.5)
    /// let changed = try await client.library.change(book, change)
    /// show(changed.undoToken)
    /// ```
    ///
    /// - Throws: `ShelflistError` of the category `conflict` if the book was changed since it was loaded.
    public func change(_ book: LibraryBook, _ change: BookChange) async throws(ShelflistError) -> LibraryBook {
        try await connection.value(.init("PATCH", path(book.id)).ifMatch(book.etag).json(change))
    }

    /// Removes a copy.
    ///
    /// ```swift
    /// let removed = try await client.library.remove(book.id)
    /// show(removed.undoToken)
    /// ```
    @discardableResult
    public func remove(_ id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("DELETE", path(id)))
    }

    /// Lends a copy from today, or with nil marks it as returned.
    ///
    /// ```swift
    /// try await client.library.lend(book.id, to: "Ben", due: "2026-12-24")
    /// try await client.library.lend(book.id, to: nil)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the copy's identifier.
    ///   - name: the borrower.
    ///   - due: the day on which it should be back, such as `2026-12-24`.
    @discardableResult
    public func lend(_ id: String, to name: String?, due: String? = nil) async throws(ShelflistError) -> LibraryBook {
        guard let name else { return try await connection.value(.init("DELETE", path(id) + "/loan")) }
        return try await connection.value(.init("PUT", path(id) + "/loan").json(Loan(to: name, due: due)))
    }

    /// Returns a value that differs after every change of a book or shelf, by any client.
    ///
    /// An app that shows the library asks for it every few seconds, and loads the list again when it differs.
    ///
    /// ```swift
    /// if try await client.library.version() != shown { show("The library has changed.") }
    /// ```
    public func version() async throws(ShelflistError) -> String {
        let answer: LibraryVersion = try await connection.value(.init("GET", "api/v1/changes"))
        return answer.version
    }

    func path(_ id: String) -> String { "api/v1/library/\(ServerConnection.escaped(id))" }
}

extension LibraryQuery {
    var items: [(name: String, value: String?)] {
        [
            ("q", text), ("shelf", shelf), ("tag", tag), ("series", series),
            ("ownership", ownership?.rawValue), ("readingStatus", readingStatus?.rawValue),
            ("needsReview", needsReview ? "true" : nil), ("overdue", overdue ? "true" : nil), ("sort", sort.rawValue),
            ("missing", missing ? "true" : nil), ("barcode", barcode), ("condition", condition?.rawValue),
            ("descending", descending ? "true" : nil),
        ]
    }
}
