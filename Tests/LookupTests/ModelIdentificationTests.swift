import Bibliography
import Fixtures
import Foundation
import Imaging
import Lookup
import Providers
import Reading
import Scans
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("A model's second opinion on a photo", .endsHangs) final class ModelIdentificationTests: Sendable {
    private let temporary: TemporaryFolder
    private static let key = "secret-key-0123456789"

    init() throws { temporary = try TemporaryFolder() }

    private func configuration(_ server: StubServer, agreed: Bool = true) -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration[ModelProvider.gemini].address = server.url
        configuration[ModelProvider.openAI].address = server.url.appending(path: "v1")
        for model in ModelProvider.allCases {
            configuration[model].key = APIKey(Self.key)
            configuration[model].agreed = agreed
        }
        configuration.assistReader = .openAI
        return configuration
    }

    /// What was reported, and the photo as identified last.
    private struct Outcome {
        var before: ScannedPhoto
        var photo: ScannedPhoto
        var outages: [UnavailableSource]
    }

    private func identify(
        _ spines: [[String]] = ShelfOfLines.doubtful, mode: ReaderMode, _ server: StubServer, agreed: Bool = true,
        threshold: Double? = nil
    ) async throws -> Outcome {
        let shelf = ShelfOfLines(spines, knowing: ShelfOfLines.records)
        var policy = ServicePolicy.model
        policy.backoff = 0.001
        let online = try OnlineServices(
            data: temporary.url, configuration: configuration(server, agreed: agreed), version: "1",
            modelPolicy: policy)
        do {
            let identification = ModelIdentification(
                services: online, providers: nil, font: SpineFont.dejaVuSans.file)
            let bytes = try ShelfOfLines.file.get()
            let before = try await shelf.read(bytes, name: "shelf")
            let outages = Mutex<[UnavailableSource]>([])
            let photo = try await identification.identify(
                PhotoQuestion(before, mode: mode, threshold: threshold) { bytes }, with: shelf
            ) { report in
                if case .unavailable(let outage) = report { outages.withLock { $0.append(outage) } }
            }
            await online.close()
            return Outcome(before: before, photo: photo, outages: outages.withLock { $0 })
        } catch {
            await online.close()
            throw error
        }
    }

    /// A model that names these books on the numbered spines of a sheet.
    private static func sheet(_ titles: [Int: (String, String)]) -> String {
        let spines = titles.sorted { $0.key < $1.key }.map { number, book in
            #"{"number": \#(number), "title": "\#(book.0)", "author": "\#(book.1)", "confidence": 0.95}"#
        }
        return #"{"spines": [\#(spines.joined(separator: ","))]}"#
    }

    /// A model that names these books in the photo, at the places of the spines.
    private static func photo(_ titles: [Int: (String, String)], swapped: Bool = false, scale: Double = 1000) -> String
    {
        let spines = titles.sorted { $0.key < $1.key }.map { spine, book in
            let x = ShelfOfLines.middle(spine)
            let columns = [(x - 45) / 2000 * scale, (x + 45) / 2000 * scale].map { Int($0) }
            let rows = [0.05 * scale, 0.95 * scale].map { Int($0) }
            let box =
                swapped
                ? [columns[0], rows[0], columns[1], rows[1]] : [rows[0], columns[0], rows[1], columns[1]]
            return #"{"title": "\#(book.0)", "author": "\#(book.1)", "confidence": 0.95, "box_2d": \#(box)}"#
        }
        return #"{"spines": [\#(spines.joined(separator: ","))]}"#
    }

    @Test("assist sends the spines that need review in one picture, and its answer raises the right record")
    func assist() async throws {
        let server = try StubServer.models { _, request in
            request.answer(Self.sheet([1: ("The Wind in the Willows", "Kenneth Grahame"), 2: ("Walden", "Thoreau")]))
        }
        let outcome = try await identify(mode: .assist, server)
        #expect(outcome.outages == [])
        #expect(outcome.before.books.map(\.reviewStatus) == [.verified, .verified, .needsReview, .needsReview])
        try #require(server.requests.count == 1)
        let request = try ModelRequest(server.requests[0])
        #expect(request.provider == .openAI && request.key == Self.key)
        #expect(request.prompt.contains("2 book spines"))
        let sheet = try PhotoDecoder.decode(request.jpeg).image
        #expect(sheet.size.area < ShelfOfLines.size.area / 2, "not the whole photo")

        let books = outcome.photo.books
        #expect(books[2].title == "The Wind in the Willows" && books[2].confidence > outcome.before.books[2].confidence)
        #expect(books[3].title != "Walden" || books[3].confidence < 0.4, "what is printed may be shown instead")
        #expect(books[3].reviewStatus == .needsReview)
        #expect(books[3].text.map(\.text) == ["XQVKWRTZLPMNHGDF", "BRTZ"], "a person sees what this machine read")
        #expect(books.map(\.boundingBox) == outcome.before.books.map(\.boundingBox))
        let use = try #require(outcome.photo.model)
        #expect(use.reader == "openai" && use.spines == 2 && use.named == 2 && !use.isKept)
        #expect(use.inputTokens == 1000 && use.outputTokens == 200)
        #expect(abs((use.cost ?? 0) - (1000 * 0.75 + 200 * 4.5) / 1e6) < 1e-9)
    }

    @Test("assist sends nothing if no spine needs review")
    func nothingToAsk() async throws {
        let server = try StubServer.models { _, request in request.answer("[]") }
        let outcome = try await identify(Array(ShelfOfLines.doubtful.prefix(2)), mode: .assist, server)
        #expect(server.requests.isEmpty && outcome.photo.model == nil && outcome.outages == [])
    }

    @Test("A second scan of the same photo is answered from what was kept, and costs nothing")
    func kept() async throws {
        let server = try StubServer.models { _, request in request.answer(Self.sheet([2: ("Walden", "Thoreau")])) }
        let first = try await identify(mode: .assist, server)
        let again = try await identify(mode: .assist, server)
        #expect(server.requests.count == 1)
        #expect(again.photo.model?.isKept == true && again.photo.model?.cost == 0)
        #expect(again.photo.books.map(\.title) == first.photo.books.map(\.title))
    }

    @Test("gemini is sent the whole photo, and names a spine that has no text", arguments: [false, true])
    func wholePhoto(_ swapped: Bool) async throws {
        let server = try StubServer.models { _, request in
            request.answer(
                Self.photo(
                    [
                        0: ("The Lies of Locke Lamora", "Scott Lynch"), 1: ("Wuthering Heights", "Emily Brontë"),
                        2: ("The Wind in the Willows", "Kenneth Grahame"), 6: ("Jane Eyre", "Charlotte Brontë"),
                    ], swapped: swapped))
        }
        let outcome = try await identify(mode: .gemini, server)
        let request = try ModelRequest(try #require(server.requests.first))
        #expect(request.provider == .gemini)
        #expect(try PhotoDecoder.decode(request.jpeg).originalSize == ShelfOfLines.size)
        let books = outcome.photo.books
        try #require(books.count == 5)
        #expect(books[2].confidence > outcome.before.books[2].confidence)
        #expect(books[4].title == "Jane Eyre" && books[4].text.isEmpty && books[4].reviewStatus == .needsReview)
        #expect(abs(books[4].boundingBox.x + books[4].boundingBox.width / 2 - ShelfOfLines.middle(6) / 2000) < 0.01)
        #expect(outcome.photo.model?.spines == nil && outcome.photo.model?.reader == "gemini")
    }

    @Test("Disagreement keeps a verified book and sends a doubtful one to review, with both readings")
    func disagreement() async throws {
        let server = try StubServer.models { _, request in
            request.answer(
                Self.photo([
                    0: ("Red Seas Under Red Skies", "Scott Lynch"), 1: ("Wuthering Heights", "Emily Brontë"),
                    2: ("The Name of the Wind", "Patrick Rothfuss"),
                ]))
        }
        let outcome = try await identify(mode: .gemini, server)
        let (before, books) = (outcome.before.books, outcome.photo.books)
        #expect(books[0].title == before[0].title && books[0].confidence == before[0].confidence)
        #expect(books[0].reviewStatus == .verified)
        #expect(books[0].matches.contains { $0.title == "Red Seas Under Red Skies" && $0.source == "gemini" })
        #expect(books[2].reviewStatus == .needsReview && books[2].confidence < 0.6)
        #expect(
            Set(books[2].matches.map(\.title)).isSuperset(of: ["The Wind in the Willows", "The Name of the Wind"]))
    }

    @Test("Whatever a model answers, no verified book falls, no spine moves, and no title is sure without a record")
    func neverWorse() async throws {
        var random = SeededGenerator(seed: 7)
        let titles =
            ShelfOfLines.records.map { ($0.title, $0.authors[0]) } + [
                ("Cooking for Two", "A. Cook"), ("Atlas", ""), ("THE LIES", "LYNCH"), ("W", ""),
            ]
        var (verified, unproven) = (0, 0)
        for round in 0..<40 {
            let (mode, threshold) = ([ReaderMode.assist, .gemini][round % 2], [nil, 0.5, 0.7][round % 3])
            var named: [Int: (String, String)] = [:]
            for spine in 0..<5 where Bool.random(using: &random) {
                named[spine] = titles[Int.random(in: 0..<titles.count, using: &random)]
            }
            let answer = mode == .assist ? Self.sheet(named) : Self.photo(named, swapped: round % 4 == 1)
            let server = try StubServer.models { _, request in request.answer(answer) }
            let outcome = try await identify(mode: mode, server, threshold: threshold)
            for old in outcome.before.books {
                // Spines that only the model saw may stand between them.
                let new = try #require(
                    outcome.photo.books.first { $0.boundingBox == old.boundingBox && $0.text == old.text })
                let isVerified = old.status(threshold: threshold ?? 0.4) == .verified
                guard isVerified else { continue }
                verified += 1
                #expect(new.title == old.title && new.confidence >= old.confidence)
                #expect(new.status(threshold: threshold ?? 0.4) == .verified)
            }
            for book in outcome.photo.books where book.source == nil || book.source == "gemini" {
                #expect(book.status(threshold: 0) == .needsReview)
                unproven += 1
            }
        }
        #expect(verified > 40 && unproven > 40, "\(verified) verified, \(unproven) without a record")
    }

    @Test("A book list from another shelf is not used")
    func anotherShelf() async throws {
        let spines = [
            ["THE LIES OF LOCKE LAMORA", "SCOTT LYNCH"], ["WUTHERING HEIGHTS"], ["WALDEN"], ["JANE EYRE"],
            ["THE MAGICIANS"], ["QUIET CARTOGRAPHER"],
        ]
        let foreign = [
            ("Sapiens", "Yuval Noah Harari"), ("Educated", "Tara Westover"), ("Becoming", "Michelle Obama"),
            ("Dune", "Frank Herbert"), ("Circe", "Madeline Miller"), ("Quiet", "Susan Cain"),
        ]
        let all = Dictionary(uniqueKeysWithValues: foreign.prefix(5).enumerated().map { ($0, $1) })
        let server = try StubServer.models { _, request in request.answer(Self.photo(all)) }
        let outcome = try await identify(spines, mode: .gemini, server)
        #expect(outcome.outages.map(\.source) == ["gemini"])
        #expect(outcome.outages[0].message.contains("named books that are not in the photo"))
        #expect(outcome.photo.books == outcome.before.books && outcome.photo.model == nil)
    }

    @Test(
        "A provider that fails leaves the photo as it was, with the reason",
        arguments: [
            (StubAnswer.answer(500), "failed (status 500)"), (.answer(429), "accepts no more requests"),
            (.cut, "cannot be reached"),
            (.answer(200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8)), "text/html"),
            (.json(#"{"choices": [{"message": {"content": "half a JSO"#), "malformed JSON"),
            (.endless(30_000_000), "more than 4 MB"), (.answer(401), "rejects the key"),
        ] as [(StubAnswer, String)])
    func failures(_ answer: StubAnswer, _ words: String) async throws {
        let server = try StubServer.models { _, _ in answer }
        for mode in [ReaderMode.assist, .openai] {
            let outcome = try await identify(mode: mode, server)
            #expect(outcome.photo.books == outcome.before.books)
            #expect(outcome.outages.map(\.source) == ["openai"])
            let message = outcome.outages[0].message
            #expect(message.contains(words))
            #expect(!message.contains(Self.key))
        }
    }

    @Test("Without a key or without consent nothing is sent, and the reason is reported")
    func notAgreed() async throws {
        let server = try StubServer.models { _, request in request.answer("[]") }
        for mode in [ReaderMode.assist, .gemini, .openai] {
            let outcome = try await identify(mode: mode, server, agreed: false)
            #expect(outcome.outages.count == 1 && outcome.outages[0].message.hasPrefix("Nothing was sent to "))
            #expect(outcome.photo.books == outcome.before.books)
        }
        #expect(server.requests.isEmpty)
        let local = try await identify(mode: .local, server, agreed: false)
        #expect(local.outages == [])
    }
}

