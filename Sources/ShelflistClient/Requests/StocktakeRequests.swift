public import Foundation
public import ShelflistAPI

/// Requests about stocktakes.
///
/// Photos that are added to the library during a stocktake make the copies on them seen.
///
/// ```swift
/// let spring = try await client.stocktakes.start(NewStocktake(name: "Spring", shelves: [shelf.id]))
/// _ = try await client.stocktakes.see(SeenCopies(barcode: "4711"), in: spring.id)
/// ```
public struct StocktakeRequests: Sendable {
    let connection: ServerConnection

    /// All stocktakes, open ones first.
    ///
    /// ```swift
    /// for try await stocktake in client.stocktakes.all { show(stocktake.name, stocktake.closedAt) }
    /// ```
    public var all: Pages<Stocktake> { Pages(connection: connection, path: "api/v1/stocktakes") }

    /// Starts a stocktake; its copies are those of its shelves, tags and list at that time.
    public func start(_ new: NewStocktake) async throws(ShelflistError) -> Stocktake {
        try await connection.value(.init("POST", "api/v1/stocktakes").json(new))
    }

    /// Returns a stocktake with its progress on each shelf.
    ///
    /// ```swift
    /// let stocktake = try await client.stocktakes.stocktake(id)
    /// show("\(stocktake.counts.seen) of \(stocktake.counts.expected)")
    /// ```
    public func stocktake(_ id: String) async throws(ShelflistError) -> Stocktake {
        try await connection.value(.init("GET", path(id)))
    }

    /// The copies of a stocktake, by shelf.
    ///
    /// ```swift
    /// for try await copy in client.stocktakes.copies(of: id, state: .unseen) { show(copy.title) }
    /// ```
    ///
    /// - Parameters:
    ///   - id: of the stocktake.
    ///   - state: nil for all.
    ///   - shelf: the identifier of a shelf; nil for all.
    public func copies(
        of id: String, state: StocktakeCopy.State? = nil, shelf: String? = nil
    ) -> Pages<StocktakeCopy> {
        Pages(
            connection: connection, path: path(id) + "/copies", query: [("state", state?.rawValue), ("shelf", shelf)])
    }

    /// Records that copies were seen, or takes it back.
    @discardableResult
    public func see(_ seen: SeenCopies, in id: String) async throws(ShelflistError) -> SeenOutcome {
        try await connection.value(.init("POST", path(id) + "/seen").json(seen))
    }

    /// Closes a stocktake: copies that were not seen and are not lent are missing from now on.
    ///
    /// ```swift
    /// let closed = try await client.stocktakes.close(id)
    /// show(closed.undoToken)
    /// ```
    @discardableResult
    public func close(_ id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", path(id) + "/close"))
    }

    /// Returns the report as CSV.
    ///
    /// ```swift
    /// try await client.stocktakes.report(id).write(to: file)
    /// ```
    public func report(_ id: String) async throws(ShelflistError) -> Data {
        try await connection.data(.init("GET", path(id) + "/report.csv"))
    }

    /// Removes a stocktake.
    @discardableResult
    package func remove(_ id: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("DELETE", path(id)))
    }

    /// The spines that are not recognised for sure, with the unseen copies that each may be.
    package func spines(of id: String) -> Pages<UnsureSpine> {
        Pages(connection: connection, path: path(id) + "/spines")
    }

    private func path(_ id: String) -> String { "api/v1/stocktakes/\(ServerConnection.escaped(id))" }
}
