public import ShelflistAPI

extension ReviewRequests {
    /// The open questions about duplicates, oldest first; `decide` answers them.
    ///
    /// ```swift
    /// for try await question in client.review.duplicates { show(question.title, question.existing.title) }
    /// ```
    public var duplicates: Pages<PossibleDuplicate> { Pages(connection: connection, path: "api/v1/duplicates") }

    /// The books that were changed without a decision of a person, latest change first.
    ///
    /// ```swift
    /// for try await change in client.review.automaticChanges { show(change.before, change.after) }
    /// ```
    public var automaticChanges: Pages<AutomaticEdit> {
        Pages(connection: connection, path: "api/v1/review/automatic")
    }

    /// Undoes the automatic changes of a book.
    ///
    /// ```swift
    /// try await client.review.undo(automatic: change.id)
    /// ```
    @discardableResult
    public func undo(automatic change: String) async throws(ShelflistError) -> ActionOutcome {
        let path = "api/v1/review/automatic/\(ServerConnection.escaped(change))/undo"
        return try await connection.value(.init("POST", path))
    }

    /// Removes failed rows of lists from the queue.
    ///
    /// ```swift
    /// let dismissed = try await client.review.dismiss(rows.map(\.id))
    /// show(dismissed.undoToken)
    /// ```
    @discardableResult
    public func dismiss(_ ids: [String]) async throws(ShelflistError) -> ActionOutcome {
        try await post("api/v1/review/dismiss", ["ids": ids])
    }

    /// Returns how often the reader was right.
    ///
    /// ```swift
    /// let stats = try await client.review.stats()
    /// show("\(stats.correct) of \(stats.reviewed)")
    /// ```
    public func stats() async throws(ShelflistError) -> ReviewStats {
        try await connection.value(.init("GET", "api/v1/stats/review"))
    }

    /// Stores a report on a spine that was read wrongly, or rightly, on the server.
    ///
    /// ```swift
    /// var report = SpineReport(correct: false, problem: .wrongTitle)
    /// report.detectionId = item.id
    /// try await client.review.report(report)
    /// ```
    public func report(_ report: SpineReport) async throws(ShelflistError) {
        try await connection.send(.init("POST", "api/v1/feedback").json(report))
    }
}
