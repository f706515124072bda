public import ShelflistAPI

/// Requests about shelves.
public struct ShelfRequests: Sendable {
    let connection: ServerConnection

    /// All shelves by name.
    public var all: Pages<LibraryShelf> { Pages(connection: connection, path: "api/v1/shelves") }

    /// Returns the shelf with a name, which is created if there is none.
    public func named(_ name: String) async throws(ShelflistError) -> LibraryShelf {
        try await connection.value(.init("POST", "api/v1/shelves").json(["name": name]))
    }

    /// Renames a shelf.
    ///
    /// - Throws: `ShelflistError` of the category `conflict` if it was changed since it was loaded.
    public func rename(_ shelf: LibraryShelf, to name: String) async throws(ShelflistError) -> LibraryShelf {
        try await connection.value(
            .init("PATCH", path(shelf.id)).ifMatch(shelf.etag).json(["name": name]))
    }

    /// Removes a shelf; its books stay in the library.
    @discardableResult
    public func remove(_ id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("DELETE", path(id)))
    }

    /// Returns the shelf as its photos show it: boards with spines.
    public func view(_ id: String) async throws(ShelflistError) -> LibraryShelfView {
        try await connection.value(.init("GET", path(id) + "/spines"))
    }

    /// Compares a scan of the shelf with its books.
    ///
    /// - Parameters:
    ///   - id: the shelf's identifier.
    ///   - scan: the job's identifier.
    public func inventory(_ id: String, scan: String) async throws(ShelflistError) -> ShelfInventory {
        try await connection.value(.init("POST", path(id) + "/inventory").json(["jobId": scan]))
    }

    /// Marks books that no photo shows as found on the shelf.
    @discardableResult
    public func markFound(_ books: [String], on id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", path(id) + "/found").json(["ids": books]))
    }

    private func path(_ id: String) -> String { "api/v1/shelves/\(ServerConnection.escaped(id))" }
}
