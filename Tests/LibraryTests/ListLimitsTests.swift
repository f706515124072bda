import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

/// What the reading of a list may cost.
@Suite struct ListLimits {
    /// A list of more than a megabyte, whose notes have line breaks.
    private static let long = Array(
        ("title,notes\n" + (0..<1200).map { "Book \($0),\"\(String(repeating: "x\n", count: 500))\"\n" }.joined()).utf8)

    @Test("A preview reads the beginning of a long list, and an import all of it")
    func preview() async throws {
        let preview = try BookListPreview(Self.long, readLimit: 1)
        #expect(preview.hasMoreRows && (1000..<1100).contains(preview.rows) && preview.problems == [])
        let whole = try BookListPreview(Self.long)
        #expect(!whole.hasMoreRows && whole.rows == 1200)
        #expect(whole.sample == preview.sample && whole.fields == preview.fields)
    }

    @Test("The preview of a long file of references leaves out the last one that it reads, which may continue")
    func referencePreview() throws {
        let note = String(repeating: "x", count: 1000)
        let ris = (0..<1200).map { "TY  - BOOK\nTI  - Book \($0)\nN1  - \(note)\n" }.joined()
        let csl =
            "["
            + (0..<1200).map { #"{"id": \#($0), "type": "book", "title": "Book \#($0)", "note": "\#(note)"}"# }
            .joined(separator: ", ") + "]"
        for text in [ris, csl] {
            let file = Array(text.utf8)
            let preview = try BookListPreview(file, readLimit: 1)
            #expect(preview.hasMoreRows && (900..<1100).contains(preview.rows) && preview.problems == [])
            #expect(try BookListPreview(file).rows == 1200)
        }
    }

    @Test("CSL-JSON that is not valid is refused, also after valid items")
    func damagedJSON() {
        let items = #"[{"type": "book", "title": "Emma"}"#
        for end in ["", ",,]", ", {", "]]", ", {]", #", {"title": "x]"#, ", \"", ",, {}]", "] x"] {
            let error = #expect(throws: LibraryError.self, "\(end)") { try BookListPreview(Array((items + end).utf8)) }
            #expect(error?.description.contains("not valid JSON") == true)
        }
        for end in ["]", ",]", " , {}]", ", 7 ]\n", #", "a,]\"" , [1, [2]]]"#] {
            #expect(throws: Never.self, "\(end)") { try BookListPreview(Array((items + end).utf8)) }
        }
    }

    @Test("No more names are read than decide that a book has too many")
    func names() {
        var read = 0
        let names = (0..<20_000).map { "Author \($0)" }
        let credits = AuthorCredit.credits([(.author, names), (.editor, names)]) { name in
            read += 1
            return [AuthorCredit(name: name)]
        }
        #expect(read == BookDetails.authorLimit + 1 && credits.count == read)
        let few = AuthorCredit.credits([(.author, ["A"]), (.editor, ["B", "C"])]) { [AuthorCredit(name: $0)] }
        #expect(few.map(\.role) == [.author, .editor, .editor])
    }

    @Test(
        "A book with too many authors is refused in every kind of list",
        arguments: [
            "TY  - BOOK\nTI  - Many\n" + (0..<200).map { "AU  - Author \($0)\n" }.joined() + "ER  - \n",
            #"[{"id": 1, "type": "book", "title": "Many", "author": ["#
                + (0..<200).map { #"{"literal": "Author \#($0)"}"# }.joined(separator: ",") + "]}]",
            "Title,Primary Author,Secondary Author,Collections\nMany,Ann,"
                + (0..<200).map { "Author \($0)" }.joined(separator: "|") + ",\n",
            "Title,Authors,Read Status,Star Rating\nMany,\""
                + (0..<200).map { "Author \($0)" }.joined(separator: ", ") + "\",read,\n",
        ])
    func tooManyAuthors(list: String) async throws {
        let library = try TestLibrary()
        let report = try await library.store.importBooks(Array(list.utf8), name: "many")
        #expect(report.added == 0)
        #expect(report.problems.first?.reason.contains("more than 100") == true, "\(report.problems)")
    }

    @Test("A list with more than a thousand columns is refused")
    func columns() throws {
        func list(_ count: Int) -> [UInt8] {
            Array("title\(String(repeating: ",x", count: count - 1))\nEmma\n".utf8)
        }
        #expect(try BookListPreview(list(1000)).columns.count == 1000)
        let error = #expect(throws: LibraryError.self) { try BookListPreview(list(1001)) }
        #expect(error?.description.contains("more than 1000 columns") == true)
    }

    @Test("Reading a list ends when its task is canceled")
    func canceled() async throws {
        let library = try TestLibrary()
        let store = library.store
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.importBooks(Self.long, name: "long").added
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let preview = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try BookListPreview(Self.long).rows
        }
        await #expect(throws: CancellationError.self) { try await preview.value }
    }
}
