import Foundation
import Imaging
import Library
import Observation
import ReadingFixtures
import ServerFixtures
import ShelflistClient
import ShelflistClientTesting
import ShelflistModels
import TestSupport

/// Waits until a condition about models holds, without sleeping.
///
/// The condition has to hold from then on. A value that passes can be missed: hold its end back with a clock or a gate.
@MainActor func until(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
    for await holds in Observations({ condition() }) where holds { return }
}

/// Holds tasks back until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Counts the runs of a closure.
actor Attempts {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}

/// A real server, and a script before it that makes requests fail.
struct ModelFixture: Sendable {
    let server: TestServer
    let script: ScriptedServer

    /// A client whose time limits do not expire.
    var client: ShelflistClient { script.client(clock: HeldClock()) }

    /// Returns the number of scans.
    func scans() async throws -> Int { try await client.scans.all().page().total }

    /// Returns the number of books in the library.
    func books() async throws -> Int { try await client.library.books().page().total }

    /// Adds books to the library as another client would; those below 0.6 or not checked need review.
    func add(_ books: FoundBook...) async throws { try await add(books) }

    func add(_ books: [FoundBook]) async throws {
        let store = try LibraryStore(folder: LibraryFolder(server.folder))
        let detected = books.enumerated().map { $1.detected(place: $0, of: books.count) }
        _ = try await store.importScan(
            ScanImport(
                job: UUID().uuidString, stored: nil, size: PixelSize(width: 400, height: 300), books: detected))
    }
}

/// Runs `body` with a real server.
func withModels(_ body: @escaping @MainActor @Sendable (ModelFixture) async throws -> Void) async throws {
    try await withServer { server in
        var limits = ClientLimits()
        limits.connect = longestWait
        let address = URL(string: "http://127.0.0.1:\(server.port)") ?? URL(filePath: "/")
        let transport = try platformTransport(trustRoots: nil, host: "127.0.0.1", limits: limits)
        try await body(ModelFixture(server: server, script: ScriptedServer(inFrontOf: address, transport)))
        server.reader.release()
    }
}

/// A book that a photo shows.
struct FoundBook: Sendable {
    var title: String
    var author: String
    var confidence = 0.9
    var isChecked = true

    static let emma = FoundBook(title: "Emma", author: "Jane Austen")
    /// Below the threshold.
    static let persuasion = FoundBook(title: "Persuasion", author: "Jane Austen", confidence: 0.3)
    static let dune = FoundBook(title: "Dune", author: "Frank Herbert", confidence: 0.55)
    static let ulysses = FoundBook(title: "Ulysses", author: "James Joyce", isChecked: false)

    func detected(place: Int, of count: Int) -> DetectedBook {
        let box = UnitRect(x: Double(place) / Double(count), y: 0, width: 1 / Double(count), height: 1)
        let record = BookMatch(title: title, author: author, confidence: confidence, source: "local")
        return DetectedBook(
            id: "book-\(place + 1)", title: title, author: author, confidence: confidence, checked: isChecked,
            reviewStatus: isChecked && confidence >= 0.6 ? .verified : .needsReview, outline: SpineOutline(box),
            text: [ReadText(text: title, score: confidence)], matches: isChecked ? [record] : [])
    }
}

extension PhotoSource {
    /// A photo of these books by "Writer": the first is sure, the others need review.
    static func books(_ titles: String...) throws -> PhotoSource {
        try script("books:" + titles.joined(separator: "|"))
    }

    /// A picture for `ScriptedReader`.
    static func script(_ script: String) throws -> PhotoSource {
        .data(Data(try ScriptedReader.picture(script)), name: "shelf.jpg")
    }

    /// A photo that the server accepts and cannot read.
    static var unreadable: PhotoSource { get throws { try script("fail") } }
}

extension Problem {
    static let refusal = Problem("not_allowed", status: 403, title: "Not allowed", detail: "No. Ask the owner.")
    static let conflict = Problem(
        "precondition_required", status: 428, title: "If-Match is missing", detail: "It is missing. Send it.")
}
