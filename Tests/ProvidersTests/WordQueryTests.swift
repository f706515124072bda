import Bibliography
import Fixtures
import Foundation
import Providers
import ShelflistAPI
import TestSupport
import Testing

@Suite("Searching for words", .endsHangs)
struct WordQueryTests {
    private static let moby = WordQuery(title: ["Moby", "Dick"], author: ["Melville"])
    private static let emma = WordQuery(anywhere: ["emma", "austen"])

    /// An answer with works of these numbers.
    private static func works(_ numbers: Int...) -> StubAnswer {
        let works = numbers.map { #"{"key": "/works/OL\#($0)W", "title": "Work \#($0)"}"# }
        return .json(#"{"numFound": \#(numbers.count), "docs": [\#(works.joined(separator: ", "))]}"#)
    }

    /// The decoded value of a parameter of each request.
    private static func sent(_ name: String, _ server: StubServer) -> [String] {
        server.requests.map { request in
            URLComponents(string: request.target)?.queryItems?.first { $0.name == name }?.value ?? ""
        }
    }

    @Test("Several queries share one request of Open Library, each once, with a limit per query")
    func group() async throws {
        let harness = try Harness { _, _ in Self.works(1, 2) }
        let found = try await harness.run { provider in
            #expect(provider.queriesPerRequest == 8)
            return try await provider.search([Self.moby, Self.emma, Self.moby, WordQuery()], limit: 20)
        }
        #expect(found.map(\.id) == ["OL1W", "OL2W"])
        #expect(
            Self.sent("q", harness.server) == ["(title:(moby dick) AND author:(melville)) OR ((emma austen))"])
        #expect(Self.sent("limit", harness.server) == ["40"])
    }

    @Test("One query is sent without OR, and none without a word")
    func single() async throws {
        let harness = try Harness { _, _ in Self.works(1) }
        try await harness.run { provider in
            let found = try await provider.search([Self.moby], limit: 20)
            #expect(found.count == 1)
            let nothing = try await provider.search([WordQuery(title: ["?!", " "])], limit: 20)
            #expect(nothing.isEmpty)
        }
        #expect(Self.sent("q", harness.server) == ["title:(moby dick) AND author:(melville)"])
    }

    @Test(
        "Words cannot contain operators of the query language",
        arguments: [
            (#"a+b -c && d || e !f (g) {h} [i] ^j "k" ~l *m ?n :o \p /q"#, "a b c and d e f g h i j k l m n o p q"),
            ("AND Or NOT TO", "and or not to"), ("title:x OR author:(y", "title x or author y"),
            ("Straße Œuvre «l’été»", "strasse oeuvre l ete"),
        ])
    func operators(_ text: String, _ words: String) async throws {
        let harness = try Harness { _, _ in Self.works() }
        _ = try await harness.run { try await $0.search([WordQuery(title: [text])], limit: 5) }
        #expect(Self.sent("q", harness.server) == ["title:(\(words))"])
    }

    @Test("Text that a user typed is not a query either")
    func typedText() async throws {
        let harness = try Harness { _, _ in Self.works() }
        _ = try await harness.run { try await $0.search("What If? (Moby-Dick) AND title:\"X\"", scope: .all, limit: 5) }
        #expect(Self.sent("q", harness.server) == ["What If Moby Dick and title X"])
    }

    @Test("Marks do not hide the operators of the query languages in what a user typed")
    func markedOperators() async throws {
        let text = "a\u{D4E}:b \u{D4E}\"c\"\u{301} d/\u{301}e"
        for (name, words) in [
            (ProviderName.openLibrary, "a\u{D4E} b \u{D4E} c \u{301} d \u{301}e"),
            (.googleBooks, "a\u{D4E} b \u{D4E} c \u{301} d/\u{301}e"),
        ] {
            let harness = try Harness(name, key: "key") { _, _ in
                name == .openLibrary ? Self.works() : .json(Recorded.googleVolumes)
            }
            _ = try await harness.run { try await $0.search(text, scope: .all, limit: 5) }
            #expect(Self.sent("q", harness.server).map { Array($0.utf8) } == [Array(words.utf8)])
        }
    }

    @Test("Requests have at most eight queries and URLs of at most 2000 bytes")
    func limits() async throws {
        let harness = try Harness { number, _ in Self.works(number) }
        let long = (0..<30).map { number in WordQuery(anywhere: (0..<12).map { "word\(number)x\($0)" }) }
        let endless = WordQuery(title: ["first"], anywhere: (0..<500).map { "слово\($0)" })
        try await harness.run { provider in
            let short = (0..<17).map { WordQuery(title: ["title\($0)"]) }
            #expect(try await provider.search(short, limit: 20).count == 3)
            #expect(harness.server.requests.count == 3)
            _ = try await provider.search(long + [endless], limit: 20)
        }
        #expect(harness.server.requests.allSatisfy { $0.target.utf8.count <= 2000 })
        let questions = Self.sent("q", harness.server)
        for query in long { #expect(questions.contains { $0.contains(query.anywhere.joined(separator: " ")) }) }
        #expect(questions.contains { $0.contains("title:(first) AND (слово0 слово1") }, "the rest is left out")
    }

    @Test("Where groups are refused, each query is sent alone from then on", arguments: [400, 413, 414, 422, 501])
    func refusedGroups(_ status: Int) async throws {
        let harness = try Harness { number, request in
            request.target.contains("OR") ? .answer(status) : Self.works(7, number)
        }
        try await harness.run { provider in
            let found = try await provider.search([Self.moby, Self.emma], limit: 20)
            #expect(found.map(\.id) == ["OL7W", "OL1W", "OL2W"], "by rank, each once")
            #expect(harness.server.requests.count == 3, "the group is not retried")
            #expect(provider.queriesPerRequest == 1)
            _ = try await provider.search([Self.moby, Self.emma], limit: 20)
            #expect(await provider.condition() == .working)
        }
        #expect(harness.server.requests.count == 5)
    }

    @Test("After one status 500 groups are still sent, after two in a row they are not")
    func brokenGroups() async throws {
        let harness = try Harness { number, request in
            request.target.contains("OR") && number != 3 ? .answer(500) : Self.works(number)
        }
        try await harness.run { provider in
            // Requests 0 to 2: a group that fails, and its queries; 3: a group that is answered.
            for (requests, queries) in [(3, 8), (4, 8), (7, 8), (10, 1), (12, 1)] {
                _ = try await provider.search([Self.moby, Self.emma], limit: 20)
                #expect(harness.server.requests.count == requests)
                #expect(provider.queriesPerRequest == queries)
            }
        }
    }

    @Test("A group that is not answered in time is sent in parts")
    func slowGroup() async throws {
        let requestClock = ManualClock()
        let harness = try Harness(requestClock: requestClock) { number, request in
            request.target.contains("OR") ? .silent : Self.works(number)
        }
        try await harness.run { provider in
            async let search = provider.search([Self.moby, Self.emma], limit: 20)
            try await requestClock.exceed(ServicePolicy().timeout, of: harness.server)
            let found = try await search
            #expect(found.map(\.id) == ["OL1W", "OL2W"])
        }
        #expect(harness.server.requests.count == 3)
    }

    @Test("An outage does not end the use of groups", arguments: [500, 503, 403, 429])
    func outage(_ status: Int) async throws {
        let harness = try Harness {
            $0.attempts = 1
        } answer: { number, _ in
            number < 2 ? .answer(status) : Self.works(1)
        }
        try await harness.run { provider in
            do {
                _ = try await provider.search([Self.moby, Self.emma], limit: 20)
                Issue.record("The search succeeded.")
            } catch let error as UnavailableSource {
                #expect(error.source == "openlibrary")
            }
            #expect(provider.queriesPerRequest == 8)
        }
    }

    @Test("Google Books and ISBNdb receive one query per request")
    func oneEach() async throws {
        let google = try Harness(.googleBooks) { _, _ in .json(Recorded.googleVolumes) }
        let found = try await google.run { provider in
            #expect(provider.queriesPerRequest == 1)
            return try await provider.search([Self.moby, Self.emma], limit: 20)
        }
        #expect(found.count == 1)
        #expect(
            Self.sent("q", google.server) == ["intitle:moby intitle:dick inauthor:melville", "emma austen"])
        #expect(Self.sent("maxResults", google.server) == ["20", "20"])

        let isbndb = try Harness(.isbndb, key: "k") { _, _ in .json("{\"total\": 0, \"books\": []}") }
        _ = try await isbndb.run { provider in
            #expect(provider.queriesPerRequest == 1)
            return try await provider.search([Self.moby, WordQuery(title: ["a/b"])], limit: 20)
        }
        #expect(
            isbndb.server.requests.map(\.target) == [
                "/books/moby%20dick%20melville?page=1&pageSize=20", "/books/a%20b?page=1&pageSize=20&column=title",
            ])
    }

    @Test("Records without a title or of another shape are left out and counted")
    func damagedRecords() async throws {
        let harness = try Harness { _, _ in
            .json(
                #"""
                {"docs": [{"key": "/works/OL1W"}, {"key": "/works/OL2W", "title": 5}, "text", null,
                          {"title": "No key"}, {"key": "/works/OL3W", "title": "Emma"}]}
                """#)
        }
        try await harness.run { provider in
            let found = try await provider.search([Self.emma], limit: 20)
            #expect(found.map(\.title) == ["Emma"])
            let refusals = await provider.refusals()
            #expect(refusals.records == 5)
            #expect(refusals.answers == 0)
            #expect(refusals.latest == "a record without a title, or of another shape")
        }
    }

    @Test("Answers that are refused are counted, and asked for again")
    func damagedAnswers() async throws {
        let harness = try Harness(cached: true) { number, _ in
            switch number {
            case 0: .answer(200, headers: ["Content-Type": "text/html"], body: Array("<h1>Down</h1>".utf8))
            case 1: .json(#"{"docs": 5}"#)
            case 2: .answer(302, headers: ["Location": "https://example.org/"])
            case 3: .json(#"{"error": "timeout", "docs": []}"#)
            default: Self.works(1)
            }
        }
        try await harness.run { provider in
            for latest in ["text/html instead of JSON", "JSON of another shape", "a redirect to https://example.org/"] {
                #expect(await failure(of: provider) != nil)
                #expect(await provider.refusals().latest == latest)
            }
            #expect(await failure(of: provider) != nil)
            #expect(await provider.refusals().answers == 4)
            #expect(await failure(of: provider) == nil)
            #expect(await failure(of: provider) == nil, "from the cache")
        }
        #expect(harness.server.requests.count == 5)
    }
}
