import Catalog
import Foundation
import TestSupport
import Testing

/// A temporary folder with a catalog and files to import, deleted after the test.
final class CatalogFolder {
    private let folder: TemporaryFolder
    var url: URL { folder.url }
    let catalog: Catalog

    init() throws {
        folder = try TemporaryFolder()
        catalog = try Catalog(path: folder.url.appending(path: "catalog.sqlite").path)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let path = url.appending(path: name)
        try Data(bytes).write(to: path)
        return path.path
    }

    func file(_ name: String, _ text: String) throws -> String { try file(name, text.utf8) }

    @discardableResult
    func importing(_ name: String, _ bytes: some Sequence<UInt8>) throws -> ImportReport.File {
        let report = try catalog.importFiles([file(name, bytes)])
        return try #require(report.files.first)
    }
}

/// Returns a fixture, which was written by the scripts beside it.
func fixture(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appending(path: name)
    return Array(try Data(contentsOf: url))
}

/// SplitMix64, which generates the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

/// A small Open Library dump.
enum SampleDump {
    static let authors = """
        /type/author\t/authors/OL1A\t1\t2020-01-01T00:00:00\t{"name": "R. F. Kuang", "key": "/authors/OL1A"}
        /type/author\t/authors/OL2A\t1\t2020-01-01T00:00:00\t{"key": "/authors/OL2A", "personal_name": "Frank Herbert", "bio": {"type": "/type/text", "value": "He wrote \\"Dune\\" {and more}"}}

        """
    static let works = """
        /type/work\t/works/OL10W\t3\t2020-01-01T00:00:00\t{"title": "Babel", "subtitle": "or the necessity of violence", "authors": [{"type": {"key": "/type/author_role"}, "author": {"key": "/authors/OL1A"}}], "key": "/works/OL10W"}
        /type/work\t/works/OL20W\t3\t2020-01-01T00:00:00\t{"covers": [-1, 5], "title": "Dune", "authors": [{"author": "/authors/OL2A"}]}

        """
    static let editions = """
        /type/edition\t/books/OL100M\t2\t2020-01-01T00:00:00\t{"title": "Babel", "works": [{"key": "/works/OL10W"}], "isbn_13": ["978-0-06-302142-6"], "isbn_10": ["0063021420", "0451524934"], "publishers": ["Harper Voyager", "x"], "number_of_pages": 545, "covers": [-1, 12], "publish_date": "Aug 23, 2022", "languages": [{"key": "/languages/eng"}], "series": ["Oxford, 1"]}
        /type/edition\t/books/OL200M\t2\t2020-01-01T00:00:00\t{"title": "Duna \\u00e9pica \\ud83d\\ude80", "works": [{"key": "/works/OL20W"}], "isbn_10": ["080442957X"], "table_of_contents": [{"title": "not } this"}, ["\\\\"]], "languages": [{"key": "/languages/spa"}]}
        /type/edition\t/books/OL300M\t2\t2020-01-01T00:00:00\t{"title": "Lone edition", "authors": [{"key": "/authors/OL1A"}]}
        /type/redirect\t/books/OL400M\t2\t2020-01-01T00:00:00\t{"location": "/books/OL100M"}

        """
}
