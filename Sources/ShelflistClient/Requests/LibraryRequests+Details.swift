public import ShelflistAPI

extension LibraryRequests {
    /// Returns at most ten books whose title, author or ISBN match the text, also approximately, with their places.
    ///
    /// ```swift
    /// for found in try await client.library.find("hobit").books {
    ///     show(found.book.title, found.book.shelf?.path, found.place?.row, found.place?.place)
    /// }
    /// ```
    public func find(_ text: String) async throws(ShelflistError) -> LocatedBooks {
        try await connection.value(.init("GET", "api/v1/find", [("q", text)]))
    }

    /// The decisions about a work and its automatic changes, latest first.
    ///
    /// ```swift
    /// for try await event in client.library.history(ofWork: book.workId) { show(event.time, event.action) }
    /// ```
    public func history(ofWork id: String) -> Pages<WorkEvent> {
        Pages(connection: connection, path: "api/v1/works/\(ServerConnection.escaped(id))/history")
    }

    /// Records that copies are on a shelf, as one action.
    ///
    /// ```swift
    /// let moved = try await client.library.move(selection, toShelf: shelf.id)
    /// show(moved.changed, moved.undoToken)
    /// ```
    @discardableResult
    public func move(_ ids: [String], toShelf shelf: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(
            .init("POST", "api/v1/library/bulk").json(CopiesOnShelf(ids: ids, shelf: shelf)))
    }

    /// The tags in use; `BookChange.tags` sets those of a copy.
    ///
    /// ```swift
    /// for try await tag in client.library.tags { show(tag.key, tag.count) }
    /// ```
    public var tags: Pages<TagCount> { Pages(connection: connection, path: "api/v1/tags") }

    /// Replaces the cover of a book by a picture, or removes it with nil.
    ///
    /// ```swift
    /// let changed = try await client.library.setCover(.file(photo), of: book.id)
    /// show(changed.coverUrl, changed.undoToken)
    /// ```
    ///
    /// - Parameters:
    ///   - picture: JPEG, PNG, WebP or HEIC of at most 10 MB.
    ///   - id: the copy's identifier.
    @discardableResult
    public func setCover(_ picture: PhotoSource?, of id: String) async throws(ShelflistError) -> LibraryBook {
        guard let picture else { return try await connection.value(.init("DELETE", path(id) + "/cover")) }
        return try await connection.value(.init("PUT", path(id) + "/cover").photo(picture))
    }
}

private struct CopiesOnShelf: Encodable {
    var ids: [String]
    var shelf: String
}

extension ServerConnection.Request {
    /// Sends a picture; the server detects its format by its content.
    func photo(_ picture: PhotoSource) -> Self {
        var request = self
        request.headers["Content-Type"] = "image/jpeg"
        request.body = picture.body
        return request
    }
}