@Suite("Settings of the readers", .endsHangs) final class ReaderSettingsTests: Sendable {
    private let temporary: TemporaryFolder
    init() throws { temporary = try TemporaryFolder() }

    private func with(
        _ configuration: ServiceConfiguration = ServiceConfiguration(), _ body: (OnlineServices) throws -> Void
    ) async throws {
        let online = try OnlineServices(data: temporary.url, configuration: configuration, version: "1")
        let result = Result { try body(online) }
        await online.close()
        try result.get()
    }

    @Test("A mode can be set once its provider has a key and the user agreed, and all is stored for the owner alone")
    func stored() async throws {
        try await with { online in
            func change(_ change: ServiceChange, reader: ReaderMode? = nil) throws {
                try online.change(ServicesChange(readers: [change], reader: reader))
            }
            #expect(online.choice.reader == .local)
            #expect(throws: ServiceProblem.keyNeeded(.gemini)) { try online.change(ServicesChange(reader: .gemini)) }
            try change(.init("gemini", key: .set("s3cret")))
            let refused = #expect(throws: ServiceProblem.self) { try online.change(ServicesChange(reader: .assist)) }
            #expect(refused == .notAgreed(.gemini, host: "generativelanguage.googleapis.com"))
            #expect(online.choice.reader == .local, "nothing is changed by a refused change")
            try change(.init("gemini", model: "gemini-3.5-flash-lite", agreed: true), reader: .assist)
            #expect(throws: ServiceProblem.badKey(.model)) { try change(.init("gemini", key: .set("a b"))) }
            #expect(throws: ServiceProblem.badModel) { try change(.init("gemini", model: "../x")) }
            #expect(throws: ServiceProblem.unknown("claude", .model)) { try change(.init("claude")) }
        }
        try await with { online in
            #expect(online.choice.reader == .assist && online.choice.assistant == .gemini)
            let report = online.choice.report(on: .gemini)
            #expect(report.state == .ready && report.model == "gemini-3.5-flash-lite")
            #expect(!"\(report)".contains("s3cret"))
        }
        let file = temporary.url.appending(path: "services.json")
        let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(rights?.intValue == 0o600)
    }

