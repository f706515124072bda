import Foundation
import ReadingFixtures
import ServerFixtures
import Terminal
import TestSupport
import Testing

/// `library show`, `add`, `duplicates` and `inventory` with `--server`, beside the same on the server's data folder.
@Suite(.serialized, .endsHangs) struct RemoteLibraryTests {
    private static let everything = [
        "--title", "Dune", "--subtitle", "A Novel", "--author", "Frank Herbert", "--author", "Ann Editor", "--isbn",
        "0441172717", "--series", "Dune", "--publisher", "Ace", "--year", "1990", "--pages", "535", "--language", "en",
        "--shelf", "Hall", "--reading", "to-read", "--rating", "4.5", "--started", "2026-11", "--notes", "Signed",
        "--tag", "gift", "--tag", "old", "--lent-to", "Bob",
    ]

    @Test("A book is added with all its details, and shown, as on the server's machine")
    func addAndShow() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            func show(_ id: String) throws -> [Substring] {
                let lines = try both.local(["library", "show", id]).output.split(separator: "\n")
                return lines.filter { !$0.hasPrefix("added") }
            }
            #expect(try both.local(["library", "add"] + Self.everything).output == "Added as book 1.\n")
            let added = try both.remote(["library", "add"] + Self.everything)
            #expect(
                added.output == """
                    Added as book 2.
                    It may be in the library already: Dune
                    Decide with: shelflist library duplicates

                    """, "\(added)")
            #expect(try show("2") == show("1"))
            let shown = try show("2").joined(separator: "\n")
            for part in [
                "A Novel", "Frank Herbert, Ann Editor", "9780441172719", "Ace", "535", "lent to Bob", "4.5 of 5",
                "Signed",
                "gift, old", "2026-11", "verified",
            ] { #expect(shown.contains(part), "\(part): \(shown)") }
            for format in ["table", "json"] { try both.expectSame("library", "show", "2", "--format", format) }
            for arguments in [
                ["library", "show", "99"], ["library", "add", "--title", "X", "--isbn", "9780441172710"],
                ["library", "add", "--title", "X", "--rating", "7"],
                ["library", "add", "--title", "X", "--started", "soon"], ["library", "add", "--title", " "],
            ] {
                let (local, remote) = (try both.local(arguments), try both.remote(arguments))
                #expect(remote.status == 1 && local.status == 1 && remote.output.isEmpty, "\(remote) \(local)")
                #expect(!remote.errors.isEmpty && remote.errors.hasPrefix("shelflist: "), "\(remote)")
            }
            #expect(try both.local(["library", "list"]).output.contains("2 books"))
            #expect(try both.remote(["library", "add"]).status == 2)
        }
    }

    @Test("Questions about duplicates are listed and answered as on the server's machine")
    func duplicates() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            try both.expectSame("library", "duplicates")
            for title in ["Dune", "Dune", "Emma", "Emma"] {
                #expect(try both.local(["library", "add", "--title", title, "--author", "Writer"]).status == 0)
            }
            for format in ["table", "json"] { try both.expectSame("library", "duplicates", "--format", format) }
            let unknown = ["library", "duplicates", "99", "--decide", "different"]
            let (local, remote) = (try both.local(unknown), try both.remote(unknown))
            #expect(remote.status == 1 && remote.errors == local.errors, "\(remote)")
            let first = try #require(
                try both.remote(["library", "duplicates"]).output.split(separator: "\n").dropFirst().first?
                    .split(separator: " ").first)
            let decided = try both.remote(["library", "duplicates", String(first), "--decide", "different"])
            #expect(decided.output == "Decided 1.\n", "\(decided)")
            try both.expectSame("library", "duplicates")
            #expect(
                try both.remote(["library", "duplicates", "--all", "--decide", "existing"]).output == "Decided 1.\n")
            try both.expectSame("library", "duplicates")
            #expect(try both.remote(["review", "undo"]).output == "Undone: decided on duplicates.\n")
            #expect(try both.remote(["library", "duplicates"]).output.contains("Emma"))
            try both.expectSame("library", "list")
        }
    }

    @Test("A shelf is compared with its latest scan, or with named ones, as on the server's machine")
    func inventory() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            #expect(try both.remote(["library", "add", "--title", "Walden", "--shelf", "Attic"]).status == 0)
            #expect(try both.remote(["library", "add", "--title", "Iliad", "--shelf", "Hall"]).status == 0)
            for shelf in ["Hall", "Cellar"] {
                let (local, remote) = (
                    try both.local(["library", "inventory", shelf]), try both.remote(["library", "inventory", shelf])
                )
                #expect(remote.status == 1 && remote.errors == local.errors, "\(remote) \(local)")
            }
            for (name, books) in [
                ("a", "Emma"), ("b", "Faust"), ("c", "Emma"), ("d", "Ulysses"), ("e", "Walden"),
            ] { try both.command.write(ScriptedReader.picture("books:\(books)"), to: "\(name).jpg") }
            func scan(_ photos: String...) throws {
                let outcome = try both.remote(["scan", "--import", "--shelf", "Hall"] + photos)
                #expect(outcome.status == 0, "\(outcome)")
            }
            // Two photos of one scan together show the shelf.
            try scan("a.jpg", "b.jpg")
            for format in ["table", "json"] { try both.expectSame("library", "inventory", "hall", "--format", format) }
            let first = try both.remote(["library", "inventory", "Hall"]).output
            #expect(first.hasPrefix("Hall: 2 in the first scan.") && first.contains("Not seen (1)"), "\(first)")
            try scan("c.jpg", "d.jpg")
            try both.expectSame("library", "inventory", "Hall")
            let second = try both.remote(["library", "inventory", "Hall"]).output
            #expect(second.contains("Not seen (2)") && second.contains("Faust"), "\(second)")
            let jobs = try server.send(
                "GET", "/api/v1/scans", headers: ["Authorization": "Bearer \(both.token)"])
            let (latest, before) = (
                try #require(jobs["items", "0", "id"] as? String), try #require(jobs["items", "1", "id"] as? String)
            )
            for format in ["table", "json"] {
                try both.expectSame(
                    "library", "inventory", "Hall", "--scan", latest, "--scan", before, "--format", format)
            }
            let all = try both.remote(["library", "inventory", "Hall", "--scan", latest, "--scan", before]).output
            #expect(all.contains("Not seen (1)") && !all.contains("\nFaust"), "\(all)")
            for outcome in [
                try both.remote(["library", "inventory", "Hall", "--scan", "none"]),
                try both.local(["library", "inventory", "Hall", "--scan", "none"]),
            ] {
                #expect(outcome.status == 1 && outcome.errors.contains("There is no scan 'none'"), "\(outcome)")
            }
        }
    }

    @Test("Moved books are accepted, and a book that was found is not missing")
    func movedAndFound() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            for (name, shelf, books) in [("a", "Attic", "Emma"), ("b", "Hall", "Faust"), ("c", "Hall", "Emma")] {
                // The name makes the photos differ.
                try both.command.write(ScriptedReader.picture("books \(name):\(books)"), to: "\(name).jpg")
                let scan = try both.remote(["scan", "--import", "--shelf", shelf, "\(name).jpg"])
                #expect(scan.status == 0, "\(scan)")
                server.clock.advance(by: .seconds(60))
            }
            #expect(
                try both.remote(["library", "duplicates", "--all", "--decide", "existing"]).output == "Decided 1.\n")
            for format in ["table", "json"] { try both.expectSame("library", "inventory", "Hall", "--format", format) }
            let compared = try both.remote(["library", "inventory", "Hall", "--accept-moved"]).output
            #expect(compared.contains("Not seen (1)") && compared.contains("Moved here (1)"), "\(compared)")
            #expect(try both.remote(["library", "list", "--shelf", "Hall"]).output.contains("Emma"))
            let headers = ["Authorization": "Bearer \(both.token)"]
            let shelf = try server.send("GET", "/api/v1/shelves", headers: headers)
            let hall = try #require(
                (shelf["items"] as? [[String: Any]])?.first { $0["name"] as? String == "Hall" }?["id"] as? String)
            let faust = try #require(
                try server.send("GET", "/api/v1/library?q=faust", headers: headers)["items", "0", "id"] as? String)
            let found = try server.send(
                "POST", "/api/v1/shelves/\(hall)/found", headers: headers, json: #"{"ids":["\#(faust)"]}"#)
            #expect(found.status == 200)
            for format in ["table", "json"] { try both.expectSame("library", "inventory", "Hall", "--format", format) }
            #expect(try !both.remote(["library", "inventory", "Hall"]).output.contains("Not seen"))
        }
    }
}
