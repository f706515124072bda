public import ShelflistAPI

extension LibraryRequests {
    /// The series that books of the library are in, in the order of names.
    ///
    /// - Parameter withGaps: limits the list to series of which volumes are missing.
    public func series(withGaps: Bool = false) -> Pages<BookSeries> {
        Pages(connection: connection, path: "api/v1/series", query: [("gaps", withGaps ? "true" : nil)])
    }

    /// Returns a series with its copies.
    public func series(_ id: String) async throws(ShelflistError) -> BookSeries {
        try await connection.value(.init("GET", seriesPath(id)))
    }

    /// Changes a series, and with its name the books that are in it.
    ///
    /// - Returns: the series that the books are in now.
    public func change(series id: String, _ change: SeriesChange) async throws(ShelflistError) -> BookSeries {
        try await connection.value(.init("PATCH", seriesPath(id)).json(change))
    }

    /// Puts volumes of a series on the wish list; those that the library has or wishes for are skipped.
    @discardableResult
    public func wish(forVolumes numbers: [Int], ofSeries id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", seriesPath(id) + "/wishes").json(WishedVolumes(numbers: numbers)))
    }

    private func seriesPath(_ id: String) -> String { "api/v1/series/\(ServerConnection.escaped(id))" }
}
