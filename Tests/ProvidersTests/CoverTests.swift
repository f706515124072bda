import Fixtures
import Foundation
import Providers
import TestSupport
import Testing

@Suite("Covers")
struct CoverTests {
    private static let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 500)

    private func fetch(
        path: String = "/b/id/1-L.jpg", _ answer: @escaping @Sendable (Int, StubServer.Request) -> StubAnswer,
        _ body: (CoverStore, URL, StubServer, URL) async throws -> Void
    ) async throws {
        let server = try StubServer(answer)
        let folder = FileManager.default.temporaryDirectory.appending(path: "shelflist-covers-\(UUID().uuidString)")
        let transport = HTTPTransport(clock: ManualClock())
        let store = CoverStore(
            folder: folder, transport: transport, userAgent: "test",
            hosts: .only(origin: "http://127.0.0.1:\(server.port)"))
        do {
            try await body(store, server.url.appending(path: path), server, folder)
        } catch {
            await transport.close()
            throw error
        }
        await transport.close()
        // The folder does not exist if nothing was stored.
        try? FileManager.default.removeItem(at: folder)
    }

    private func failure(_ store: CoverStore, _ url: URL) async -> CoverError? {
        do {
            _ = try await store.file(for: url)
            return nil
        } catch {
            return error
        }
    }

    @Test("A picture is fetched once, through redirects, and stored with its type")
    func once() async throws {
        try await fetch { number, _ in
            number == 0 ? .answer(302, headers: ["Location": "/other.jpg"]) : .answer(200, body: Self.jpeg)
        } _: { store, url, server, _ in
            let file = try #require(try await store.file(for: url))
            #expect(file.pathExtension == "jpg")
            let kept = try Data(contentsOf: file)
            #expect(kept == Data(Self.jpeg))
            let again = try await store.file(for: url)
            #expect(again == file)
            #expect(server.requests.count == 2)
        }
    }

    @Test("A picture whose file is empty after a power failure is fetched again", arguments: [0, 100])
    func emptyFile(_ size: Int) async throws {
        try await fetch { _, _ in
            .answer(200, body: Self.jpeg)
        } _: { store, url, server, _ in
            let file = try #require(try await store.file(for: url))
            try Data(Self.jpeg.prefix(size)).write(to: file)
            #expect(try await store.picture(at: url) == Self.jpeg)
            #expect(server.requests.count == 2)
        }
    }

    @Test("A missing picture is not an error", arguments: [404, 410])
    func absent(_ status: Int) async throws {
        try await fetch { _, _ in
            .answer(status)
        } _: { store, url, _, folder in
            let file = try await store.file(for: url)
            #expect(file == nil)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test(
        "Files that are not pictures, are too large or redirect elsewhere are refused",
        arguments: [
            (
                StubAnswer.answer(
                    200, headers: ["Content-Type": "image/jpeg"], body: Array(repeating: 0x3C, count: 200)),
                CoverError.noPicture
            ),
            (.endless(50_000_000), .tooLarge(limit: CoverStore.sizeLimit)),
            (.answer(302, headers: ["Location": "http://127.0.0.2/x.jpg"]), .forbidden(host: "127.0.0.2")),
            (.answer(302, headers: ["Location": "file:///etc/passwd"]), .forbidden(host: "")),
            (.answer(302, headers: ["Location": "/again"]), .redirectedTooOften),
            (.answer(500), .status(500)),
        ])
    func refused(_ answer: StubAnswer, _ error: CoverError) async throws {
        try await fetch { _, _ in
            answer
        } _: { store, url, _, folder in
            #expect(await failure(store, url) == error)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test(
        "Only known hosts are allowed, and only with HTTPS",
        arguments: [
            ("https://covers.openlibrary.org/b/id/1-L.jpg", true),
            ("https://ia800100.us.archive.org/x.jpg", true),
            ("https://books.google.com/books/content?id=x", true),
            ("https://COVERS.openlibrary.org:443/b/id/1-L.jpg", true),
            ("http://covers.openlibrary.org/b/id/1-L.jpg", false),
            ("https://covers.openlibrary.org:8443/", false),
            ("https://covers.openlibrary.org.evil.example/", false),
            ("https://evilcovers.openlibrary.org/", false),
            ("https://notarchive.org/", false),
            ("https://us.archive.org.evil.example/", false),
            ("https://user:pw@covers.openlibrary.org/", false),
            ("https://covers.openlibrary.org@evil.example/", false),
            ("https://127.0.0.1/", false), ("https://[::1]/", false), ("https://169.254.169.254/", false),
            ("file:///etc/passwd", false), ("ftp://covers.openlibrary.org/", false),
        ])
    func hosts(_ address: String, _ isAllowed: Bool) throws {
        let url = try #require(URL(string: address))
        #expect(CoverHosts.known.allow(url) == isAllowed)
    }

    @Test("Hosts that are allowed after a redirect are not allowed in records")
    func redirectedOnly() async throws {
        let transport = HTTPTransport(clock: ManualClock())
        let store = CoverStore(folder: URL(filePath: "/nowhere"), transport: transport, userAgent: "test")
        let address = try #require(URL(string: "https://archive.org/download/x.jpg"))
        #expect(CoverHosts.known.allow(address))
        #expect(!store.allows(address))
        #expect(await failure(store, address) == .forbidden(host: "archive.org"))
        await transport.close()
    }

    @Test("A forbidden address is refused without a request")
    func forbidden() async throws {
        try await fetch { _, _ in
            .answer(200, body: Self.jpeg)
        } _: { store, _, server, _ in
            let url = try #require(URL(string: "http://localhost:\(server.port)/x.jpg"))
            #expect(await failure(store, url) == .forbidden(host: "localhost"))
            #expect(server.requests.isEmpty)
        }
    }
}
