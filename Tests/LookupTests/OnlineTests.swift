import Fixtures
import Foundation
import Library
import Lookup
import Providers
import ShelflistAPI
import Storage
import TestSupport
import Testing

@Suite("Online catalogs", .endsHangs) struct OnlineTests {
    private func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "online-\(UUID().uuidString)")
    }

    @Test("No request is sent until the owner enables a provider")
    func disabledByDefault() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder) }  // it may not exist yet
        let online = try OnlineServices(data: folder, version: "1")
        #expect(online.providers.isEmpty)
        #expect(BookLookup(catalog: nil, online: online).enricher == nil)
        #expect(await online.providerReports().map(\.state) == [.off, .off, .off])
        #expect(online.cover(ofNumber: 12) == nil)
        let cover = try #require(URL(string: "https://covers.openlibrary.org/b/id/12-L.jpg"))
        #expect(!online.fetchesCover(at: cover))

        try online.change("openlibrary", enabled: true)
        #expect(online.providers.map(\.name) == [.openLibrary])
        #expect(online.fetchesCover(at: cover))
        #expect(online.cover(ofNumber: 12) == cover)
        // ISBNdb is not used without a key.
        try online.change("isbndb", enabled: true)
        #expect(online.providers.map(\.name) == [.openLibrary])
        #expect(await online.providerReports().last?.state == .keyNeeded)
        try online.change("isbndb", key: .set("s3cret"))
        #expect(online.providers.map(\.name) == [.openLibrary, .isbndb])

        // The settings are stored, and only their owner can read them.
        let again = try OnlineServices(data: folder, version: "1")
        #expect(again.providers.map(\.name) == [.openLibrary, .isbndb])
        let file = folder.appending(path: "services.json").path
        let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(rights?.intValue == 0o600)
        try again.change("isbndb", key: .clear)
        #expect(again.providers.map(\.name) == [.openLibrary])
        #expect(throws: ServiceProblem.unknown("amazon", .provider)) { try again.change("amazon", enabled: true) }
        #expect(throws: ServiceProblem.badKey(.provider)) { try again.change("isbndb", key: .set("a b")) }
        for online in [online, again] { await online.close() }
    }

    @Test("A source is chosen by an answer, a change of a provider, or the configuration")
    func sourceIsChosen() async throws {
        let none = ServiceConfiguration()
        func isChosen(_ folder: URL, _ configuration: ServiceConfiguration) throws -> Bool {
            try ServiceChoice(data: folder, configuration: configuration).isSourceChosen
        }
        for answer in [[], [ServiceChange("openlibrary", enabled: true)]] {
            let folder = folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let online = try OnlineServices(data: folder, version: "1")
            #expect(!online.choice.isSourceChosen)
            try online.change(ServicesChange())
            #expect(try !isChosen(folder, none))
            #expect(try isChosen(folder, ServiceConfiguration(providers: [])))
            try online.change(ServicesChange(providers: answer, choosesSource: true))
            #expect(online.choice.isSourceChosen)
            #expect(try isChosen(folder, none))
            // Turned off again, the question was answered nevertheless.
            try online.change("openlibrary", enabled: false)
            #expect(try isChosen(folder, none))
            #expect(try ServiceChoice(data: folder, configuration: none).usableProviders.isEmpty)
            await online.close()
        }
    }

    @Test("A key alone does not choose a source, because every provider stays off")
    func keyChoosesNoSource() async throws {
        let temporary = try TemporaryFolder()
        let online = try OnlineServices(data: temporary.url, version: "1")
        try online.change("isbndb", key: .set("s3cret"))
        #expect(!online.choice.isSourceChosen)
        try online.change("isbndb", enabled: false, key: .clear)
        #expect(online.choice.isSourceChosen)
        await online.close()
    }

    @Test("The configuration overrides the settings")
    func configurationOverrides() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let online = try OnlineServices(
            data: folder, configuration: ServiceConfiguration(providers: [.googleBooks]), version: "1")
        #expect(online.providers.map(\.name) == [.googleBooks])
        #expect(throws: ServiceProblem.configured(.provider)) { try online.change("googlebooks", enabled: false) }
        #expect(throws: ServiceProblem.configured(.provider)) { try online.change("openlibrary", enabled: true) }
        try online.change("googlebooks", enabled: true)
        await online.close()
    }

    @Test("An unreadable settings file is named")
    func unreadableSettings() throws {
        let folder = folder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "services.json")
        try Data("{".utf8).write(to: file)
        let error = #expect(throws: StorageError.self) { try OnlineServices(data: folder, version: "1") }
        #expect(error?.description == "\(file.path) is damaged. Delete it and choose the settings again.")
    }

    @Test("Where damaged settings are accepted, every provider is off, and the file is not overwritten")
    func damagedSettings() async throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "services.json")
        try Data("{".utf8).write(to: file)
        let failures = Failures()
        let online = try OnlineServices(
            data: temporary.url, configuration: ServiceConfiguration(providers: [.openLibrary]), version: "1",
            onDamage: { failures.add("\($0)") })
        #expect(failures.all == ["\(file.path) is damaged. Delete it and choose the settings again."])
        #expect(online.providers.isEmpty)
        #expect(throws: StorageError.self) { try online.change("isbndb", key: .set("s3cret")) }
        #expect(try Data(contentsOf: file) == Data("{".utf8))
        await online.close()
    }

    @Test("An open circuit is reported")
    func openCircuit() async throws {
        let broken = try StubServer { _, _ in .answer(500) }
        let bench = try Bench([.openLibrary: broken], failuresToRest: 2)
        for title in ["a", "b"] { _ = await bench.lookup().find(BookDetails(title: title)) }
        let report = try #require(await bench.online.providerReports().first)
        #expect(report.state == .resting)
        #expect(report.retryAt != nil)
        let results = await CombinedSearch(bench.lookup().sources, clock: ManualClock()).results(for: "Emma")
        #expect(results.items.isEmpty)
        #expect(results.sources.first?.message?.contains("Try again in") == true)
        #expect(results.sources.first?.retryAfterMs != nil)
        await bench.close()
    }

    @Test(
        "A cover's name identifies that cover only",
        arguments: [
            ("https://covers.openlibrary.org/b/id/12-M.jpg", "openlibrary-12"),
            (
                "https://books.google.com/books/content?id=zy_C-1&printsec=frontcover&img=1&zoom=1&imgtk=AFLR",
                "googlebooks-zy_C-1"
            ),
            ("https://images.isbndb.com/covers/12/34/9780804429573.jpg", "isbndb-12~34~9780804429573.jpg"),
            ("https://archive.org/download/x.jpg", nil), ("https://images.isbndb.com/other/1.jpg", nil),
            ("https://books.google.com/books/content?id=../x", nil), ("no address", nil),
        ])
    func names(_ address: String, _ name: String?) async throws {
        #expect(CoverName.of(address) == name)
        let online = try OnlineServices(
            data: folder(), configuration: ServiceConfiguration(providers: Set(ProviderName.allCases)), version: "1")
        if let name {
            let url = try #require(online.coverURL(named: name))
            #expect(CoverName.of(url.absoluteString) == name)
            #expect(online.fetchesCover(at: url))
        }
        for name in ["openlibrary-../x", "isbndb-..~..~x", "googlebooks-a/b", "archive-1", ""] {
            #expect(online.coverURL(named: name) == nil)
        }
        await online.close()
    }

    @Test("A cover is fetched in the background and stored with the edition")
    func backgroundCover() async throws {
        let picture = try Recorded.cover()
        let stub = try StubServer { _, request in
            request.target == "/b/id/7-L.jpg" ? .answer(200, body: picture) : .answer(404)
        }
        let bench = try Bench([.openLibrary: stub], covers: stub)
        let failures = Failures()
        let covers = CoverQueue(online: bench.online, library: bench.library) { failures.add($0) }
        let known = try await bench.library.add(BookDetails(title: "Emma"))
        let other = try await bench.library.add(BookDetails(title: "Dune"))
        await covers.fetch(stub.url.appending(path: "b/id/7-L.jpg"), for: known.id)
        await covers.fetch(stub.url.appending(path: "b/id/8-L.jpg"), for: other.id)
        // Only the known host receives a request.
        let elsewhere = try StubServer { _, _ in .answer(200, body: picture) }
        await covers.fetch(elsewhere.url.appending(path: "b/id/7-L.jpg"), for: other.id)
        await covers.finish()
        let cover = try #require(try await bench.library.entry(known.id).edition?.cover)
        #expect(FileManager.default.fileExists(atPath: bench.library.folder.covers.appending(path: cover).path))
        #expect(try await bench.library.entry(other.id).edition?.cover == nil)
        #expect(failures.all.isEmpty, "a missing picture is not a failure")
        #expect(elsewhere.requests.isEmpty)
        // An existing cover is kept unless the user chose another one.
        await covers.fetch(stub.url.appending(path: "b/id/7-L.jpg"), for: known.id)
        await covers.finish()
        #expect(try await bench.library.entry(known.id).edition?.cover == cover)
        await covers.fetch(stub.url.appending(path: "b/id/7-L.jpg"), for: known.id, onlyMissing: false)
        await covers.finish()
        #expect(try await bench.library.entry(known.id).edition?.cover != cover)
        await bench.close()
    }
}

extension OnlineServices {
    fileprivate func change(_ id: String, enabled: Bool? = nil, key: FieldPatch<String> = .keep) throws {
        try change(ServicesChange(providers: [ServiceChange(id, enabled: enabled, key: key)]))
    }
}
