import Library
import Lookup
import Server
import ShelflistAPI
import ShelflistClient

extension LocalLibrary {
    func reviewQueue(_ kind: InboxKind?, tier: ConfidenceTier?, limit: Int) async throws -> ReviewList {
        let filter = InboxFilter(kinds: [kind ?? .detection], tier: tier)
        let items = try await store.inbox(filter, limit: limit).items
        return ReviewList(
            counts: try await store.reviewCounts(), items: items.map { ReviewQueueItem($0) })
    }

    func recordView(of counts: ReviewQueueCounts) async throws {
        try await store.record(.reviewQueueViewed(queueCount: counts.books))
    }

    func reviewStats() async throws -> ReviewStats { try await store.reviewStats() }

    func automaticChanges(limit: Int) async throws -> [AutomaticEdit] {
        try await store.automaticChanges(limit: limit).changes.map(AutomaticEdit.init)
    }

    func undo(automatic change: RowID<ReviewAction>) async throws { _ = try await store.undo(automatic: change) }

    func duplicates() async throws -> [PossibleDuplicate] {
        try await store.duplicateQuestions().map { PossibleDuplicate($0) }
    }

    func decide(_ questions: [PossibleDuplicate], _ decision: DuplicateDecision) async throws -> Int {
        let count = try await store.decide(questions.compactMap { RowID($0.id) }, decision)
        // Books that waited for this decision are looked up now, like the rest of their scan.
        let new = try await store.incompleteBooks(
            shownBy: questions.compactMap { $0.detectionId.flatMap { RowID($0) } })
        guard !new.isEmpty else { return count }
        try await withCatalogs(store.folder) { catalogs in
            if !catalogs.lookup.sources.isEmpty { _ = try await catalogs.enrich(new, in: store) }
        }
        return count
    }
}

extension ServerLibrary {
    func reviewQueue(_ kind: InboxKind?, tier: ConfidenceTier?, limit: Int) async throws -> ReviewList {
        var items: [ReviewQueueItem] = []
        for try await item in client.review.items(tier: tier, kind: (kind ?? .detection).rawValue) {
            items.append(item)
            if items.count == limit { break }
        }
        return ReviewList(counts: try await client.review.counts(), items: items)
    }

    /// Nothing: the server records the views of browsers.
    func recordView(of counts: ReviewQueueCounts) async throws {}

    func reviewStats() async throws -> ReviewStats { try await client.review.stats() }

    func automaticChanges(limit: Int) async throws -> [AutomaticEdit] {
        var changes: [AutomaticEdit] = []
        for try await change in client.review.automaticChanges {
            changes.append(change)
            if changes.count == limit { break }
        }
        return changes
    }

    func undo(automatic change: RowID<ReviewAction>) async throws {
        try await client.review.undo(automatic: "\(change)")
    }

    func duplicates() async throws -> [PossibleDuplicate] {
        var questions: [PossibleDuplicate] = []
        for try await question in client.review.duplicates { questions.append(question) }
        return questions
    }

    func decide(_ questions: [PossibleDuplicate], _ decision: DuplicateDecision) async throws -> Int {
        guard !questions.isEmpty else { return 0 }
        return try await client.review.decide(duplicates: questions.map(\.id), decision).changed
    }
}
