public import ShelflistAPI

/// Requests about shelves.
///
/// ```swift
/// let hall = try await client.shelves.named("Hall")
/// show(try await client.shelves.view(hall.id).boards.count)
/// ```
public struct ShelfRequests: Sendable {
    let connection: ServerConnection

    /// All shelves, each before those inside it.
    ///
    /// ```swift
    /// for try await shelf in client.shelves.all { show(shelf.path, shelf.entriesInside) }
    /// ```
    public var all: Pages<LibraryShelf> { Pages(connection: connection, path: "api/v1/shelves") }

    /// Returns the shelf with a name or path, which is created if there is none.
    public func named(_ name: String) async throws(ShelflistError) -> LibraryShelf {
        try await connection.value(.init("POST", "api/v1/shelves").json(["name": name]))
    }

    /// Returns the shelf with the code of a label; nil if there is none.
    ///
    /// ```swift
    /// if let shelf = try await client.shelves.labelled(code) { show(shelf.path) }
    /// ```
    public func labelled(_ code: String) async throws(ShelflistError) -> LibraryShelf? {
        let page: Page<LibraryShelf> = try await connection.value(.init("GET", "api/v1/shelves", [("code", code)]))
        return page.items.first
    }

    /// Changes the name, the place, the code or the note of a shelf.
    ///
    /// ```swift
    /// let renamed = try await client.shelves.change(shelf, ShelfChange(name: "Hall"))
    /// show(renamed.undoToken)
    /// ```
    ///
    /// - Throws: `ShelflistError` of the category `conflict` if it was changed since it was loaded.
    public func change(_ shelf: LibraryShelf, _ change: ShelfChange) async throws(ShelflistError) -> LibraryShelf {
        try await connection.value(.init("PATCH", path(shelf.id)).ifMatch(shelf.etag).json(change))
    }

    /// Removes a shelf that no other is in; its books stay in the library.
    ///
    /// ```swift
    /// try await client.shelves.remove(shelf.id)
    /// ```
    @discardableResult
    public func remove(_ id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("DELETE", path(id)))
    }

    /// The stored photos of a shelf with the outlines of their spines, latest first.
    ///
    /// ```swift
    /// let photo = try await client.shelves.photos(of: shelf.id).page(limit: 1).items.first
    /// show(photo?.detections.map(\.outline))
    /// ```
    public func photos(of id: String) -> Pages<ShelfPhoto> {
        Pages(connection: connection, path: "api/v1/shelves/\(ServerConnection.escaped(id))/photos")
    }

    /// Returns the shelf as its photos show it: boards with spines.
    public func view(_ id: String) async throws(ShelflistError) -> LibraryShelfView {
        try await connection.value(.init("GET", path(id) + "/spines"))
    }

    /// Returns the copies of the shelf by what is to do about them: missing, misplaced, out of order.
    ///
    /// ```swift
    /// let audit = try await client.shelves.audit(shelf.id)
    /// let missing = audit.copies.filter { $0.state == .missing }
    /// ```
    public func audit(_ id: String) async throws(ShelflistError) -> ShelfAudit {
        try await connection.value(.init("GET", path(id) + "/audit"))
    }

    /// Carries out decisions on copies of an audit, by their identifiers, as one action.
    ///
    /// ```swift
    /// let decisions = missing.map { ($0.entry.id, AuditAction.gone) }
    /// try await client.shelves.decide(Dictionary(uniqueKeysWithValues: decisions), on: shelf.id)
    /// ```
    @discardableResult
    public func decide(_ decisions: [String: AuditAction], on id: String) async throws(ShelflistError) -> ActionOutcome
    {
        let list = decisions.sorted { $0.key < $1.key }.map { AuditDecision(entry: $0.key, action: $0.value) }
        return try await connection.value(.init("POST", path(id) + "/audit").json(["decisions": list]))
    }

    /// Compares a scan of the shelf, or of a part of it, with its books.
    ///
    /// ```swift
    /// let inventory = try await client.shelves.inventory(shelf.id, scan: jobID)
    /// show(inventory.missing.map(\.title), inventory.new.count)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the shelf's identifier.
    ///   - scan: the job's identifier.
    public func inventory(_ id: String, scan: String) async throws(ShelflistError) -> ShelfInventory {
        try await connection.value(.init("POST", path(id) + "/inventory").json(["jobId": scan]))
    }

    /// Marks books that no photo shows as found on the shelf.
    ///
    /// ```swift
    /// try await client.shelves.markFound(inventory.missing.map(\.id), on: shelf.id)
    /// ```
    @discardableResult
    public func markFound(_ books: [String], on id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", path(id) + "/found").json(["ids": books]))
    }

    /// The questions about labels of shelves in photos, oldest first.
    ///
    /// ```swift
    /// for try await question in client.shelves.questions { show(question.text, question.shelf?.path) }
    /// ```
    public var questions: Pages<LabelQuestion> { Pages(connection: connection, path: "api/v1/label-questions") }

    /// Answers a question about a label.
    ///
    /// ```swift
    /// try await client.shelves.answer(question.id, with: LabelAnswer(accept: true))
    /// ```
    ///
    /// - Parameters:
    ///   - question: its identifier.
    ///   - answer: whether the books are on the shelf that it names.
    @discardableResult
    public func answer(
        _ question: String, with answer: LabelAnswer
    ) async throws(ShelflistError) -> ActionOutcome {
        let path = "api/v1/label-questions/\(ServerConnection.escaped(question))"
        return try await connection.value(.init("POST", path).json(answer))
    }

    private func path(_ id: String) -> String { "api/v1/shelves/\(ServerConnection.escaped(id))" }
}
