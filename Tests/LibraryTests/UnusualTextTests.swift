import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct UnusualText {
    static let titles = [
        "🚀📚", "مئة عام من العزلة", "ספר \u{202E}הפוך", String(repeating: "x", count: 500), "日本語の本",
        "'; DROP TABLE work; --", "\" OR 1=1 --", "<script>alert(1)</script> & <b>bold</b>", "100 % _like_ *glob* ?",
        "NEAR(a b)",
        // Marks that make a special character part of a longer one; U+0D4E is a letter that joins what follows.
        "A\"\u{301},=HYPERLINK(A1),\"x", "A\u{D4E};=1+1", "A;\u{301}=1", "\u{D4E}<b\u{D4E}>",
        "x\u{D4E}\\write18 \u{D4E}}",
        "a\u{301}e\u{301}", "\\ \\n \\u0000", "title:author AND NOT x", "-", "ﬁne", "{\"json\": [1]}",
    ]

    @Test("Unusual text is stored, found and exported unchanged", arguments: titles)
    func roundTrip(title: String) async throws {
        let library = try TestLibrary()
        let report = try await library.store.importScan(
            Scan.of([Scan.book(title, by: title, 0.9, place: 0)], job: title, photo: "a"))
        let entry = try #require(report.books.first?.entry)
        #expect(try await library.store.entry(entry).work.title == title)
        #expect(try await library.store.entries(EntryQuery(text: title)).entries.map(\.title) == [title])
        #expect(try await library.store.problems() == [])
        let copy = try TestLibrary()
        _ = try await copy.store.importBooks(Array(try await library.store.exported(.csv).utf8), name: "l.csv")
        #expect(try await copy.store.titles() == [title])
    }

    @Test("Long titles, authors and searches are refused or cut before they are read")
    func longText() async throws {
        let library = try TestLibrary()
        let words = String(repeating: "z de ", count: 150_000)
        var record = BookRecord(id: "1", title: "Emma")
        record.authors = ["Name, " + words]
        await #expect(throws: LibraryError.self) { try await library.store.add(BookDetails(record)) }
        record.authors = Array(repeating: "Jane Austen", count: 100_000)
        #expect(BookDetails(record).authors.count == BookDetails.authorLimit + 1)
        record = BookRecord(id: "1", title: "Emma " + words)
        await #expect(throws: LibraryError.self) { try await library.store.add(BookDetails(record)) }
        #expect(try await library.store.entries(EntryQuery(text: words)).entries.isEmpty)
        let brackets = String(repeating: "x (#1) ", count: 100_000)
        for list in ["Title,Author\nEmma,\"Name, \(words)\"\n", "Title\n\(brackets)\n"] {
            let report = try await library.store.importBooks(Array(list.utf8), name: "l.csv")
            #expect(report.problems.count == 1)
        }
    }

    @Test("One-line fields have neither line separators nor marks that join what follows; notes keep them")
    func separators() async throws {
        let library = try TestLibrary()
        let text = "a\u{2028}b\u{2029}c\u{85}d\u{600}<\u{6DD}e"
        let entry = try await library.store.add(
            BookDetails(title: text, authors: [AuthorCredit(name: text)]),
            entry: EntryDetails(notes: "one\u{2028}two \u{600}12", tags: [text]))
        let detail = try await library.store.entry(entry.id)
        for line in [detail.work.title, detail.work.authors[0].name, detail.entry.details.tags[0]] {
            #expect(line.unicodeScalars.elementsEqual("a b c d<e".unicodeScalars))
        }
        #expect(detail.entry.details.notes == "one\u{2028}two \u{600}12")
    }

    @Test("Control characters are removed from text")
    func controlCharacters() async throws {
        let library = try TestLibrary()
        let entry = try await library.store.add(
            BookDetails(title: "Be\0fore\u{1B}[2J\u{7F} and\nafter", authors: [AuthorCredit(name: "A\0B")]),
            entry: EntryDetails(notes: "one\0\ntwo", tags: ["t\0"]))
        let detail = try await library.store.entry(entry.id)
        #expect(detail.work.title == "Before[2J and after")
        #expect(detail.work.authors.map(\.name) == ["AB"])
        #expect(detail.entry.details.notes == "one\ntwo")
        #expect(detail.entry.details.tags == ["t"])
    }

    @Test("A letter with any number of accents is stored with eight of them")
    func accents() async throws {
        let library = try TestLibrary()
        let accents = { (count: Int) in String(repeating: "\u{301}", count: count) }
        let entry = try await library.store.add(
            BookDetails(title: "e" + accents(400_000)), entry: EntryDetails(tags: ["a" + accents(9)]))
        let detail = try await library.store.entry(entry.id)
        #expect(detail.work.title.unicodeScalars.elementsEqual(("e" + accents(8)).unicodeScalars))
        #expect(detail.entry.details.tags.map(\.unicodeScalars.count) == [9])
    }

    @Test("Text that is too long or empty is refused with field and limit")
    func lengthLimits() async throws {
        let library = try TestLibrary()
        let long = await #expect(throws: LibraryError.self) {
            try await library.store.add(BookDetails(title: String(repeating: "x", count: 4001)))
        }
        #expect(long?.description == "title: it has 4001 bytes; the limit is 4000. Shorten it.")
        // 2,001 letters of two bytes are as long.
        await #expect(throws: LibraryError.self) {
            try await library.store.add(BookDetails(title: String(repeating: "я", count: 2001)))
        }
        for empty in ["", "  ", "\0"] {
            await #expect(throws: LibraryError.self) { try await library.store.add(BookDetails(title: empty)) }
        }
    }
}
