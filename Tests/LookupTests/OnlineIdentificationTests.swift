import Bibliography
import Catalog
import Concurrency
import Foundation
import Identification
import Lookup
import Providers
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Asking providers about the spines of a photo", .endsHangs) final class OnlineIdentificationTests: Sendable {
    private let temporary: TemporaryFolder
    private let received: ReceivedRecords
    private let clock = ManualClock()

    init() throws {
        temporary = try TemporaryFolder()
        received = ReceivedRecords(folder: temporary.url.appending(path: "records"))
    }

    /// A reader that is sure of a spine once a provider has returned a record of that title.
    private var reader: ScriptedReader {
        ScriptedReader { [received] photo in
            let records = try received.catalogs().compactMap { try $0.snapshot()?.search }
            var photo = photo
            for index in photo.books.indices where photo.books[index].confidence < 0.8 {
                let words = TextNormalisation.words(photo.books[index].text[0].text)
                let found = try records.flatMap { try $0.candidates(forWords: words, limit: 5) }
                    .first { TextNormalisation.words($0.title) == words }
                photo.books[index].checked = found != nil
                if found != nil { photo.books[index].confidence = 0.95 }
            }
            return photo
        }
    }

    /// Returns a photo of these spines; the reader is sure of the first, and has checked none that ends in `?`.
    private func photo(_ titles: [String]) async throws -> ScannedPhoto {
        try await ScriptedReader().read(ScriptedReader.bytes("books:" + titles.joined(separator: "|")), name: "shelf")
    }

    private func identify(
        _ titles: [String], _ providers: [ScriptedProvider], log: ReportLog = ReportLog()
    ) async throws -> ScannedPhoto {
        // As identified with the records on this machine.
        let photo = try await reader.identify(try await photo(titles))
        return try await OnlineIdentification(providers: { providers }, received: received, clock: clock)
            .identify(PhotoQuestion(photo, mode: nil) { [] }, with: reader) { log.add($0) }
    }

    @Test("Records that are returned make books sure, and a second scan asks nothing")
    func asksOnce() async throws {
        let provider = ScriptedProvider(.openLibrary, titles: ["Emma", "Middlemarch"])
        let titles = ["Dune", "Emma?", "Middlemarch?"]
        let first = try await identify(titles, [provider])
        #expect(first.books.map(\.confidence) == [0.9, 0.95, 0.95])
        #expect(first.books.map(\.checked) == [true, true, true])
        let requests = provider.requests.count
        #expect(requests > 0)
        #expect(!provider.requests.joined().contains { $0.anywhere.contains("dune") }, "it was sure before")

        let log = ReportLog()
        let again = try await identify(titles, [provider], log: log)
        #expect(provider.requests.count == requests)
        #expect(again.books.map(\.confidence) == [0.9, 0.95, 0.95])
        #expect(log.outages == [])
    }

    @Test("At most 20 requests are sent for a photo, of all providers together")
    func limit() async throws {
        let providers = [ScriptedProvider(.openLibrary, titles: []), ScriptedProvider(.googleBooks, titles: [])]
        let titles = (1...60).map { "Unknown volume \(Self.word($0))?" }
        let photo = try await identify(titles, providers)
        #expect(providers.map(\.requests.count).reduce(0, +) == 20)
        // The first is sure. Of the others, those whose first query was answered are checked.
        let asked = Set(providers.flatMap { $0.requests.joined() })
        let checked = photo.books.filter(\.checked)
        #expect(checked.count < 60)
        #expect(
            checked.allSatisfy { book in
                asked.contains { query in (query.anywhere + query.title).contains { book.text[0].text.contains($0) } }
            })
    }

    @Test("How many books are left to be looked up is reported, down to none")
    func counts() async throws {
        let provider = ScriptedProvider(.openLibrary, titles: ["Emma", "Middlemarch"])
        let titles = ["Dune", "Emma?", "Middlemarch?", "Xanadu Rising?"]
        let log = ReportLog()
        _ = try await identify(titles, [provider], log: log)
        #expect(log.open.first == 3, "the first is sure")
        #expect(log.open.contains { (1...2).contains($0) })
        #expect(log.open.last == 0)

        let again = ReportLog()
        _ = try await identify(titles, [provider], log: again)
        #expect(Set(again.open) == [0], "everything was answered")
    }

    @Test("Books that a provider did not answer, or that are not asked about, do not count as looked up")
    func countsAnswers() async throws {
        let log = ReportLog()
        _ = try await identify(["Dune", "Emma?"], [ScriptedProvider(.openLibrary, titles: [], .fails)], log: log)
        #expect(log.open.allSatisfy { $0 == 1 })
        #expect(log.open.first == 1)

        // A photo has 20 requests, and this provider takes one query at a time.
        let many = ReportLog()
        let titles = ["Dune"] + (1...30).map { "Unknown volume \(Self.word($0))?" }
        _ = try await identify(titles, [ScriptedProvider(.openLibrary, titles: [])], log: many)
        #expect(many.open.first == 20)
        #expect(many.open.max() == 20)
        #expect(many.open.last == 0)
    }

    @Test("Without a record that fits, a book is checked once a provider has answered, also in a later scan")
    func checked() async throws {
        let provider = ScriptedProvider(.openLibrary, titles: [])
        let titles = ["Dune", "Xanadu Rising?"]
        let first = try await identify(titles, [provider])
        #expect(first.books[1].checked)
        #expect(first.books[1].confidence == 0.4)
        #expect(first.books[1].tier == .needsReview)
        let requests = provider.requests.count
        let later = try await identify(titles, [provider])
        #expect(later.books[1].checked)
        #expect(provider.requests.count == requests)
        // After 90 days the provider may have the book.
        clock.advance(by: 91 * 86_400)
        provider.behaviour = .fails
        #expect(try await !identify(titles, [provider]).books[1].checked)
    }

    @Test("A provider that fails is reported once and does not affect the others")
    func outage() async throws {
        let broken = ScriptedProvider(.googleBooks, titles: ["Emma"], .fails)
        let working = ScriptedProvider(.openLibrary, titles: ["Emma"])
        let log = ReportLog()
        let photo = try await identify(["Dune", "Emma?", "Ulysses?"], [broken, working], log: log)
        #expect(photo.books[1].confidence == 0.95)
        #expect(log.outages == ["googlebooks"])
        #expect(broken.requests.count <= 2, "only the first query of each of the two spines")
    }

    @Test("A provider that hangs does not delay the answers of the others, and is cancelled")
    func cancels() async throws {
        let hanging = ScriptedProvider(.googleBooks, titles: [], .hangs)
        let working = ScriptedProvider(.openLibrary, titles: ["Emma"])
        let log = ReportLog()
        let asking = Task { try await identify(["Dune", "Emma?", "Ulysses?"], [hanging, working], log: log) }
        try await eventually { log.latest?.books[1].confidence == 0.95 }
        try await eventually { log.latest?.books[2].checked == true }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(log.outages == [], "a cancelled request is not an outage")
    }

    @Test("Providers that are switched on or off count from the next photo")
    func switching() async throws {
        let provider = ScriptedProvider(.openLibrary, titles: ["Emma"])
        let isOn = Mutex(false)
        let identification = OnlineIdentification(
            providers: { isOn.withLock { $0 } ? [provider] : [] }, received: received, clock: clock)
        #expect(identification.isOff(for: nil))
        let photo = try await photo(["Dune", "Emma?"])
        #expect(
            try await identification.identify(PhotoQuestion(photo, mode: nil) { [] }, with: reader) { _ in }.books[1]
                .confidence == 0.4)
        isOn.withLock { $0 = true }
        #expect(!identification.isOff(for: nil))
        #expect(
            try await identification.identify(PhotoQuestion(photo, mode: nil) { [] }, with: reader) { _ in }.books[1]
                .confidence == 0.95)
    }

    /// Returns a word of letters only that differs for each number.
    private static func word(_ number: Int) -> String {
        let letters = Array("abcdefghij")
        return "q" + String(number).compactMap { Int(String($0)).map { letters[$0] } }.map { "\($0)\($0)u" }.joined()
    }
}

