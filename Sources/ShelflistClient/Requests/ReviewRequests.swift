public import Bibliography
public import ShelflistAPI

/// Requests about the review queue.
///
/// Each decision returns an `undoToken` for `ShelflistClient.undo`.
///
/// ```swift
/// for try await item in client.review.items(tier: .verify) { try await client.review.verify(item.id) }
/// ```
public struct ReviewRequests: Sendable {
    let connection: ServerConnection

    /// The queue, surest books last.
    ///
    /// - Parameters:
    ///   - tier: nil for all tiers.
    ///   - kind: nil for all that wait.
    ///   - shelf: the identifier of a shelf; nil for all.
    public func items(
        tier: ConfidenceTier? = nil, kind: InboxKind? = nil, shelf: String? = nil
    ) -> Pages<ReviewQueueItem> {
        Pages(
            connection: connection, path: "api/v1/review",
            query: [("tier", tier?.rawValue), ("kind", kind?.rawValue), ("shelf", shelf)])
    }

    /// Returns the number of items by tier and kind, for a badge.
    ///
    /// ```swift
    /// let counts = try await client.review.counts()
    /// show(counts.total, counts[.needsReview], counts.duplicateQuestions)
    /// ```
    public func counts() async throws(ShelflistError) -> ReviewQueueCounts {
        try await connection.value(.init("GET", "api/v1/review/counts"))
    }

    /// Returns one item.
    ///
    /// ```swift
    /// let item = try await client.review.item(id)
    /// show(item.title, item.author, item.confidence)
    /// ```
    public func item(_ id: String) async throws(ShelflistError) -> ReviewQueueItem {
        try await connection.value(.init("GET", path(id)))
    }

    /// Confirms that title and author are right.
    ///
    /// ```swift
    /// try await client.review.verify(item.id, ifMatch: item.etag)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the item's identifier.
    ///   - etag: of the item that was shown; nil to confirm whatever it is now.
    @discardableResult
    public func verify(_ id: String, ifMatch etag: String? = nil) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", path(id) + "/verify").ifMatch(etag))
    }

    /// Confirms several books as one action.
    ///
    /// ```swift
    /// try await client.review.verify(all: selection)
    /// ```
    @discardableResult
    public func verify(all ids: [String]) async throws(ShelflistError) -> ActionOutcome {
        try await post("api/v1/review/verify-all", ["ids": ids])
    }

    /// Confirms all books of a tier, or of all tiers, as one action.
    ///
    /// ```swift
    /// let verified = try await client.review.verifyAll(tier: .ready)
    /// show(verified.changed, verified.undoToken)
    /// ```
    @discardableResult
    public func verifyAll(tier: ConfidenceTier? = nil) async throws(ShelflistError) -> ActionOutcome {
        try await post("api/v1/review/verify-all", tier.map { ["tier": $0.rawValue] } ?? [:])
    }

    /// Keeps an edit of title and author without confirming it; nil clears the edit of a field.
    ///
    /// ```swift
    /// let kept = try await client.review.keep(title: "Emma", author: nil, for: item)
    /// show(kept.resolvedTitle)
    /// ```
    public func keep(
        title: String?, author: String?, for item: ReviewQueueItem
    ) async throws(ShelflistError) -> ReviewQueueItem {
        let edit = ["resolvedTitle": title, "resolvedAuthor": author]
        return try await connection.value(.init("PATCH", path(item.id)).ifMatch(item.etag).json(edit))
    }

    /// Corrects a book, which confirms it.
    ///
    /// ```swift
    /// try await client.review.correct(item, BookCorrection(title: "Emma", authors: ["Jane Austen"]))
    /// ```
    @discardableResult
    public func correct(
        _ item: ReviewQueueItem, _ correction: BookCorrection
    ) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(
            .init("POST", path(item.id) + "/correct").ifMatch(item.etag).json(correction))
    }

    /// Moves the outline of a spine and reads it again.
    ///
    /// ```swift
    /// let moved = try await client.review.move(item, to: UnitQuad(box))
    /// show(moved.title, moved.cropUrl)
    /// ```
    public func move(_ item: ReviewQueueItem, to quad: UnitQuad) async throws(ShelflistError) -> ReviewQueueItem {
        try await connection.value(
            .init("PUT", path(item.id) + "/box").ifMatch(item.etag).json(["quad": quad]))
    }

    /// Returns what matching a book with a record would change.
    ///
    /// ```swift
    /// let preview = try await client.review.previewMatch(item.id, with: record)
    /// for change in preview.changes { show(change.field, change.from, change.to) }
    /// ```
    public func previewMatch(
        _ id: String, with record: SearchRecord
    ) async throws(ShelflistError) -> MatchChanges {
        try await post(path(id) + "/match", MatchRequest(record: record, confirm: false))
    }

    /// Matches a book with a record.
    ///
    /// ```swift
    /// let matched = try await client.review.match(item.id, with: record, ifMatch: preview.etag)
    /// show(matched.undoToken)
    /// ```
    ///
    /// - Parameters:
    ///   - id: the item's identifier.
    ///   - record: the record of the preview.
    ///   - etag: of the preview that was shown.
    @discardableResult
    public func match(
        _ id: String, with record: SearchRecord, ifMatch etag: String
    ) async throws(ShelflistError) -> MatchChanges {
        try await connection.value(
            .init("POST", path(id) + "/match").ifMatch(etag).json(MatchRequest(record: record, confirm: true)))
    }

    /// Marks an item as "Not a book" and removes it.
    ///
    /// ```swift
    /// try await client.review.reject(item.id, ifMatch: item.etag)
    /// ```
    @discardableResult
    public func reject(_ id: String, ifMatch etag: String? = nil) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", path(id) + "/reject").ifMatch(etag))
    }

    /// Marks several items as "Not a book" as one action.
    ///
    /// ```swift
    /// try await client.review.reject(all: selection)
    /// ```
    @discardableResult
    public func reject(all ids: [String]) async throws(ShelflistError) -> ActionOutcome {
        try await post("api/v1/review/reject-all", ["ids": ids])
    }

    /// Answers questions about duplicates as one action.
    ///
    /// ```swift
    /// try await client.review.decide(duplicates: item.duplicates.map(\.id), .addCopy)
    /// ```
    @discardableResult
    public func decide(
        duplicates ids: [String], _ decision: DuplicateDecision
    ) async throws(ShelflistError) -> ActionOutcome {
        try await post("api/v1/duplicates/decide", Decision(ids: ids, decision: decision))
    }

    func post<Answer: Decodable & Sendable>(
        _ path: String, _ body: some Encodable & Sendable
    ) async throws(ShelflistError) -> Answer {
        try await connection.value(.init("POST", path).json(body))
    }

    private func path(_ id: String) -> String { "api/v1/detections/\(ServerConnection.escaped(id))" }
}

private struct MatchRequest: Encodable {
    var record: SearchRecord
    var confirm: Bool
}

private struct Decision: Encodable {
    var ids: [String]
    var decision: DuplicateDecision
}
