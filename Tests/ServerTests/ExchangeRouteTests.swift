import Foundation
import Library
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ExchangeRouteTests {
    private static func upload(_ list: [UInt8], to server: TestServer, query: String = "") throws -> Answer {
        try server.send("POST", "/api/v1/imports\(query)", headers: ["Content-Type": "text/csv"], body: list)
    }

    /// Uploads a list, starts the import and waits for its end.
    private static func take(_ list: [UInt8], into server: TestServer, start: String = "{}") async throws -> ListImport
    {
        let path = "/api/v1/imports/\(try upload(list, to: server).decode(ListImport.self).id)"
        let started = try server.send("POST", path + "/start", json: start)
        var state = try started.decode(ListImport.self, status: 202)
        try await eventually {
            state = try server.get(path)
            return state.status != .running
        }
        return state
    }

    private static func add(_ server: TestServer) throws {
        let shelf = try server.addShelf(#"Hall; \"left\""#).id
        let added = try server.addBook(
            """
            {"title":"=Dune; \\"1\\"","authors":["Frank Herbert","Bob; Smith"],"isbn":"9780441172719","shelf":"\(shelf)",
             "tags":["desert; worm"]}
            """)
        _ = try server.send(
            "PATCH", "/api/v1/library/\(added.id)", headers: ["If-Match": added.etag],
            json: #"{"readingStatus":"read","rating":4.5,"notes":"Two\nlines, with \"quotes\""}"#
        ).decode(LibraryBook.self, status: 200)
        _ = try server.addBook(#"{"title":"日本の本"}"#)
    }

    @Test("An exported list imports unchanged")
    func ownListRoundTrip() async throws {
        try await withServer { one in
            try await withServer { two in
                try Self.add(one)
                let list = try one.send("GET", "/api/v1/export?format=csv")
                #expect(list.headers["content-type"] == "text/csv; charset=utf-8")
                #expect(list.headers["content-disposition"] == "attachment; filename=\"shelflist.csv\"")
                let report = try await Self.take(list.body, into: two)
                #expect(report.status == .completed, "\(report)")
                #expect(report.format == "shelflist")
                #expect(report.added == 2)
                #expect(try two.send("GET", "/api/v1/export").body == list.body)
                let again = try await Self.take(list.body, into: two)
                #expect(again.added == 0)
                #expect(again.skipped == 2)
                for (format, type) in [
                    ("json", "application/json"), ("bibtex", "application/x-bibtex; charset=utf-8"),
                    ("ris", "application/x-research-info-systems; charset=utf-8"),
                    ("csl", "application/vnd.citationstyles.csl+json"), ("marcxml", "application/marcxml+xml"),
                ] {
                    let other = try one.send("GET", "/api/v1/export?format=\(format)")
                    #expect(other.headers["content-type"] == type)
                    #expect(other.text.contains("Herbert"))
                }
                let names = try ListFormat.allCases.map { format in
                    try one.send("GET", "/api/v1/export?format=\(format.rawValue)").headers["content-disposition"] ?? ""
                }
                #expect(Set(names).count == ListFormat.allCases.count, "\(names)")
                #expect(names.contains("attachment; filename=\"shelflist-goodreads.csv\""))
                let goodreads = try one.send("GET", "/api/v1/export?format=goodreads").text
                #expect(goodreads.hasPrefix("Book Id,Title,Author,Author l-f,") && goodreads.contains("9780441172719"))
                #expect(try one.send("GET", "/api/v1/export?format=pdf").status == 400)
                let last = try #require(try one.books().items.last)
                let chosen = try one.send("GET", "/api/v1/export?format=ris&ids=\(last.id)").text
                #expect(chosen.contains("日本の本") && !chosen.contains("Herbert"))
                let refused = try one.send("GET", "/api/v1/export?ids=1,x")
                #expect(refused.status == 400 && refused.problem?.field == "ids")
            }
        }
    }

    @Test("At most two lists are imported at a time, and a canceled one makes room")
    func importsAtOnce() async throws {
        try await withServer { server in
            let ids = try (0..<3).map { list in
                let rows = (0..<20_000).map { "Book \(list) \($0)" }.joined(separator: "\n")
                return try Self.upload(Array("title\n\(rows)".utf8), to: server).decode(ListImport.self).id
            }
            func start(_ id: String) throws -> Answer {
                try server.send("POST", "/api/v1/imports/\(id)/start", json: "{}")
            }
            #expect(try start(ids[0]).status == 202)
            #expect(try start(ids[1]).status == 202)
            let refused = try start(ids[2])
            #expect(refused.status == 429 && refused.problem?.code == "too_many_imports", "\(refused.text)")
            #expect(refused.problem?.retryable == true)
            for id in ids.prefix(2) { _ = try server.send("DELETE", "/api/v1/imports/\(id)") }
            try await eventually {
                try ids.prefix(2).allSatisfy {
                    try server.get("/api/v1/imports/\($0)", as: ListImport.self).status == .canceled
                }
            }
            #expect(try start(ids[2]).status == 202)
            _ = try server.send("DELETE", "/api/v1/imports/\(ids[2])")
        }
    }

    @Test("A list is read in the encoding that the client names, and the preview names the encoding otherwise")
    func encoding() async throws {
        try await withServer { server in
            // "Łódź" in Windows-1250.
            let list = Array("title,author\n".utf8) + [0xA3, 0xF3, 0x64, 0x9F] + Array(",Ann\n".utf8)
            let shown = try Self.upload(list, to: server).decode(ListImport.self)
            #expect(shown.encoding == "windows-1250")
            #expect(shown.encodings.contains("Shift_JIS"))
            let other = try Self.upload(list, to: server, query: "?encoding=WINDOWS-1252")
            #expect(other["otherEncoding"] is NSNull)
            let preview = try other.decode(ListImport.self)
            #expect(preview.encoding == "windows-1252")
            #expect(preview.sample.first == ["£ódŸ", "Ann"])
            let refused = try Self.upload(list, to: server, query: "?encoding=latin-99")
            #expect(refused.status == 400 && refused.problem?.field == "encoding")
            #expect(refused.problem?.detail.contains("windows-1252") == true)

            _ = try server.send("POST", "/api/v1/imports/\(shown.id)/start", json: "{}")
            try await eventually { try server.books().total == 1 }
            #expect(try server.books().items.first?.title == "Łódź")
        }
    }

    @Test("A table is previewed before its columns are mapped")
    func mapsColumns() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            let list = Array("Nom;Qui;Pages;Lieu\nDune;Frank Herbert;535;Cave\nEmma;Jane Austen;x;Cave\n;;;\n".utf8)
            let uploaded = try server.send(
                "POST", "/api/v1/imports", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [list], part: "file"))
            let shown = try uploaded.decode(ListImport.self, status: 201)
            #expect(shown.status == .preview)
            #expect(shown.format == "csv")
            #expect(shown.encoding == "UTF-8")
            #expect(shown.delimiter == ";")
            #expect(shown.columns == ["Nom", "Qui", "Pages", "Lieu"])
            #expect(shown.mapping["Pages"] == "pages")
            #expect(uploaded["mapping", "Nom"] is NSNull)
            #expect(shown.rows == 3)
            #expect(shown.sample.first == ["Dune", "Frank Herbert", "535", "Cave"])
            #expect(try server.books().total == 0)

            let path = "/api/v1/imports/\(shown.id)"
            #expect(try server.send("POST", path + "/start", json: "{}").problem?.field == "file")
            for (mapping, field) in [
                (#"{"Name":"title"}"#, "mapping"), (#"{"Nom":"colour"}"#, "mapping"),
                (#"{"Nom":"title","Qui":"title"}"#, "mapping"),
            ] {
                let refused = try server.send("POST", path + "/start", json: #"{"mapping":\#(mapping)}"#)
                #expect(refused.status == 422)
                #expect(refused.problem?.field == field)
            }
            #expect(try server.send("POST", path + "/start", json: #"{"shelf":"99"}"#).status == 422)
            let how = #"{"mapping":{"Nom":"title","Qui":"author","Pages":null,"Lieu":null},"shelf":"\#(shelf)"}"#
            let done = try await Self.take(list, into: server, start: how)
            #expect(done.added == 2, "\(done)")
            #expect(done.failedRows.first?.line == 4)
            let books = try server.books("?shelf=\(shelf)")
            #expect(books.total == 2)
            #expect(books.items.first?.title == "Dune")
            #expect(books.items.first?.authors == ["Frank Herbert"])
        }
    }

    @Test("A list that is too large, too long or missing is refused with the limit")
    func refusesLists() async throws {
        try await withServer { server in
            let long = try Self.upload(
                Array("title\n".utf8) + Array(repeatElement(Array("a\n".utf8), count: 200_001).joined()), to: server)
            #expect(long.status == 422)
            #expect(long.problem?.detail.contains("200000 rows") == true, "\(long.text)")
            let large = try Connection(port: server.port)
            try large.send(
                "POST /api/v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                    + "Content-Length: 50000001\r\n\r\n")
            let answer = try large.answer()
            #expect(answer.status == 413)
            #expect(answer.problem?.limit == 50_000_000)
            #expect(try Self.upload([], to: server).problem?.field == "file")
            let form = try server.send(
                "POST", "/api/v1/imports", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [], fields: ["other": "x"]))
            #expect(form.problem?.field == "file")
            #expect(try server.send("POST", "/api/v1/imports", json: "{}").status == 415)
            #expect(try server.send("GET", "/api/v1/imports/none").status == 404)
            #expect(try server.send("DELETE", "/api/v1/imports/none").status == 204)
        }
    }

    @Test("A backup taken while books are added can be restored")
    func backupWhileWriting() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withServer { server in
            _ = try server.finish(server.scan(["books:Dune|Emma"], fields: ["import": "true"]))
            let writing = Task {
                for number in 1...50 {
                    _ = try server.send("POST", "/api/v1/library", json: #"{"title":"Book \#(number)"}"#)
                }
            }
            let backup = try server.send("GET", "/api/v1/backup")
            try await writing.value
            #expect(backup.headers["content-type"] == "application/x-tar")
            let file = folder.appending(path: "backup.tar")
            try Data(backup.body).write(to: file)
            // Restoring verifies every hash and the database's integrity.
            let restored = LibraryFolder(folder.appending(path: "data"))
            let manifest = try LibraryStore.restore(file, to: restored).manifest
            #expect(manifest.entries >= 2)
            #expect(manifest.files.contains { $0.name.hasPrefix("photos/") })
            #expect(try await LibraryStore(folder: restored).entries().total == manifest.entries)
            let left = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
            #expect(!left.contains { $0.hasSuffix(".tar") || $0.hasPrefix(".") })
        }
    }
}