/// What was reported while providers were asked.
private final class ReportLog: Sendable {
    private let reports = Mutex<[IdentificationReport]>([])

    func add(_ report: IdentificationReport) { reports.withLock { $0.append(report) } }

    /// The photo as identified last.
    var latest: ScannedPhoto? {
        reports.withLock { reports in
            reports.reversed().lazy.compactMap { if case .identified(let photo) = $0 { photo } else { nil } }.first
        }
    }

    /// The numbers of books left to be looked up, in order.
    var open: [Int] {
        reports.withLock { $0.compactMap { if case .open(let books) = $0 { books } else { nil } } }
    }

    var outages: [String] {
        reports.withLock { $0.compactMap { if case .unavailable(let outage) = $0 { outage.source } else { nil } } }
    }
}

/// A provider with a few books that requires every word of a query, as Open Library does.
private final class ScriptedProvider: BookProvider {
    enum Behaviour: Sendable { case answers, fails, hangs }

    let name: ProviderName
    let queriesPerRequest = 1
    private let titles: [String]
    private let state: Mutex<(requests: [[WordQuery]], behaviour: Behaviour)>

    init(_ name: ProviderName, titles: [String], _ behaviour: Behaviour = .answers) {
        (self.name, self.titles) = (name, titles)
        state = Mutex(([], behaviour))
    }

    var requests: [[WordQuery]] { state.withLock(\.requests) }

    var behaviour: Behaviour {
        get { state.withLock(\.behaviour) }
        set { state.withLock { $0.behaviour = newValue } }
    }

    func search(_ queries: [WordQuery], limit: Int) async throws(UnavailableSource) -> [BookRecord] {
        let behaviour = state.withLock { state in
            state.requests.append(queries)
            return state.behaviour
        }
        switch behaviour {
        case .answers: break
        case .hangs:
            // A cancelled request fails as an outage does.
            try? await untilCancelled()
            fallthrough
        case .fails: throw UnavailableSource(source: name.rawValue, message: "No answer.")
        }
        return titles.enumerated().filter { _, title in
            let words = Set(TextNormalisation.words(title + " Writer"))
            return queries.contains { words.isSuperset(of: $0.title + $0.author + $0.anywhere) }
        }.map { BookRecord(id: "\(name.rawValue)\($0)", title: $1, authors: ["Writer"], source: name.rawValue) }
    }

    func search(_ text: String, scope: SearchScope, limit: Int) async throws(UnavailableSource) -> [BookRecord] { [] }
    func lookUp(_ isbn: ISBN) async throws(UnavailableSource) -> [BookRecord] { [] }
    func condition() async -> ServiceCondition { .working }
    func refusals() async -> ServiceRefusals { ServiceRefusals() }
}
