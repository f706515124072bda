public import ShelflistModels

/// An answer to a question of the review queue.
public struct QuestionAnswer: Identifiable, Sendable {
    /// The text of its button.
    public let id: String
    private let request: @MainActor @Sendable (ReviewQueueModel, ReviewQueueItem) async -> Void

    fileprivate init(
        _ text: String, _ request: @escaping @MainActor @Sendable (ReviewQueueModel, ReviewQueueItem) async -> Void
    ) { (id, self.request) = (text, request) }

    /// Answers the question.
    @MainActor public func give(to item: ReviewQueueItem, of review: ReviewQueueModel) async {
        await request(review, item)
    }
}

extension ReviewQueueItem {
    /// What a question says below the title.
    public var details: [String] {
        switch kind {
        case .duplicateQuestion: duplicates.map { "In the library: \($0.existing.title)" }
        case .missing: ["The latest photo of \(shelf?.name ?? "its shelf") does not show it."]
        case .failedRow: problem.map { [$0] } ?? []
        case .detection, .incomplete, nil: []
        }
    }

    /// The answers to a question; none for a book to confirm or correct.
    public var answers: [QuestionAnswer] {
        switch kind {
        case .duplicateQuestion:
            [
                QuestionAnswer("Same book") { await $0.decide($1, .existing) },
                QuestionAnswer("Second copy") { await $0.decide($1, .addCopy) },
                QuestionAnswer("Other book") { await $0.decide($1, .different) },
            ]
        case .missing:
            [
                QuestionAnswer("It is there") { await $0.markFound($1) },
                QuestionAnswer("Missing") { await $0.markMissing($1) },
            ]
        case .failedRow: [QuestionAnswer("Dismiss") { await $0.dismiss($1) }]
        case .detection, .incomplete, nil: []
        }
    }
}
