import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct CatalogCommands {
    private static let list = Array(
        "title,author,isbn,year\nBabel,R. F. Kuang,9780063021426,2022\nDune,Frank Herbert,,1965\n,unknown,,\n".utf8)

    private struct Search: Decodable {
        struct Record: Decodable {
            var title: String
            var isbn: String?
        }
        var records: [Record]
    }

    @Test("The data directory's catalog is imported, searched and described")
    func importsAndSearches() throws {
        let command = try CommandRunner()
        let environment = ["SHELFLIST_DATA": command.folder.appending(path: "data").path]
        try command.write(Self.list, to: "list.csv")
        let imported = try command.run("catalog", "import", "list.csv", environment: environment)
        #expect(imported.status == 0)
        #expect(imported.output.contains("2 new editions"))
        #expect(imported.errors.contains("list.csv, line 4: there is no title"))

        let again = try command.run("catalog", "import", "list.csv", environment: environment)
        #expect(again.output.contains("known") && again.output.contains("0 new editions"))

        for (query, scope) in [
            ("kuang babbel", "all"), ("babel", "title"), ("Kuang", "author"), ("0-06-302142-0", "isbn"),
        ] {
            let found = try command.run(
                "catalog", "search", query, "--scope", scope, "--format", "json", environment: environment)
            #expect(found.status == 0, "\(found.errors)")
            let records = try JSONDecoder().decode(Search.self, from: Data(found.output.utf8)).records
            #expect(records.first?.isbn == "9780063021426", "\(query)")
        }
        let info = try command.run("catalog", "info", environment: environment)
        #expect(info.output.contains("2 works, 2 editions, 2 authors"))
        #expect(info.output.contains("list.csv") && info.output.contains("whole"))

        let doctor = try command.checkup(environment: environment)
        #expect(doctor.contains("✓ catalog") && doctor.contains("2 works, 2 editions"))
    }

    @Test("A file that cannot be imported is named, and the others are imported")
    func badImport() throws {
        let command = try CommandRunner()
        try command.write(Self.list, to: "list.csv")
        try command.write(Array("<html>".utf8), to: "page.html")
        let outcome = try command.run(
            "catalog", "import", "--catalog", "c.sqlite", "page.html", "nowhere.csv", "list.csv")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("page.html is neither an Open Library dump"))
        #expect(outcome.errors.contains("nowhere.csv cannot be opened"))
        #expect(outcome.output.contains("2 new editions"))
    }

    @Test("A missing catalog is reported with what to do")
    func missingCatalog() throws {
        let command = try CommandRunner()
        let outcome = try command.run("catalog", "search", "babel", "--catalog", "none.sqlite")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("There is no catalog at none.sqlite. Create one with: shelflist catalog import"))
    }

    @Test("An online search without a provider says how to configure one")
    func onlineWithoutProvider() throws {
        let command = try CommandRunner()
        let outcome = try command.run("catalog", "search", "babel", "--online")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("no provider is turned on; for example: shelflist providers on"))
    }

    @Test("Providers are enabled and disabled, and doctor reports one without its key")
    func configuresProviders() throws {
        let command = try CommandRunner()
        let data = ["SHELFLIST_DATA": command.folder.appending(path: "data").path]
        #expect(try command.run("providers", environment: data).output.contains("Open Library"))
        #expect(try command.run("providers", "on", "isbndb", environment: data).status == 0)
        let checkup = try command.checkup(environment: data)
        #expect(checkup.contains("ISBNdb has no key and is not used"))
        #expect(checkup.contains("shelflist providers key isbndb"))
        #expect(try command.run("providers", "off", "isbndb", environment: data).status == 0)
        #expect(try command.checkup(environment: data).contains("no titles are sent"))
        #expect(try command.run("providers", "on", "amazon", environment: data).status == 1)
        // What the environment says counts.
        let configured = data.merging(["SHELFLIST_PROVIDERS": "googlebooks"]) { $1 }
        #expect(try command.checkup(environment: configured).contains("on: Google Books"))
        #expect(try command.run("providers", "on", "openlibrary", environment: configured).status == 1)
        let wrong = data.merging(["SHELFLIST_PROVIDERS": "amazon"]) { $1 }
        #expect(try command.checkup(environment: wrong).contains("✗ settings"))
    }
}
