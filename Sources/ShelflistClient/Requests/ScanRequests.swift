public import ShelflistAPI

/// Requests about scans that the server has; `ShelflistClient.scan` starts one.
///
/// ```swift
/// for try await scan in client.scans.all(active: true) { show(scan.message, scan.progress) }
/// ```
public struct ScanRequests: Sendable {
    let connection: ServerConnection

    /// The member's scans, latest first.
    ///
    /// - Parameter active: whether to list only those that are not finished.
    public func all(active: Bool = false) -> Pages<ScanStatus> {
        Pages(connection: connection, path: "api/v1/scans", query: [("active", active ? "true" : nil)])
    }

    /// Returns the state of a scan.
    ///
    /// ```swift
    /// let scan = try await client.scans.status(jobID)
    /// show(scan.status, scan.progress, scan.books)
    /// ```
    public func status(_ id: String) async throws(ShelflistError) -> ScanStatus {
        try await connection.value(.init("GET", path(id)))
    }

    /// Returns what was found so far, with what became of each book.
    ///
    /// ```swift
    /// for book in try await client.scans.results(jobID).books { show(book.title, book.library.state) }
    /// ```
    public func results(_ id: String) async throws(ShelflistError) -> ScanResults {
        try await connection.value(.init("GET", path(id) + "/results"))
    }

    /// Returns what was found so far, in a type of the caller's with more or fewer of the fields.
    package func results<Document: Decodable & Sendable>(
        _ id: String, as type: Document.Type
    ) async throws(ShelflistError) -> Document {
        try await connection.value(.init("GET", path(id) + "/results"))
    }

    /// Adds books of a scan to the library that was not asked to add them itself.
    ///
    /// ```swift
    /// let added = try await client.scans.add(ScanImportRequest(minConfidence: 0.8), from: jobID)
    /// show(added.imported.count, added.undoToken)
    /// ```
    public func add(
        _ request: ScanImportRequest = ScanImportRequest(), from id: String
    ) async throws(ShelflistError) -> ScanImportOutcome {
        try await connection.value(.init("POST", path(id) + "/import").json(request))
    }

    /// Saves an edit, a match or "Not a book", in the library if the book was added.
    ///
    /// ```swift
    /// let changed = try await client.scans.change(book.id, of: jobID, ScanBookChange(title: "Emma"))
    /// show(changed.undoToken)
    /// ```
    public func change(
        _ book: String, of id: String, _ change: ScanBookChange
    ) async throws(ShelflistError) -> ChangedScanBook {
        let path = path(id) + "/books/\(ServerConnection.escaped(book))"
        return try await connection.value(.init("PATCH", path).json(change))
    }

    /// Reads a photo again that failed.
    ///
    /// ```swift
    /// try await client.scans.retry(photo: 2, of: jobID)
    /// ```
    public func retry(photo number: Int, of id: String) async throws(ShelflistError) {
        try await connection.send(.init("POST", path(id) + "/photos/\(number)/retry"))
    }

    private func path(_ id: String) -> String { "api/v1/scans/\(ServerConnection.escaped(id))" }
}
