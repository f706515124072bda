import Bibliography
import Catalog
import Foundation
import Testing

@Suite("Importing MARC")
struct MARCImportTests {
    private struct Expected: Decodable {
        var title: String
        var subtitle: String?
        var author: String?
        var isbn: String?
        var publisher: String?
    }

    @Test("Records read the same as with pymarc in each encoding", arguments: ["utf8.mrc", "marc8.mrc", "records.xml"])
    func secondOpinion(_ name: String) throws {
        let all = try JSONDecoder().decode([String: [Expected]].self, from: Data(fixture("expected.json")))
        let expected = try #require(all[name])
        #expect(expected.count >= 5)
        let folder = try CatalogFolder()
        let file = try folder.importing(name, fixture(name))
        #expect(file.failure == nil)
        #expect(file.skipped == 0)
        #expect(try folder.catalog.info().editions == expected.count)
        for book in expected {
            let words = TextNormalisation.words([book.title, book.author ?? ""].joined(separator: " "))
            let record = try #require(folder.catalog.candidates(forWords: words, limit: 1).first, "\(book.title)")
            #expect(bare(record.title).hasPrefix(bare(book.title)))
            #expect(record.subtitle.map(bare) == book.subtitle.map(bare))
            #expect(record.authors.first.map(bare)?.hasPrefix(bare(book.author ?? "")) == (book.author != nil))
            #expect(record.isbn == book.isbn.flatMap { ISBN($0)?.isbn13 })
            #expect(record.publisher.map(bare) == book.publisher.map(bare))
        }
    }

    /// Returns the text without the punctuation that cataloguing rules add between parts.
    private func bare(_ text: String) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " /:;,."))
    }

    @Test("All fields of a record are read", arguments: ["utf8.mrc", "records.xml"])
    func wholeRecord(_ name: String) throws {
        let folder = try CatalogFolder()
        try folder.importing(name, fixture(name))
        let bulos = try #require(folder.catalog.search("bulos cientificos").first)
        #expect(bulos.authors == ["López-Borrull, Alexandre"])
        #expect(bulos.subtitle == "de la tierra plana al coronavirus")
        #expect(bulos.series == "Colección Álbum, #14")
        #expect([bulos.year, bulos.pages] == [2020, 228])
        #expect(bulos.language == "spa")
        let part = try #require(folder.catalog.search("oeuvres").first)
        #expect(part.title == "Œuvres complètes. Tome 2")
        #expect(part.authors == ["Beauvoir, Simone de, 1908-1986", "Sartre, Jean-Paul"])
    }

    @Test(
        "MARC-8 is decoded",
        arguments: [
            ("plain", "plain"), ("cient\u{E2}ificos", "científicos"), ("\u{E8}u", "ü"), ("\u{F0}C", "Ç"),
            ("\u{A1}\u{B1}\u{C7}", "Łłß"),
            ("\u{1B}(N\u{57}\u{77}\u{1B}(Bx", "вВx"), ("H\u{1B}b2\u{1B}sO", "H₂O"), ("x\u{1B}p2\u{1B}s", "x²"),
            ("\u{1B}ga\u{1B}s", "α"),
            ("\u{1B}(S\u{41}\u{1B}(B", "Α"), ("\u{1B}(2\u{60}\u{1B}(B", "א"), ("\u{1B}$1!0!\u{1B}(B.", "\u{FFFD}."),
            ("\u{1B}", ""),
            ("\u{E2}", "\u{301}"), ("\u{88}The \u{89}end", "The end"),
        ])
    func marc8(_ bytes: String, _ text: String) {
        #expect(
            MARC8.decode(bytes.unicodeScalars.map { UInt8($0.value) }) == text.precomposedStringWithCanonicalMapping)
    }

    @Test(
        "Damaged records are named by number, and the rest is read",
        arguments: [
            ("length", "the length in the leader is wrong"),
            ("nodigits", "the leader does not contain a length"),
            ("directory", "the directory is wrong"),
            ("entry", "of the directory is not numeric"),
            ("base", "the leader's base address"),
        ])
    func damaged(_ damage: String, _ reason: String) throws {
        var bytes = try fixture("utf8.mrc")
        let second = try #require(bytes.firstIndex(of: 0x1D)) + 1
        switch damage {
        case "length": bytes.replaceSubrange(second..<second + 5, with: "00050".utf8)
        case "nodigits": bytes.replaceSubrange(second..<second + 5, with: "oops!".utf8)
        case "directory": bytes.replaceSubrange(second + 24 + 7..<second + 24 + 12, with: "99999".utf8)
        case "entry": bytes.replaceSubrange(second + 24 + 3..<second + 24 + 7, with: "abcd".utf8)
        default: bytes.replaceSubrange(second + 12..<second + 17, with: "99999".utf8)
        }
        let folder = try CatalogFolder()
        let file = try folder.importing("damaged.mrc", bytes)
        #expect(file.skipped == 1)
        #expect(file.messages.first?.contains("damaged.mrc, record 2: ") == true)
        #expect(file.messages.first?.contains(reason) == true)
        #expect(try folder.catalog.info().editions == 4)
    }

    @Test("A file with a damaged first record is recognized by its other records")
    func damagedStart() throws {
        var bytes = try fixture("utf8.mrc")
        bytes.replaceSubrange(0..<5, with: "oops!".utf8)
        let folder = try CatalogFolder()
        let file = try folder.importing("damaged.mrc", bytes)
        #expect((file.rows, file.skipped) == (4, 1))
    }

    @Test("A file that ends inside a record is reported")
    func cutOff() throws {
        let folder = try CatalogFolder()
        let file = try folder.importing("cut.mrc", fixture("utf8.mrc").dropLast(20))
        #expect(file.messages.first?.contains("record 5: the file ends inside the record") == true)
        #expect(try folder.catalog.info().editions == 4)
    }

    @Test("Malformed XML is reported with its line, and the records before it are imported")
    func malformedXML() throws {
        let folder = try CatalogFolder()
        let text = String(decoding: try fixture("records.xml"), as: UTF8.self)
        let cut = try #require(text.range(of: "</record>", options: .backwards)).lowerBound
        let file = try folder.importing("cut.xml", text[..<cut].utf8)
        #expect(file.failure?.contains("cut.xml: Line ") == true)
        #expect(try folder.catalog.info().editions == 4)
    }

    @Test("External entities are not fetched")
    func externalEntity() throws {
        let folder = try CatalogFolder()
        let secret = try folder.file("secret.txt", "TOP SECRET")
        let xml = """
            <?xml version="1.0"?>
            <!DOCTYPE collection [<!ENTITY leak SYSTEM "file://\(secret)">]>
            <collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500</leader>
            <datafield tag="245" ind1=" " ind2=" "><subfield code="a">Before &leak; after</subfield></datafield>
            </record></collection>
            """
        try folder.importing("leak.xml", xml.utf8)
        #expect(try folder.catalog.search("secret").isEmpty)
        let title = try #require(try folder.catalog.search("before").first).title
        #expect(title.hasPrefix("Before") && title.hasSuffix("after"))
    }
}
