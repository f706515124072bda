import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct OwnRouteTests {
    private static func own(_ query: String, _ server: TestServer) throws -> OwnAnswer {
        try server.get("/api/v1/own?\(query)")
    }

    @Test("An ISBN or a title is answered with the copies, and what is missing or wrong is named")
    func answers() async throws {
        try await withServer { server in
            let dune = try server.addBook(#"{"title":"Dune","authors":["Frank Herbert"],"isbn":"9780441172719"}"#)
            let scanned = try Self.own("isbn=978-0-441-17271-9", server)
            #expect(scanned.verdict == .have && scanned.copies.map(\.id) == [dune.id])
            #expect(try Self.own("title=dune&author=Herbert", server).verdict == .have)
            #expect(try Self.own("title=Dune&author=Anna+Lehn", server).verdict == .notYours)
            #expect(try Self.own("isbn=9780141439587", server) == OwnAnswer(.unsure), "no source knows the ISBN")
            let wrong = try server.send("GET", "/api/v1/own?isbn=9780441172710")
            #expect(wrong.status == 400 && wrong.problem?.field == "isbn")
            #expect(try server.send("GET", "/api/v1/own").status == 400)
        }
    }

    @Test("A missing volume of a series is answered with the series and its number")
    func gap() async throws {
        try await withServer { server in
            for (title, series) in [("A Wizard", "Earthsea, #1"), ("The Shore", "Earthsea, #3")] {
                _ = try server.addBook(
                    #"{"title":"\#(title)","authors":["Ann Guin"],"correction":{"series":"\#(series)"}}"#)
            }
            let answer = try Self.own("title=Earthsea+2", server)
            #expect((answer.verdict, answer.series?.name, answer.volume) == (.fillsGap, "Earthsea", "2"))
            #expect(answer.series?.books == nil)
        }
    }

    @Test("A photo to check has a verdict for each spine; nothing is imported, and the photo is deleted")
    func check() async throws {
        try await withServer { server in
            _ = try server.changeSettings(#"{"askBeforeAdding":false}"#)
            _ = try server.addBook(#"{"title":"Dune","authors":["Writer"]}"#)
            let accepted = try server.scan(
                photos: [try ScriptedReader.picture("books:Dune|Emma")],
                fields: ["purpose": "check", "threshold": "0.3"])
            let job = try server.finish(accepted)
            let results = try server.results(of: job)
            let verdicts = Dictionary(uniqueKeysWithValues: results.books.map { ($0.title, $0.own?.verdict) })
            #expect(verdicts == ["Dune": .have, "Emma": .notYours])
            #expect(try server.books().total == 1)
            #expect(results.undoToken == nil)
            let folder = server.folder.appending(path: "jobs/\(job)")
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            let refused = try server.send("POST", "/api/v1/scans/\(job)/import", json: "{}")
            #expect(refused.status == 409 && refused.problem?.code == "job_closed")
            #expect(try server.books().total == 1)
        }
    }

    @Test("A token that may only scan, and that of a job, learn the verdict of a spine and nothing else of the library")
    func scanScope() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let shelf: LibraryShelf = try server.send(
                "POST", "/api/v1/shelves", headers: owner, json: #"{"name":"Safe behind the picture"}"#
            ).decode(status: 201)
            let details = #""details":{"barcode":"BC-1","tags":["private"],"notes":"NOTE"}"#
            let book: LibraryBook = try server.send(
                "POST", "/api/v1/library", headers: owner,
                json: #"{"title":"Dune","authors":["Writer"],"shelf":"\#(shelf.id)",\#(details)}"#
            ).decode(status: 201)
            let loan = try server.send(
                "PUT", "/api/v1/library/\(book.id)/loan", headers: owner, json: #"{"to":"Borrower Bill"}"#)
            #expect(loan.status == 200)
            for (title, series) in [("A Wizard", "Earthsea, #1"), ("The Shore", "Earthsea, #3")] {
                _ = try server.send(
                    "POST", "/api/v1/library", headers: owner,
                    json: #"{"title":"\#(title)","authors":["Ann Guin"],"correction":{"series":"\#(series)"}}"#)
            }
            let scanner = try server.addToken(["scan"], by: owner)
            let accepted = try server.scan(
                photos: [try ScriptedReader.picture("books:Dune|Earthsea 2|Emma")],
                fields: ["purpose": "check", "threshold": "0.3"], headers: scanner
            ).decode(ScanAccepted.self)
            _ = try server.events(of: accepted.jobId, token: accepted.token)
            let path = "/api/v1/scans/\(accepted.jobId)/results"
            let jobToken = ["Authorization": "Bearer \(accepted.token)"]
            let reader = try server.addToken(["read", "scan"], by: owner)
            for (headers, isWhole) in [(scanner, false), (jobToken, false), (reader, true), (owner, true)] {
                let answer = try server.send("GET", path, headers: headers)
                let results: ScanResults = try answer.decode()
                let own = Dictionary(uniqueKeysWithValues: results.books.map { ($0.title, $0.own) })
                #expect(own["Dune"]??.verdict == .have && own["Emma"]??.verdict == .notYours)
                #expect(own.count == 3 && results.books.allSatisfy { !$0.id.isEmpty })
                for secret in ["Borrower Bill", "Safe behind", "BC-1", "private", "NOTE", "Wizard"] where !isWhole {
                    #expect(!answer.text.contains(secret))
                }
                if !isWhole { #expect(results.books.allSatisfy { $0.own == $0.own.map { OwnAnswer($0.verdict) } }) }
                #expect(answer.text.contains("Borrower Bill") == isWhole)
            }
            // Ending the scan answers with the same.
            let ended = try server.send("DELETE", "/api/v1/scans/\(accepted.jobId)?keep=results", headers: scanner)
            #expect(!ended.text.contains("Borrower Bill"))
        }
    }

    @Test("A photo of a shelf has no verdicts, and one to check cannot be imported at once")
    func otherScans() async throws {
        try await withServer { server in
            let job = try server.finish(server.scan(["books:Dune"]))
            #expect(try server.results(of: job).books.map(\.own) == [nil])
            let both = try server.scan(["books:Dune"], fields: ["purpose": "check", "import": "true"])
            #expect(both.status == 422 && both.problem?.field == "import")
            #expect(try server.scan(["books:Dune"], fields: ["purpose": "buy"]).status == 422)
        }
    }
}
