import Bibliography
import Fixtures
import Foundation
import Providers
import ShelflistAPI
import TestSupport
import Testing

/// Searches a server that imitates Open Library's rules: every word has to occur, a query language, a contact, a rate.
///
/// It is in `shared` beside the checkout, or in the folder that `SHELFLIST_SHARED` names.
@Suite(
    "Open Library's rules", .blocks, .endsHangs,
    .enabled(
        if: RulesServer.isAvailable,
        "there is no ../shared/bench/open_library_stub.py; SHELFLIST_SHARED may name the folder shared")
)
struct OpenLibraryRulesTests {
    private static let emma = WordQuery(title: ["emma"], author: ["austen"])
    private static let gatsby = WordQuery(anywhere: ["gatsby", "fitzgerald"])
    private static let misread = WordQuery(anywhere: ["hobbit", "tolkjen"])

    private func ask<Result>(
        _ server: RulesServer, contact: String? = "ada@example.org", userAgent: String? = nil,
        _ body: (any BookProvider) async throws -> Result
    ) async throws -> Result {
        let transport = HTTPTransport()
        var policy = ServicePolicy()
        (policy.interval, policy.attempts) = (0, 1)
        let provider = ProviderName.openLibrary.provider(
            ServiceSettings(
                userAgent: userAgent ?? ServiceSettings.userAgent(version: "1", contact: contact), base: server.url,
                policy: policy), transport: transport)
        do {
            let result = try await body(provider)
            await transport.close()
            return result
        } catch {
            await transport.close()
            throw error
        }
    }

    @Test("A group finds what its queries find alone, and a misread word finds nothing")
    func groups() async throws {
        let server = try RulesServer()
        try await ask(server) { provider in
            let emma = try await provider.search([Self.emma], limit: 20)
            #expect(emma.contains { $0.title == "Emma" && $0.authors.contains { $0.contains("Austen") } })
            let gatsby = try await provider.search([Self.gatsby], limit: 20)
            #expect(gatsby.contains { $0.title == "The Great Gatsby" })
            #expect(try await provider.search([Self.misread], limit: 20).isEmpty)
            let all = try await provider.search([Self.emma, Self.misread, Self.gatsby], limit: 20)
            #expect(Set(all.map(\.id)) == Set((emma + gatsby).map(\.id)))
            #expect(provider.queriesPerRequest == 8)
        }
    }

    @Test("Words with operators are found as words")
    func operators() async throws {
        try await ask(try RulesServer()) { provider in
            let query = WordQuery(title: ["\"Harry", "Potter)", "NOT", "Azkaban*"])
            #expect(try await provider.search([query], limit: 20).isEmpty, "“not” is a word that the title lacks")
            let plain = WordQuery(title: ["\"Harry", "Potter)", "(title:Azkaban*"])
            #expect(try await provider.search([plain], limit: 20).isEmpty, "“title” is a word that the title lacks")
            let found = try await provider.search([WordQuery(title: ["\"Harry", "Potter)", "~Azkaban*"])], limit: 20)
            #expect(found.contains { $0.title.contains("Prisoner of Azkaban") })
        }
    }

    @Test("The project's address is accepted as a contact, a program without one is refused")
    func contact() async throws {
        let server = try RulesServer()
        try await ask(server, contact: nil) { provider in
            let found = try await provider.search([Self.emma], limit: 5)
            #expect(!found.isEmpty)
        }
        let problem = try await ask(server, userAgent: "Shelflist/1") { await failure(of: $0) }
        #expect(problem?.message.hasPrefix("Open Library refuses this program (status 403).") == true)
    }

    @Test("Faster requests than the server accepts are an outage with a time")
    func tooFast() async throws {
        try await ask(try RulesServer(rate: 1, burst: 1)) { provider in
            let found = try await provider.search([Self.emma], limit: 5)
            #expect(!found.isEmpty)
            let problem = await failure(of: provider)
            #expect(problem?.message.hasPrefix("Open Library accepts no more requests at the moment.") == true)
            #expect((0...1000).contains(problem?.retryAfterMs ?? -1))
        }
    }
}

/// A run of `open_library_stub.py`, which ends with the object.
private final class RulesServer {
    private static let bench = URL(
        filePath: ProcessInfo.processInfo.environment["SHELFLIST_SHARED"]
            ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared").path,
        directoryHint: .isDirectory
    ).standardized.appending(path: "bench")
    private static var script: URL { bench.appending(path: "open_library_stub.py") }

    static var isAvailable: Bool { FileManager.default.isReadableFile(atPath: script.path) }

    let url: URL
    private let process: ChildProcess

    /// - Parameters:
    ///   - rate: requests a second that are answered.
    ///   - burst: requests that are answered at once.
    init(rate: Int = 1000, burst: Int = 1000) throws {
        let output = Pipe()
        process = try ChildProcess(
            [
                "python3", Self.script.path, Self.bench.appending(path: "catalog/popular_books.csv").path,
                "--latency", "0", "--rate", "\(rate)", "--burst", "\(burst)",
            ], output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        var line = ""
        while !line.contains("\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            line += String(decoding: part, as: UTF8.self)
        }
        url = try #require(URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)), "it printed “\(line)”")
    }

    deinit {
        process.send(SIGTERM)
        process.waitUntilExit()
    }
}
