import Bibliography
import Fixtures
import Foundation
import Lookup
import ShelflistAPI
import TestSupport
import Testing

@Suite("Searching several sources", .endsHangs) struct CombinedSearchTests {
    private static let record = BookRecord(
        id: "OL1M", title: "Emma", authors: ["Austen, Jane, 1775-1817"], isbn: "9780141439587", publisher: "Penguin",
        year: 2003, pages: 512, language: "eng", source: "openlibrary")

    private struct List: RecordSource {
        var name: String
        /// Nil for an unavailable source.
        var records: [BookRecord]?
        var title: String { name }

        func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [BookRecord] {
            guard let records else { throw UnavailableSource(source: name, message: "The provider is down.") }
            return records.map { record in
                var record = record
                record.coverURL = URL(string: "https://\(name).example/\(record.id)")
                return record
            }
        }

        func lookUp(_ isbn: ISBN) async throws -> [BookRecord] { [] }
    }

    /// Never answers.
    private struct Silent: RecordSource {
        let name = "silent"
        let title = "Silent Books"

        func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [BookRecord] {
            try await untilCancelled()
            return []
        }

        func lookUp(_ isbn: ISBN) async throws -> [BookRecord] { [] }
    }

    @Test("Records of one edition are merged, and the source that failed is named")
    func merges() async throws {
        var other = Self.record
        other.id = "g1"
        other.source = "google"
        other.subtitle = "A Novel"
        let results = await CombinedSearch(
            [
                List(name: "local", records: [BookRecord(id: "1", title: "Emma Brown")]),
                List(name: "openlibrary", records: [Self.record]), List(name: "google", records: [other]),
                List(name: "isbndb", records: nil),
            ], clock: ManualClock()
        ).results(for: "Emma")
        #expect(results.items.map(\.record.title) == ["Emma Brown", "Emma"])
        #expect(results.items.last?.sources == ["openlibrary", "google"])
        #expect(results.items.last?.record.subtitle == "A Novel")
        #expect(results.items.last?.record.coverURL?.host() == "openlibrary.example")
        #expect(results.sources.map(\.count) == [1, 1, 1, 0])
        #expect(
            results.sources.filter { $0.state != "ok" }
                == [.init(source: "isbndb", state: "degraded", message: "The provider is down.", count: 0)])
    }

    @Test("A source that never answers is named")
    func silence() async throws {
        let clock = ManualClock()
        async let answer = CombinedSearch([Silent()], clock: clock).results(for: "Emma")
        await clock.waitForSleepers(1)
        clock.advance(by: 6)
        let results = await answer
        #expect(results.items.isEmpty)
        #expect(results.sources.map(\.source) == ["silent"])
        #expect(results.sources.first?.message == "Silent Books did not answer within 6 s. Search again.")
    }

    @Test("A source that never answers does not hold up the others")
    func others() async throws {
        let clock = ManualClock()
        let sources: [any RecordSource] = [Silent(), List(name: "local", records: [Self.record])]
        async let waiting = sources.answers(within: 60, clock: clock) { source in
            try await source.search("Emma", scope: .all, limit: 1)
        } timeLeft: { _ in
            1
        }
        // The second sleep starts after the other source's answer.
        await clock.waitForSleepers(2)
        clock.advance(by: 1)
        let answers = await waiting
        #expect(answers[0] == nil)
        #expect(try answers[1]?.get().map(\.title) == ["Emma"])
    }
}
