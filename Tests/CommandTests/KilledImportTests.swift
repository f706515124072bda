import Foundation
import Library
import TestSupport
import Testing

/// Imports of 200 books that are killed at a write: the system ends a process that makes a file larger than its limit.
@Suite("Killed imports", .blocks) struct KilledImportTests {
    /// Limits in blocks of 512 bytes.
    private static let limits =
        testsThoroughly ? Array(stride(from: 1000, through: 8000, by: 280)) : [2000, 4000, 8000]

    @Test("A killed import leaves a valid library and resumes", arguments: ["list.csv", "scan.json"], limits)
    func killedImport(file: String, limit: Int) async throws {
        let command = try CommandRunner()
        try command.write(Array(Self.list.utf8), to: "list.csv")
        try command.write(Array(try Self.scan().utf8), to: "scan.json")
        let folder = LibraryFolder(command.folder.appending(path: "data"))
        let environment = ["SHELFLIST_DATA": folder.url.path]
        let killed = try command.launch(
            ["library", "import", file], environment: environment,
            through: ["/bin/sh", "-c", #"ulimit -f \#(limit); exec "$0" "$@""#]
        ).outcome()
        #expect(killed.status == SIGXFSZ, "\(killed)")
        let count = try await Self.soundCount(folder)
        #expect(count > 0 && count < 200, "\(count)")
        let resumed = try command.run("library", "import", file, environment: environment)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(try await Self.soundCount(folder) == 200)
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
                "isbn": null, "confidence": 0.9, "reviewStatus": "verified",
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
