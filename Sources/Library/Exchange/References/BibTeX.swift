import Bibliography
import Bounds

/// Writes BibTeX in UTF-8, as BibLaTeX and current reference managers read it.
struct BibTeXWriter: ExportWriter {
    static let mediaType = "application/x-bibtex; charset=utf-8"
    static let fileName = "shelflist.bib"
    let opening = ""
    let closing = ""
    private var keys: [String: Int] = [:]

    mutating func text(for book: ExportedBook) -> String {
        let (work, edition) = (book.work, book.edition)
        func names(_ roles: Set<AuthorCredit.Role>) -> String? {
            let names = work.authors.filter { roles.contains($0.role) }.map { credit in
                PersonName(credit.name).map { name in
                    let family = [name.particles, name.family].filter { !$0.isEmpty }.joined(separator: " ")
                    return [family, name.suffix, name.given.isEmpty ? nil : name.given].compactMap { $0 }.joined(
                        separator: ", ")
                } ?? credit.name
            }
            return names.isEmpty ? nil : names.joined(separator: " and ")
        }
        let fields: [(String, String?)] = [
            ("title", work.title), ("subtitle", work.subtitle), ("author", names([.author, .contributor])),
            ("editor", names([.editor])), ("translator", names([.translator])), ("series", work.series),
            ("number", work.seriesNumber?.rawValue),
            ("publisher", edition?.publisher), ("year", edition?.year.map(String.init)),
            ("isbn", edition?.isbn?.isbn13), ("pagetotal", edition?.pages.map(String.init)),
            ("language", edition?.language),
            ("keywords", book.entry.details.tags.isEmpty ? nil : book.entry.details.tags.joined(separator: ", ")),
            ("note", book.entry.details.notes),
        ]
        let lines = fields.compactMap { name, value in value.map { "  \(name) = {\(EscapedText.tex($0))},\n" } }
        return "@book{\(key(for: book)),\n\(lines.joined())}\n\n"
    }

    /// Returns a key of family name, year and first title word, numbered if it is taken: `herbert1990dune`.
    private mutating func key(for book: ExportedBook) -> String {
        let family = book.work.authors.first.flatMap { PersonName($0.name) }.map {
            TextNormalisation.words($0.family).joined()
        }
        let word = TextNormalisation.withoutLeadingArticles(TextNormalisation.words(book.work.title)).first
        let parts = [family, book.edition?.year.map(String.init), word].compactMap { $0 }
        let ascii = parts.joined().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let key = ascii.isEmpty ? "book\(book.entry.id)" : ascii
        keys[key, default: 0] += 1
        let count = keys[key] ?? 1
        return count == 1 ? key : "\(key)-\(count)"
    }
}
