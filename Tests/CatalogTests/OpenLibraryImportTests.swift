import Bibliography
import Catalog
import Foundation
import Testing

@Suite("Importing Open Library dumps")
struct OpenLibraryImportTests {
    private static let files = [
        "authors": SampleDump.authors, "works": SampleDump.works, "editions": SampleDump.editions,
    ]
    private static let orders = [
        ["authors", "works", "editions"], ["editions", "works", "authors"], ["works", "editions", "authors"],
    ]

    @Test("Authors, works and editions are read in any order", arguments: orders, [true, false])
    func anyOrder(_ order: [String], atOnce: Bool) throws {
        let folder = try CatalogFolder()
        let paths = try order.map { try folder.file($0 + ".txt", Self.files[$0] ?? "") }
        for group in atOnce ? [paths] : paths.map({ [$0] }) {
            let report = try folder.catalog.importFiles(group)
            #expect(report.files.allSatisfy { $0.failure == nil && $0.skipped == 0 })
        }
        let info = try folder.catalog.info()
        #expect(info.authors == 2)
        #expect(info.works == 3)
        #expect(info.editions == 3)
        #expect(info.isIndexed)

        let babel = try #require(folder.catalog.candidates(forWords: ["kuang", "babel", "violence"], limit: 1).first)
        let expected = BookRecord(
            id: "OL100M", work: "OL10W", title: "Babel", subtitle: "or the necessity of violence",
            authors: ["R. F. Kuang"], series: "Oxford, 1", isbn: "9780063021426", publisher: "Harper Voyager",
            year: 2022,
            pages: 545, language: "eng", cover: 12)
        #expect(babel == expected)
    }

