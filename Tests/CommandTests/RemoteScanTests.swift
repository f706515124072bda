import Fixtures
import Foundation
import Providers
import ReadingFixtures
import Scans
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Work that a command has a server do, until its end or Ctrl-C.
@Suite(.serialized, .endsHangs) struct RemoteScanTests {
    @Test("Ctrl-C stops an import on the server, and the same file resumes it")
    func interruptedImport() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let stub = try StubServer { _, request in
            if request.target.contains("Held") {
                mayAnswer.wait()
                mayAnswer.signal()
            }
            return .json(#"{"numFound": 0, "docs": []}"#)
        }
        try await withServer(online: .at([.openLibrary: stub])) { server in
            let remote = try ServerRunner(server)
            // Rows are imported in groups of 50; the second group is held.
            let rows = (1...60).map { "\($0 == 60 ? "Held" : "Book \($0)"),Author \($0)" }.joined(separator: "\n")
            try remote.command.write(Array("title,author\n\(rows)\n".utf8), to: "books.csv")
            let headers = ["Authorization": "Bearer \(remote.token)"]
            func books() throws -> Int {
                try server.send("GET", "/api/v1/library?limit=1", headers: headers)["total"] as? Int ?? 0
            }
            let running = try remote.command.launch(
                ["library", "import", "books.csv"], environment: remote.environment)
            try await eventually { try books() == 50 }
            running.interrupt()
            let outcome = try running.outcome()
            mayAnswer.signal()
            #expect(outcome.status == 130 && outcome.output.isEmpty)
            #expect(outcome.errors == "shelflist: Stopped. Import the file again to resume it.\n")
            let again = try remote.run(["library", "import", "books.csv", "--format", "json"])
            struct List: Decodable { var skipped: Int }
            let list = try JSONDecoder().decode(List.self, from: Data(again.output.utf8))
            #expect(list.skipped == 50, "\(again)")
            #expect(try books() == 60)
        }
    }

    @Test("A scan prints table, JSON and CSV, names the photos that fail, and writes annotated ones")
    func scan() async throws {
        try await withServer(configure: { _, limits in limits.photosPerJob = 2 }) { server in
            let remote = try ServerRunner(server)
            for (name, script) in [
                ("a", "books:Emma|Dune?"), ("b", "books:Ulysses"), ("bad", "fail"), ("c", "books:Faust"),
            ] {
                try remote.command.write(ScriptedReader.picture(script), to: "\(name).jpg")
            }
            try remote.command.write(Array("text".utf8), to: "text.jpg")
            let table = try remote.run(["scan", "a.jpg", "bad.jpg", "none.jpg", "text.jpg", "b.jpg", "c.jpg"])
            #expect(table.status == 1)
            #expect(
                table.output.matches(of: /(a|b|c)\.jpg · \d books? · 100 × 100/).map(\.output.1) == ["a", "b", "c"])
            #expect(table.output.contains("3 photos · 4 books") && table.output.contains("□ read, not checked"))
            for part in [
                "shelflist: bad.jpg: The JPEG file is damaged.", "shelflist: none.jpg: There is no such file.",
                "shelflist: text.jpg: This is not a photo.",
            ] { #expect(table.errors.contains(part), "\(table.errors)") }
            let csv = try remote.run(["scan", "--format", "csv", "--annotate", "seen", "a.jpg"])
            #expect(csv.output.hasPrefix("photo,number,title") && csv.output.contains("a.jpg,2,Dune?,Writer"), "\(csv)")
            let picture = try Data(contentsOf: remote.command.folder.appending(path: "seen/a-annotated.jpg"))
            #expect(picture.starts(with: [0xFF, 0xD8]))
            let json = try remote.run(["scan", "--format", "json", "b.jpg", "c.jpg"])
            struct Document: Decodable {
                struct Photo: Decodable { var path: String }
                var photos: [Photo]
            }
            let document = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
            #expect(document.photos.map(\.path) == ["b.jpg", "c.jpg"])
            #expect(try remote.run(["library", "list"]).output.hasPrefix("No books yet"), "nothing was imported")
        }
    }

    @Test("A photo is checked against the library of the server, which keeps nothing of it")
    func check() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            _ = try remote.run(["library", "add", "--title", "Emma", "--author", "Writer"])
            try remote.command.write(ScriptedReader.picture("books:Emma|Ulysses"), to: "a.jpg")
            let table = try remote.run(["scan", "--check", "a.jpg"])
            #expect(table.status == 0 && table.output.hasPrefix("1 have it, 1 not sure.\n"), "\(table)")
            #expect(try remote.run(["library", "list", "--format", "json"]).output.contains("\"total\": 1"))
            let left = try FileManager.default.contentsOfDirectory(
                atPath: server.folder.appending(path: "jobs").path)
            #expect(left == ["incoming"])
            let refused = try remote.run(["scan", "--check", "--annotate", "seen", "a.jpg"])
            #expect(refused.status == 2 && refused.errors.contains("--annotate"), "\(refused)")
        }
    }

    @Test("Ctrl-C cancels the scan on the server and prints the photos that were read")
    func interrupted() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            try remote.command.write(ScriptedReader.picture("books:Emma"), to: "a.jpg")
            try remote.command.write(ScriptedReader.picture("wait:Dune"), to: "b.jpg")
            let running = try remote.command.launch(["scan", "a.jpg", "b.jpg"], environment: remote.environment)
            let headers = ["Authorization": "Bearer \(remote.token)"]
            try await eventually {
                let jobs: Page<ScanStatus> = try server.get("/api/v1/scans", headers: headers)
                return jobs.items.first?.photos.map(\.photo.status) == [.done, .reading]
            }
            running.interrupt()
            let outcome = try running.outcome()
            #expect(outcome.status == 130)
            #expect(outcome.output.contains("Emma") && !outcome.output.contains("Dune"), "\(outcome)")
            #expect(outcome.errors == "[1/2] a.jpg: 1 book\nshelflist: Stopped. 1 of 2 photos had been read.\n")
            let active = try server.send("GET", "/api/v1/scans?active=true", headers: headers)
            #expect(active["total"] as? Int == 0, "\(active.text)")
            server.reader.release()
        }
    }

    @Test("The terminal shows the progress of the server")
    func progress() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            try remote.command.write(ScriptedReader.picture("wait:Dune"), to: "a.jpg")
            let environment = remote.environment.merging(["HOME": remote.command.folder.path]) { $1 }
            let terminal = try PseudoTerminal(["scan", "a.jpg"], in: remote.command.folder, environment: environment)
            try await terminal.screen(showing: "Reading ▕")
            server.reader.release()
            try await terminal.screen(showing: "Dune")
            #expect(try await terminal.end() == 0)
        }
    }
}
