import Catalog
import Fixtures
import Foundation
import Testing

@Suite("Importing gzip files")
struct GzipTests {
    /// Compresses with the system's `gzip`.
    private func gzip(_ bytes: [UInt8], in folder: CatalogFolder) throws -> [UInt8] {
        let plain = try folder.file("plain-\(bytes.count)", bytes)
        try ChildProcess(["gzip", "-kf", plain]).waitUntilExit()
        return Array(try Data(contentsOf: URL(filePath: plain + ".gz")))
    }

    private let dump = Array((SampleDump.authors + SampleDump.works + SampleDump.editions).utf8)

    @Test("Gzip files with several members and padding are read")
    func members() throws {
        let folder = try CatalogFolder()
        let parts = try [dump[..<500], dump[500...]].map { try gzip(Array($0), in: folder) }
        let file = try folder.importing("dump.txt.gz", parts[0] + parts[1] + [0, 0, 0])
        #expect(file.failure == nil)
        #expect(file.skipped == 0)
        #expect(try folder.catalog.info().editions == 3)
    }

    @Test("A truncated file is reported, and its intact part is imported")
    func truncated() throws {
        let folder = try CatalogFolder()
        let lines = (1...5000).map {
            "/type/work\t/works/OL\($0)W\t1\t2020\t{\"title\": \"Work \($0 &* 2_654_435_761)\"}\n"
        }
        let whole = try gzip(Array(lines.joined().utf8), in: folder)
        let file = try folder.importing("cut.txt.gz", whole[..<(whole.count / 2)])
        let works = try folder.catalog.info().works
        #expect(file.failure?.contains("cut.txt.gz: after line \(works): The gzip file ends too early") == true)
        #expect((1000..<5000).contains(works))
        #expect(file.skipped == 0, "an incomplete line is not counted")
        #expect(try folder.catalog.search("work").isEmpty == false, "the intact part can be searched")

        // The complete file counts as a different file.
        try folder.importing("whole.txt.gz", whole)
        #expect(try folder.catalog.info().works == 5000)
    }

    @Test("A truncated list is not accepted as complete", arguments: [4000, 200, 12])
    func truncatedList(_ length: Int) throws {
        let folder = try CatalogFolder()
        let rows = (1...5000).map { "Book \($0 &* 2_654_435_761),Anna Autorin\n" }
        let file = try folder.importing(
            "cut.csv.gz", gzip(Array(("title,author\n" + rows.joined()).utf8), in: folder)[..<length])
        #expect(file.failure?.contains("The gzip file ends too early") == true)
        #expect(file.isComplete == false)
        #expect(try folder.catalog.info().editions == file.rows)
        #expect(length < 4000 || file.rows > 100)
    }

    @Test("A damaged file is reported, and its intact part is imported")
    func damaged() throws {
        let folder = try CatalogFolder()
        let lines = (1...5000).map {
            "/type/work\t/works/OL\($0)W\t1\t2020\t{\"title\": \"Work \($0 &* 2_654_435_761)\"}\n"
        }
        var bytes = try gzip(Array(lines.joined().utf8), in: folder)
        for index in bytes.count / 2..<bytes.count / 2 + 64 { bytes[index] = 0xFF }
        let file = try folder.importing("bad.txt.gz", bytes)
        #expect(file.failure != nil)
        #expect(try folder.catalog.info().works > 500)
    }
}