    @Test("A change of providers and readers is made as a whole or not at all")
    func atomic() async throws {
        try await with { online in
            let providers = [ServiceChange("openlibrary", enabled: true, key: .set("k"))]
            #expect(throws: ServiceProblem.notAgreed(.openAI, host: "api.openai.com")) {
                try online.change(
                    ServicesChange(
                        providers: providers, readers: [ServiceChange("openai", key: .set("k"))], reader: .openai,
                        choosesSource: true))
            }
            #expect(online.providers.isEmpty && !online.choice.isSourceChosen)
            #expect(!online.choice.report(on: .openAI).hasKey)
            #expect(!FileManager.default.fileExists(atPath: temporary.url.appending(path: "services.json").path))
        }
    }

    @Test("Consent is for one host: another address asks again")
    func consentOfHost() async throws {
        try await with { online in
            try online.change(
                ServicesChange(readers: [.init("openai", key: .set("k"), agreed: true)], reader: .openai))
        }
        var elsewhere = ServiceConfiguration()
        elsewhere[ModelProvider.openAI].address = URL(string: "http://192.168.1.5:11434/v1")
        try await with(elsewhere) { online in
            #expect(online.choice.problem(of: .openAI) == .notAgreed(.openAI, host: "192.168.1.5:11434"))
            guard case .blocked = online.modelAccess(for: nil) else {
                Issue.record("a photo would be sent to a host that the user does not know")
                return
            }
        }
    }

    @Test("The configuration locks the reader, and a server of one's own needs no key")
    func configured() async throws {
        var configuration = ServiceConfiguration()
        configuration.reader = .assist
        configuration[ModelProvider.openAI].address = URL(string: "http://localhost:11434/v1")
        configuration[ModelProvider.openAI].agreed = true
        try await with(configuration) { online in
            let choice = online.choice
            #expect(choice.reader == .assist && choice.assistant == .openAI && choice.isReaderConfigured)
            #expect(choice.problem(of: .openAI) == nil)
            #expect(throws: ServiceProblem.configured(.model)) { try online.change(ServicesChange(reader: .local)) }
        }
    }
}
