public import ShelflistAPI

extension LibraryRequests {
    /// The series that books of the library are in, in the order of names.
    ///
    /// ```swift
    /// for try await series in client.library.series(withGaps: true) { show(series.name, series.missing) }
    /// ```
    ///
    /// - Parameter withGaps: limits the list to series of which volumes are missing.
    public func series(withGaps: Bool = false) -> Pages<BookSeries> {
        Pages(connection: connection, path: "api/v1/series", query: [("gaps", withGaps ? "true" : nil)])
    }

    /// Returns a series with its copies.
    ///
    /// ```swift
    /// let series = try await client.library.series(id)
    /// show(series.books?.map(\.title))
    /// ```
    public func series(_ id: String) async throws(ShelflistError) -> BookSeries {
        try await connection.value(.init("GET", seriesPath(id)))
    }

    /// Changes a series, and with its name the books that are in it.
    ///
    /// ```swift
    /// var change = SeriesChange()
    /// change.complete = true
    /// let changed = try await client.library.change(series: id, change)
    /// show(changed.undoToken)
    /// ```
    ///
    /// - Returns: the series that the books are in now.
    public func change(series id: String, _ change: SeriesChange) async throws(ShelflistError) -> BookSeries {
        try await connection.value(.init("PATCH", seriesPath(id)).json(change))
    }

    /// Puts volumes of a series on the wish list; those that the library has or wishes for are skipped.
    ///
    /// ```swift
    /// try await client.library.wish(forVolumes: series.missing, ofSeries: series.id)
    /// ```
    @discardableResult
    public func wish(forVolumes numbers: [Int], ofSeries id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", seriesPath(id) + "/wishes").json(WishedVolumes(numbers: numbers)))
    }

    private func seriesPath(_ id: String) -> String { "api/v1/series/\(ServerConnection.escaped(id))" }
}
