import Fixtures
import Foundation
import Library
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Data folders and backups as each version wrote them, which `Scripts/faults/freeze.py` keeps.
@Suite(.serialized, .endsHangs) struct FrozenFolderTests {
    /// What a data folder has to contain.
    private struct Facts: Decodable {
        /// Seconds since 1970; its sessions and scans have not expired then.
        var madeAt: TimeInterval
        var owner: String
        var password: String
        var members: [String]
        var cookie: String
        var token: String
        var app: String
        var job: String
        /// Undoes the import of a list with `listed` books.
        var undoToken: String
        var listed: Int
        /// A title for each copy, in order.
        var titles: [String]
        var passphrase: String
    }

    /// An archive that was unpacked.
    private struct Frozen: ~Copyable {
        private let temporary: TemporaryFolder
        let facts: Facts

        init(_ archive: URL) throws {
            let temporary = try TemporaryFolder()
            let process = try ChildProcess(["tar", "-xzf", archive.path, "-C", temporary.url.path])
            try #require(process.waitUntilExit() == 0, "\(archive.path) cannot be unpacked.")
            facts = try JSONDecoder().decode(
                Facts.self, from: Data(contentsOf: temporary.url.appending(path: "facts.json")))
            self.temporary = consume temporary
        }

        func url(_ name: String) -> URL { temporary.url.appending(path: name) }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Recorded/versions", directoryHint: .isDirectory).standardized

    /// The archives, oldest first.
    private static var archives: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".tar.gz") }
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map { folder.appending(path: $0) }
    }

    @Test("There is a frozen folder")
    func exists() {
        #expect(!Self.archives.isEmpty, "Make it with: python3 Scripts/faults/freeze.py")
    }

    @Test("A data folder of each version opens with its members, keys, scans and books", arguments: archives)
    func opens(archive: URL) async throws {
        let frozen = try Frozen(archive)
        let facts = frozen.facts
        try await withServer(folder: frozen.url("data"), date: Date(timeIntervalSince1970: facts.madeAt)) { server in
            let owner = ["Cookie": facts.cookie]
            #expect(try server.send("GET", "/api/v1/session", headers: owner)["signedIn"] as? Bool == true)
            let credentials = #"{"name":"\#(facts.owner)","password":"\#(facts.password)"}"#
            #expect(try server.send("POST", "/api/v1/session", json: credentials).status == 200)
            let members = try server.send("GET", "/api/v1/members", headers: owner)
            #expect(try Self.names(members) == facts.members)
            #expect(try Self.names(server.send("GET", "/api/v1/apps", headers: owner)) == ["A phone"])
            #expect(try server.send("GET", "\(facts.app)/v1/search/title?q=Emma").status == 200)
            #expect(try server.send("GET", "\(facts.app)x/v1/search/title?q=Emma").status == 403)

            let token = ["Authorization": "Bearer \(facts.token)"]
            let books = try server.books("?limit=200", headers: token)
            #expect(books.items.map(\.title).sorted() == facts.titles)
            let emma = try #require(books.items.first { $0.title == "Emma" })
            #expect(emma.tags == ["novel"] && emma.loan?.to == "Bea" && emma.loan?.due == "2030-01-01")
            let settings = try server.send("GET", "/api/v1/settings", headers: owner)
            #expect(settings["threshold"] as? Double == 0.7 && settings["sourceChosen"] as? Bool == true)

            let scan: ScanStatus = try server.get("/api/v1/scans/\(facts.job)", headers: owner)
            #expect(scan.status == .completed && scan.books > 0)
            let photo = try server.send("GET", "/api/v1/scans/\(facts.job)/photos/1", headers: owner)
            #expect(photo.status == 200 && !photo.body.isEmpty)
            #expect(try server.send("GET", "/api/v1/catalog", headers: owner)["exists"] as? Bool == true)

            let undone = try server.send(
                "POST", "/api/v1/undo", headers: owner, json: #"{"undoToken":"\#(facts.undoToken)"}"#)
            #expect(undone.status == 200)
            #expect(try server.books(headers: token).total == facts.titles.count - facts.listed)
        }
    }

    /// The names of a page, sorted.
    private static func names(_ answer: Answer) throws -> [String] {
        struct Named: Decodable { var name: String }
        return try answer.decode(Page<Named>.self).items.map(\.name).sorted()
    }

    @Test(
        "A backup of each version is restored, plain and encrypted", arguments: archives,
        ["backup.tar", "backup.tar.age"])
    func restores(archive: URL, name: String) async throws {
        let frozen = try Frozen(archive)
        let restored = LibraryFolder(frozen.url("restored"))
        let passphrase = name.hasSuffix(".age") ? frozen.facts.passphrase : nil
        _ = try LibraryStore.restore(frozen.url(name), to: restored, passphrase: passphrase)
        let store = try LibraryStore(folder: restored)
        #expect(try await store.problems() == [])
        var query = EntryQuery()
        query.limit = 1000
        #expect(try await store.entries(query).entries.map(\.title).sorted() == frozen.facts.titles)
    }
}
