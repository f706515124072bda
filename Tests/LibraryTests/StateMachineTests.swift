import Bibliography
import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing

/// Random sequences of actions by users and scans; the library must be consistent after each step.
@Suite struct StateMachine {
    @Test(
        "Random actions lose no book and leave none both reviewed and queued", arguments: 0..<(testsThoroughly ? 12 : 4)
    )
    func invariants(seed: Int) async throws {
        let library = try TestLibrary()
        let walk = RandomWalk(library.store, seed: UInt64(seed))
        for step in 0..<60 {
            let action = try await walk.step()
            let problems = try await library.store.problems()
            try #require(problems == [], "seed \(seed), step \(step): \(action)")
            let wrong = try await walk.contradictions()
            try #require(wrong == [], "seed \(seed), step \(step): \(action)")
        }
    }

    @Test(
        "Random additions and edits of open books keep every decision of a person",
        arguments: 0..<(testsThoroughly ? 12 : 4))
    func openBooks(seed: Int) async throws {
        let library = try TestLibrary()
        let walk = RandomWalk(library.store, seed: UInt64(2000 + seed))
        for step in 0..<60 {
            let before = try await walk.userEdited()
            let (action, reviews) = try await walk.openStep()
            let problems = try await library.store.problems()
            try #require(problems == [], "seed \(seed), step \(step): \(action)")
            var wrong = try await walk.contradictions() + walk.openContradictions()
            if !reviews, try await !before.isSubset(of: walk.userEdited()) { wrong.append("an edit was changed") }
            try #require(wrong == [], "seed \(seed), step \(step): \(action)")
        }
    }

    @Test("Undoing everything restores the first state", arguments: 0..<(testsThoroughly ? 8 : 3))
    func undoAll(seed: Int) async throws {
        let library = try TestLibrary()
        let walk = RandomWalk(library.store, seed: UInt64(1000 + seed))
        for _ in 0..<3 { try await walk.scan() }
        let before = try await Portrait(library.store)
        for _ in 0..<15 { try await walk.review() }
        while try await library.store.undo() != nil {}
        let after = try await Portrait(library.store)
        #expect(after == before, "seed \(seed)")
        let problems = try await library.store.problems()
        #expect(problems == [])
    }
}

/// The state that a user sees, without revisions.
private struct Portrait: Equatable {
    var entries: [String]
    var queue: [String]
    var questions: [String]

    init(_ store: LibraryStore) async throws {
        entries = try await store.entries(EntryQuery(sort: .added)).entries.map {
            "\($0.id) \($0.workId) \($0.title) \($0.authors) \($0.reviewStatus)"
        }
        queue = try await store.booksInReview(limit: 1000).map { "\($0.id) \($0.detection?.resolvedTitle ?? "")" }
        questions = try await store.duplicateQuestions().map {
            "\($0.id) \($0.detection?.rawValue ?? 0) \($0.entry?.rawValue ?? 0) \($0.existing)"
        }.sorted()
    }
}
