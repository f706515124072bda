import Foundation
import Library
import Server
import ServerFixtures
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ExchangeRouteTests {
    /// Uploads a list, starts the import and waits for its end.
    private static func take(
        _ list: [UInt8], into server: TestServer, start: String = "{}", headers: [String: String] = [:]
    ) async throws -> Answer {
        let uploaded = try server.send(
            "POST", "/api/v1/imports", headers: headers.merging(["Content-Type": "text/csv"]) { $1 }, body: list)
        let id = try #require(uploaded.string("id"), "\(uploaded.text)")
        let started = try server.send("POST", "/api/v1/imports/\(id)/start", headers: headers, json: start)
        try #require(started.status == 202, "\(started.text)")
        var state = started
        try await eventually {
            state = try server.send("GET", "/api/v1/imports/\(id)", headers: headers)
            return state.string("status") != "running"
        }
        return state
    }

    private static func add(_ server: TestServer) throws {
        let shelf = try #require(
            try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall; \"left\""}"#).string("id"))
        let added = try server.send(
            "POST", "/api/v1/library",
            json: """
                {"title":"=Dune; \\"1\\"","authors":["Frank Herbert","Bob; Smith"],"isbn":"9780441172719","shelf":"\(shelf)",
                 "tags":["desert; worm"]}
                """)
        let path = "/api/v1/library/\(try #require(added.string("id"), "\(added.text)"))"
        let changed = try server.send(
            "PATCH", path, headers: ["If-Match": try #require(added.headers["etag"])],
            json: #"{"readingStatus":"read","rating":4.5,"notes":"Two\nlines, with \"quotes\""}"#)
        try #require(changed.status == 200, "\(changed.text)")
        _ = try server.send("POST", "/api/v1/library", json: #"{"title":"日本の本"}"#)
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
                #expect(report.string("status") == "completed", "\(report.text)")
                #expect(report.string("format") == "shelflist")
                #expect(report["added"] as? Int == 2)
                #expect(try two.send("GET", "/api/v1/export").body == list.body)
                let again = try await Self.take(list.body, into: two)
                #expect(again["added"] as? Int == 0)
                #expect(again["skipped"] as? Int == 2)
                for (format, type) in [("json", "application/json"), ("bibtex", "application/x-bibtex; charset=utf-8")]
                {
                    let other = try one.send("GET", "/api/v1/export?format=\(format)")
                    #expect(other.headers["content-type"] == type)
                    #expect(other.text.contains("Herbert"))
                }
                #expect(try one.send("GET", "/api/v1/export?format=pdf").status == 400)
            }
        }
    }

    @Test("An export for Goodreads has its columns")
    func goodreadsExport() async throws {
        try await withServer { server in
            try Self.add(server)
            let list = try server.send("GET", "/api/v1/export?format=goodreads")
            #expect(list.text.hasPrefix("Book Id,Title,Author,Author l-f,"))
            #expect(list.text.contains("9780441172719"))
        }
    }

    @Test("At most two lists are imported at a time, and a canceled one makes room")
    func importsAtOnce() async throws {
        try await withServer { server in
            var ids: [String] = []
            for list in 0..<3 {
                let rows = (0..<20_000).map { "Book \(list) \($0)" }.joined(separator: "\n")
                let uploaded = try server.send(
                    "POST", "/api/v1/imports", headers: ["Content-Type": "text/csv"], body: Array("title\n\(rows)".utf8)
                )
                ids.append(try #require(uploaded.string("id"), "\(uploaded.text)"))
            }
            func start(_ id: String) throws -> Answer {
                try server.send("POST", "/api/v1/imports/\(id)/start", json: "{}")
            }
            #expect(try start(ids[0]).status == 202)
            #expect(try start(ids[1]).status == 202)
            let refused = try start(ids[2])
            #expect(refused.status == 429 && refused.string("code") == "too_many_imports", "\(refused.text)")
            #expect(refused["retryable"] as? Bool == true)
            for id in ids.prefix(2) { _ = try server.send("DELETE", "/api/v1/imports/\(id)") }
            try await eventually {
                try ids.prefix(2).allSatisfy {
                    try server.send("GET", "/api/v1/imports/\($0)").string("status") == "canceled"
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
            func upload(_ query: String) throws -> Answer {
                try server.send(
                    "POST", "/api/v1/imports\(query)", headers: ["Content-Type": "text/csv"], body: list)
            }
            let shown = try upload("")
            #expect(shown.string("encoding") == "windows-1250")
            #expect((shown["encodings"] as? [String])?.contains("Shift_JIS") == true)
            let other = try upload("?encoding=WINDOWS-1252")
            #expect(other.string("encoding") == "windows-1252" && other["otherEncoding"] is NSNull)
            #expect((other["sample"] as? [[String]])?.first == ["£ódŸ", "Ann"])
            let refused = try upload("?encoding=latin-99")
            #expect(refused.status == 400 && refused.string("field") == "encoding")
            #expect(refused.string("detail")?.contains("windows-1252") == true)

            _ = try server.send("POST", "/api/v1/imports/\(try #require(shown.string("id")))/start", json: "{}")
            try await eventually { try server.send("GET", "/api/v1/library")["total"] as? Int == 1 }
            #expect(try server.send("GET", "/api/v1/library")["items", "0", "title"] as? String == "Łódź")
        }
    }

    @Test("A table is previewed before its columns are mapped")
    func mapsColumns() async throws {
        try await withServer { server in
            let shelf = try #require(try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#).string("id"))
            let list = Array("Nom;Qui;Pages;Lieu\nDune;Frank Herbert;535;Cave\nEmma;Jane Austen;x;Cave\n;;;\n".utf8)
            let shown = try server.send(
                "POST", "/api/v1/imports", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [list], part: "file"))
            #expect(shown.status == 201, "\(shown.text)")
            #expect(shown.string("status") == "preview")
            #expect(shown.string("format") == "csv")
            #expect(shown.string("encoding") == "UTF-8")
            #expect(shown.string("delimiter") == ";")
            #expect(shown["columns"] as? [String] == ["Nom", "Qui", "Pages", "Lieu"])
            #expect(shown["mapping", "Pages"] as? String == "pages")
            #expect(shown["mapping", "Nom"] is NSNull)
            #expect(shown["rows"] as? Int == 3)
            #expect((shown["sample"] as? [[String]])?.first == ["Dune", "Frank Herbert", "535", "Cave"])
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 0)

            let path = "/api/v1/imports/\(try #require(shown.string("id")))"
            #expect(try server.send("POST", path + "/start", json: "{}").string("field") == "file")
            for (mapping, field) in [
                (#"{"Name":"title"}"#, "mapping"), (#"{"Nom":"colour"}"#, "mapping"),
                (#"{"Nom":"title","Qui":"title"}"#, "mapping"),
            ] {
                let refused = try server.send("POST", path + "/start", json: #"{"mapping":\#(mapping)}"#)
                #expect(refused.status == 422)
                #expect(refused.string("field") == field)
            }
            #expect(try server.send("POST", path + "/start", json: #"{"shelf":"99"}"#).status == 422)
            let how = #"{"mapping":{"Nom":"title","Qui":"author","Pages":null,"Lieu":null},"shelf":"\#(shelf)"}"#
            let done = try await Self.take(list, into: server, start: how)
            #expect(done["added"] as? Int == 2, "\(done.text)")
            #expect(done["failedRows", "0", "line"] as? Int == 4)
            let books = try server.send("GET", "/api/v1/library?shelf=\(shelf)")
            #expect(books["total"] as? Int == 2)
            #expect(books["items", "0", "title"] as? String == "Dune")
            #expect(books["items", "0", "authors"] as? [String] == ["Frank Herbert"])
        }
    }

    @Test("A list that is too large, too long or missing is refused with the limit")
    func refusesLists() async throws {
        try await withServer { server in
            func upload(_ list: [UInt8]) throws -> Answer {
                try server.send("POST", "/api/v1/imports", headers: ["Content-Type": "text/csv"], body: list)
            }
            let long = try upload(
                Array("title\n".utf8) + Array(repeatElement(Array("a\n".utf8), count: 200_001).joined()))
            #expect(long.status == 422)
            #expect(long.string("detail")?.contains("200000 rows") ?? false, "\(long.text)")
            let large = try Connection(port: server.port)
            try large.send(
                "POST /api/v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n"
                    + "Content-Length: 50000001\r\n\r\n")
            let answer = try large.answer()
            #expect(answer.status == 413)
            #expect(answer["limit"] as? Int == 50_000_000)
            #expect(try upload([]).string("field") == "file")
            let form = try server.send(
                "POST", "/api/v1/imports", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [], fields: ["other": "x"]))
            #expect(form.string("field") == "file")
            #expect(try server.send("POST", "/api/v1/imports", json: "{}").status == 415)
            #expect(try server.send("GET", "/api/v1/imports/none").status == 404)
            #expect(try server.send("DELETE", "/api/v1/imports/none").status == 204)
        }
    }

    @Test("Roles apply to lists and backups")
    func rolesForLists() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            func member(_ role: String) throws -> [String: String] {
                _ = try server.send(
                    "POST", "/api/v1/members", headers: owner,
                    json: #"{"name":"\#(role)","password":"a long password","role":"\#(role)"}"#)
                return try server.cookie(
                    server.send("POST", "/api/v1/session", json: #"{"name":"\#(role)","password":"a long password"}"#))
            }
            let (viewer, editor) = (try member("viewer"), try member("editor"))
            func upload(_ headers: [String: String]) throws -> Int {
                try server.send(
                    "POST", "/api/v1/imports", headers: headers.merging(["Content-Type": "text/csv"]) { $1 },
                    body: Array("title\nDune\n".utf8)
                ).status
            }
            #expect(try upload(viewer) == 403)
            #expect(try upload(editor) == 201)
            #expect(try server.send("GET", "/api/v1/export", headers: viewer).status == 200)
            #expect(try server.send("GET", "/api/v1/backup", headers: editor).status == 403)
            #expect(try server.send("GET", "/api/v1/backup", headers: owner).status == 200)
        }
    }

    @Test("A backup taken while books are added can be restored")
    func backupWhileWriting() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        try await withServer { server in
            let id = try #require(try server.scan(["books:Dune|Emma"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
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
            let manifest = try LibraryStore.restore(file, to: restored)
            #expect(manifest.entries >= 2)
            #expect(manifest.files.contains { $0.name.hasPrefix("photos/") })
            #expect(try await LibraryStore(folder: restored).entries().total == manifest.entries)
            let left = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
            #expect(!left.contains { $0.hasSuffix(".tar") || $0.hasPrefix(".") })
        }
    }
}
