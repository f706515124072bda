import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

/// Imports of 200 books that are killed at a chosen book, at which a trigger in the database holds them.
@Suite("Killed imports", .blocks) struct KilledImportTests {
    /// A file and how many books of it are imported in one transaction.
    enum List: String, CaseIterable {
        case csv = "list.csv"
        case scan = "scan.json"

        var booksAtOnce: Int { self == .csv ? 50 : 20 }
    }

    private static let books = testsThoroughly ? Array(stride(from: 53, to: 200, by: 6)) : [61, 120, 195]

    @Test("A killed import leaves a valid library and resumes", .endsHangs, arguments: List.allCases, books)
    func killedImport(list: List, book: Int) async throws {
        let command = try CommandRunner()
        try command.write(Array(Self.list.utf8), to: List.csv.rawValue)
        try command.write(Array(try Self.scan().utf8), to: List.scan.rawValue)
        let folder = LibraryFolder(command.folder.appending(path: "data"))
        let environment = ["SHELFLIST_DATA": folder.url.path]
        let imported = (book - 1) / list.booksAtOnce * list.booksAtOnce
        #expect(try await Self.soundCount(folder) == 0)
        try Self.change(folder, Self.hold(at: book))
        let running = try command.launch(["library", "import", list.rawValue], environment: environment)
        try await eventually { try !running.isRunning || Self.count(folder) == imported }
        running.kill()
        #expect(try running.outcome().status == SIGKILL)
        try Self.change(folder, "DROP TRIGGER hold")
        #expect(try await Self.soundCount(folder) == imported)
        let resumed = try command.run("library", "import", list.rawValue, environment: environment)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try await Self.soundCount(folder) == 200)
    }

    /// A trigger that takes without end once there are so many books.
    private static func hold(at book: Int) -> String {
        let tables = (1...12).map { "entry AS e\($0)" }.joined(separator: ", ")
        return """
            CREATE TRIGGER hold AFTER INSERT ON entry WHEN (SELECT count(*) FROM entry) = \(book)
            BEGIN SELECT count(*) FROM \(tables); END
            """
    }

    /// Waits for the other process where it has locked the database.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(longestWait.components.seconds))
        return configuration
    }

    private static func change(_ folder: LibraryFolder, _ statement: String) throws {
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        try queue.write { try $0.execute(sql: statement) }
        try queue.close()
    }

    /// How many books another process has added so far.
    private static func count(_ folder: LibraryFolder) throws -> Int {
        let queue = try DatabaseQueue(path: folder.database.path, configuration: configuration)
        let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") }
        try queue.close()
        return count ?? 0
    }

    /// How many books there are; each once, in a sound database.
    private static func soundCount(_ folder: LibraryFolder) async throws -> Int {
        let store = try LibraryStore(folder: folder)
        let problems = try await store.problems()
        #expect(problems == [])
        let titles = try await store.entries().entries.map(\.title)
        #expect(Set(titles).count == titles.count)
        return titles.count
    }

    private static let list =
        "title,author\n" + (0..<200).map { "\"The \($0). book of a long list\",Author \($0)\n" }.joined()

    /// Ten photos, which are not there, of twenty books each.
    private static func scan() throws -> String {
        let photos = (0..<10).map { photo in
            let books = (0..<20).map { book in
                """
                {"id": "\(book)", "title": "The \(photo * 20 + book). book of a long list", "author": "Author \(photo)",
                "isbn": null, "confidence": 0.9, "checked": true, "reviewStatus": "verified",
                "boundingBox": {"x": \(Double(book) / 20), "y": 0.1, "width": 0.05, "height": 0.8},
                "quad": [[0.1, 0.1], [0.2, 0.1], [0.2, 0.9], [0.1, 0.9]], "text": [],
                "matches": [{"title": "The \(photo * 20 + book). book of a long list", "author": "Author \(photo)",
                "confidence": 0.9, "source": "local"}]}
                """
            }
            return """
                {"path": "gone\(photo).jpg", "width": 4000, "height": 3000, "turn": 0, "seconds": 1, "preprocessed": false,
                "timings": {"decode": 0, "detect": 0, "recognise": 0, "group": 0, "match": 0},
                "quality": {"sharpness": 1, "exposure": 1, "glare": 0, "tilt": 0, "suggestions": []},
                "books": [\(books.joined(separator: ","))], "otherText": []}
                """
        }
        return "{\"photos\": [\(photos.joined(separator: ","))]}"
    }
}
