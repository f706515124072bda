import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

/// References with separators and commands between marks that join them; `Scripts/check_exports.sh` reads them with the readers of
/// other projects.
@Suite struct MarkedReferences {
    @Test("Only CR and LF divide lines of RIS, when it is written and when it is read")
    func separatorsInRIS() async throws {
        let library = try TestLibrary()
        let notes = "one\u{2028}ER  - \u{2028}TY  - BOOK\u{2028}TI  - Other\nER  - \u{85}two"
        let emma = try await library.store.add(
            BookDetails(title: "-\u{301} Emma", authors: [AuthorCredit(name: "Jane Austen")]),
            entry: EntryDetails(notes: notes))
        let stored = try await library.store.entry(emma.id).entry.details.notes
        #expect(stored?.contains("one\u{2028}ER") == true)
        let text = try await library.store.exported(.ris)
        #expect(text.contains("N1  - one\u{2028}ER  - \u{2028}TY  - BOOK\u{2028}TI  - Other\r\n"))
        for end in ["\r\n", "\n", "\r"] {
            let other = try TestLibrary()
            let file = Array(text.utf8).split(separator: 0x0A).map { $0.dropLast() }.joined(separator: Array(end.utf8))
            let report = try await other.store.importBooks(Array(file), name: "x.ris")
            #expect((report.added, report.problems) == (1, []))
            let entry = try #require(try await other.store.entries().entries.first)
            #expect(entry.title.unicodeScalars.elementsEqual("-\u{301} Emma".unicodeScalars))
            #expect(try await other.store.entry(entry.entry).entry.details.notes == stored)
        }
    }

    @Test("BibTeX has no commands and no braces of a text, whatever marks are beside them")
    func bibtex() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(
            BookDetails(title: "\u{D4E}\\input x \u{D4E}}, note\u{301} = \u{D4E}{ %\u{301}"))
        let text = try await library.store.exported(.bibtex)
        let title =
            "\u{D4E}\\textbackslash{}input x \u{D4E}\\textbraceright{}, note\u{301} = \u{D4E}\\textbraceleft{} \\%\u{301}"
        #expect(Data(text.utf8).range(of: Data("  title = {\(title)},\n}\n".utf8)) != nil)
    }
}
