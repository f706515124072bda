import ShelfScannerCore
import ShelflistClientTesting
import TestSupport
import Testing

@MainActor @Suite(.endsHangs)
struct QuestionTests {
    private let server = ScriptedServer()

    private func question(_ kind: InboxKind) -> ReviewQueueItem {
        let existing = PossibleDuplicate.Existing(workId: "1", title: "Emma", authors: [], entryIds: ["c1"])
        let duplicate = PossibleDuplicate(id: "d1", kind: .similar, title: "Emma.", authors: [], existing: existing)
        var item = ReviewQueueItem(id: "q1", kind: kind, duplicates: kind == .duplicateQuestion ? [duplicate] : [])
        (item.entryId, item.shelf, item.problem) = ("c1", ShelfReference(id: "s1", name: "Hall"), "It has no title.")
        return item
    }

    @Test("A question says what it is about, and a book to confirm has no answers")
    func details() {
        #expect(question(.duplicateQuestion).details == ["In the library: Emma"])
        #expect(question(.missing).details == ["The latest photo of Hall does not show it."])
        #expect(question(.failedRow).details == ["It has no title."])
        #expect(question(.detection).details.isEmpty && question(.detection).answers.isEmpty)
    }

    @Test(
        "The answers of a question are sent to the server",
        arguments: [
            (.duplicateQuestion, ["Same book", "Second copy", "Other book"], "POST /api/v1/duplicates/decide"),
            (.missing, ["It is there", "Missing"], "POST /api/v1/shelves/s1/found"),
            (.failedRow, ["Dismiss"], "POST /api/v1/review/dismiss"),
        ] as [(InboxKind, [String], String)])
    func answers(kind: InboxKind, names: [String], request: String) async throws {
        let item = question(kind)
        try server.answer("GET /api/v1/review", with: Page(items: [item], nextCursor: nil, total: 1))
        try server.answer("GET /api/v1/review/counts", with: ReviewQueueCounts())
        try server.answer(request, with: ActionOutcome(changed: 1, undoToken: nil))
        let review = ReviewQueueModel(client: server.client(clock: HeldClock()))
        await review.load()
        #expect(item.answers.map(\.id) == names)
        let answer = try #require(item.answers.first)
        await answer.give(to: item, of: review)
        #expect(server.requests.last == request && review.error == nil && review.sections.isEmpty)
    }
}