    @Test("A translation is found by its own title with the work's author")
    func translation() throws {
        let folder = try CatalogFolder()
        try folder.importing("all.txt", (SampleDump.editions + SampleDump.works + SampleDump.authors).utf8)
        let duna = try #require(folder.catalog.candidates(forWords: ["duna", "herbert"], limit: 5).first)
        #expect(duna.title == "Duna épica 🚀")
        #expect(duna.isbn == "9780804429573")
        #expect(duna.authors == ["Frank Herbert"])
        #expect(
            try folder.catalog.candidates(forWords: ["dune", "duna"], limit: 5).count == 1, "one work, one candidate")
        let dune = BookRecord(id: "", work: "OL20W", title: "")
        #expect(try folder.catalog.editions(of: dune, limit: 100).map(\.id) == ["OL200M"])
        #expect(try folder.catalog.search("0451524934", scope: .isbn).map(\.title) == ["Babel"], "a second ISBN")
        #expect(try folder.catalog.search("lone", scope: .title).map(\.authors) == [["R. F. Kuang"]])
    }

    @Test("Importing a file again under any name adds nothing")
    func idempotent() throws {
        let folder = try CatalogFolder()
        let bytes = Array((SampleDump.authors + SampleDump.works + SampleDump.editions).utf8)
        try folder.importing("first.txt", bytes)
        let before = try folder.catalog.info()
        let again = try folder.importing("second.txt", bytes)
        #expect(again.wasKnown)
        // One more byte makes it a different file with the same rows.
        let longer = try folder.importing("third.txt", bytes + [0x0A])
        #expect(!longer.wasKnown)
        let after = try folder.catalog.info()
        #expect(after.works == before.works)
        #expect(after.editions == before.editions)
        #expect(after.authors == before.authors)
        #expect(after.words == before.words)
        #expect(try folder.catalog.documentFrequency(of: "dune") == 1)
    }

    @Test(
        "Malformed lines are skipped and named",
        arguments: [
            ("no tabs at all", "not five columns"),
            ("/type/edition\t/books/OL1M\t1\t2020\tno JSON", "not a JSON object"),
            ("/type/edition\t/books/OL1M\t1\t2020\t{\"title\": \"cut of", "not a JSON object"),
            ("/type/edition\t/books/OL1M\t1\t2020\t{\"title\": \"x\"} trailing", "not a JSON object"),
            ("/type/edition\t/books/OL1M\t1\t2020\t[1, 2]", "not a JSON object"),
            ("/type/edition\t/books/OL1M\t1\t2020\t", "not a JSON object"),
            ("/type/edition\t/books/1\t1\t2020\t{}", "not the key of an edition"),
            ("/type/work\t/works/OL99999999999999999W\t1\t2020\t{}", "not the key of a work"),
            ("type\tx\t1\t2020\t{}", "not a type"),
        ])
    func malformed(_ line: String, _ reason: String) throws {
        let folder = try CatalogFolder()
        let file = try folder.importing("dump.txt", (SampleDump.works + line + "\n" + SampleDump.editions).utf8)
        #expect(file.skipped == 1)
        #expect(file.failure == nil)
        let message = try #require(file.messages.first)
        #expect(message.contains("dump.txt, line 3: ") && message.contains(reason))
        #expect(try folder.catalog.info().editions == 3)
    }

    @Test(
        "Unusual but valid values are accepted",
        arguments: [
            (#"{"title": 5}"#, nil as String?),
            (#"{"title": "a", "number_of_pages": "many", "covers": null, "isbn_13": "x", "works": []}"#, "a"),
            (#"{"title": "a\u0000b\n\tc"}"#, "a b  c"),
            (#"{"title": "half \ud83d pair"}"#, "half \u{FFFD} pair"),
            (#"{"title": "  spaced  "}"#, "spaced"),
            (#"{"ti\u0074le": "escaped key is not ours", "title": "b"}"#, "b"),
            (#"{ "title" : "wide" , "authors" : [ ] }"#, "wide"),
            (#"{"title": "n", "number_of_pages": 1e3, "x": -1.5e-7, "y": [true, false, null]}"#, "n"),
        ])
    func oddValues(_ json: String, _ title: String?) throws {
        let folder = try CatalogFolder()
        let file = try folder.importing("dump.txt", "/type/edition\t/books/OL7M\t1\t2020\t\(json)\n".utf8)
        #expect(file.skipped == 0)
        let work = BookRecord(id: "", work: "OL7M", title: "")
        #expect(try folder.catalog.editions(of: work, limit: 100).map(\.title) == (title.map { [$0] } ?? []))
    }

    @Test("A dump is recognized by content after malformed lines")
    func malformedStart() throws {
        let folder = try CatalogFolder()
        let lines = "no line of a dump\n\n/type/work\t/works/OL1W\t1\t2020\t{\"title\": \"Emma\"}\n"
        let file = try folder.importing("works.txt", lines.utf8)
        #expect(file.format == "Open Library")
        #expect((file.rows, file.skipped) == (1, 1))
    }

    @Test("A stopped import keeps the records it read and resumes after them")
    func stopAndResume() throws {
        let folder = try CatalogFolder()
        let lines = (1...20_000).map {
            "/type/edition\t/books/OL\($0)M\t1\t2020\t{\"title\": \"Volume number \($0)\", \"isbn_13\": []}\n"
        }
        let path = try folder.file("editions.txt", lines.joined())
        let calls = Counter()
        let first = try folder.catalog.importFiles([path], shouldStop: { calls.next() > 3 })
        #expect(first.wasStopped)
        #expect(!first.files[0].isComplete)
        let partial = try folder.catalog.info()
        #expect((1..<20_000).contains(partial.editions))
        #expect(!partial.isIndexed)
        #expect(partial.files.map(\.isComplete) == [false])
        #expect(throws: CatalogError.notIndexed(path: folder.catalog.path)) { try folder.catalog.search("volume") }
        let served = CatalogFile(URL(filePath: folder.catalog.path))
        #expect(try served.snapshot() == nil, "a server does not use an incomplete catalog")

        let second = try Catalog(path: folder.catalog.path).importFiles([path])
        #expect(!second.wasStopped)
        #expect(second.files[0].isComplete)
        #expect(second.newEditions == 20_000 - partial.editions)
        #expect(second.files[0].rows == 20_000 - partial.editions, "rows that were imported are not read again")
        #expect(try served.snapshot() != nil)
        #expect(try folder.catalog.info().editions == 20_000)
        #expect(try folder.catalog.search("volume number 19999").first?.id == "OL19999M")
    }

    @Test("The records of a killed import are counted, and the next import resumes")
    func killed() throws {
        func works(_ numbers: ClosedRange<Int>) -> String {
            numbers.map { "/type/work\t/works/OL\($0)W\t1\t2020\t{\"title\": \"Volume \($0)\"}\n" }.joined()
        }
        let folder = try CatalogFolder()
        try folder.importing("known.txt", works(1...2).utf8)
        let files = [try folder.file("a.txt", works(3...5)), try folder.file("b.txt", works(6...9))]
        let left = folder.catalog.path + ".left"
        // A copy made while the second file is being read equals the state after a kill.
        let copy = { (progress: ImportProgress) in
            guard progress.path == files[1], !FileManager.default.fileExists(atPath: left) else { return }
            for suffix in ["", "-wal"] {
                let paths = (from: folder.catalog.path + suffix, to: left + suffix)
                #expect(throws: Never.self) { try FileManager.default.copyItem(atPath: paths.from, toPath: paths.to) }
            }
        }
        _ = try folder.catalog.importFiles(files, progress: copy)
        let catalog = try Catalog(path: left)
        #expect(try catalog.info().works == 5)
        let report = try catalog.importFiles(files)
        #expect(report.files.map(\.wasKnown) == [true, false])
        #expect(try catalog.info().works == 9)
        #expect(try catalog.search("volume 4").first?.title == "Volume 4")
    }

    @Test("A missing file is reported and the others are imported")
    func missingFile() throws {
        let folder = try CatalogFolder()
        let report = try folder.catalog.importFiles(["/nowhere/x.txt", folder.file("works.txt", SampleDump.works)])
        #expect(report.files[0].failure?.contains("/nowhere/x.txt cannot be opened") == true)
        #expect(report.hasFailures)
        #expect(try folder.catalog.info().works == 2)
    }

    @Test("A newer dump replaces the records of an older one")
    func newerDump() throws {
        let folder = try CatalogFolder()
        try folder.importing("old.txt", "/type/work\t/works/OL1W\t1\t2020\t{\"title\": \"Old name\"}\n".utf8)
        try folder.importing("new.txt", "/type/work\t/works/OL1W\t2\t2021\t{\"title\": \"New name\"}\n".utf8)
        #expect(try folder.catalog.search("old").isEmpty)
        #expect(try folder.catalog.search("new").map(\.title) == ["New name"])
    }
}

/// Counts calls from any thread.
final class Counter: @unchecked Sendable {
    // `@unchecked Sendable`: `lock` protects `value`.
    private let lock = NSLock()
    private var value = 0

    func next() -> Int {
        lock.withLock {
            value += 1
            return value
        }
    }
}
