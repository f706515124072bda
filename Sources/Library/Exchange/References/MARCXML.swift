import Bibliography
import Bounds
import Foundation
import ShelflistAPI

/// Writes MARC 21 in XML (http://www.loc.gov/MARC21/slim): a record for each edition, with a field 852 for each copy.
struct MARCXMLWriter: ExportWriter {
    static let mediaType = "application/marcxml+xml"
    static let fileName = "shelflist.xml"
    let opening = """
        <?xml version="1.0" encoding="UTF-8"?>
        <collection xmlns="http://www.loc.gov/MARC21/slim">

        """
    /// The record of the last edition, until all of its copies are there, and its end.
    private var record = ""
    private var edition: Key?

    private struct Key: Hashable {
        var work: RowID<Work>
        var edition: RowID<Edition>?
    }

    /// New (n), language material (a), monograph (m), Unicode (a), minimal level (7), without ISBD punctuation (c); a system
    /// that stores the record computes its lengths.
    private static let leader = "00000nam a22000007c 4500"

    var closing: String { record + (record.isEmpty ? "" : Self.end) + "</collection>\n" }
    private static let end = "  </record>\n"

    /// Returns the record before, once a copy of another edition follows.
    mutating func text(for book: ExportedBook) -> String {
        let key = Key(work: book.work.id, edition: book.edition?.id)
        guard key != edition else {
            record += Self.copy(book)
            return ""
        }
        defer { (edition, record) = (key, Self.description(book) + Self.copy(book)) }
        return record.isEmpty ? "" : record + Self.end
    }

    private static func description(_ book: ExportedBook) -> String {
        let (work, edition) = (book.work, book.edition)
        let main = work.authors.first { $0.role == .author }
        let others = work.authors.filter { $0 != main }
        let isCoded = edition?.language.map(isMARCCode) ?? false
        let fields: [String] = [
            control("001", "shelflist-\(work.id)" + (edition.map { "-\($0.id)" } ?? "")),
            control("008", fixed(book, language: isCoded ? edition?.language ?? "und" : "und")),
            data("020", subfields: [("a", edition?.isbn?.isbn13)]),
            // A code of another standard is named as such.
            isCoded
                ? ""
                : data("041", "0", "7", [("a", edition?.language), ("2", edition?.language.map { _ in "iso639-1" })]),
            main.map { person("100", $0) } ?? "",
            data(
                "245", main == nil ? "0" : "1", String(skippedCharacters(in: work.title)),
                [("a", work.title), ("b", work.subtitle)]),
            data("264", " ", "1", [("b", edition?.publisher), ("c", edition?.year.map { String($0) })]),
            data("300", subfields: [("a", edition?.pages.map { "\($0) pages" })]),
            data("490", "0", " ", [("a", work.series), ("v", work.seriesNumber?.rawValue)]),
            // Keywords without a list that controls them.
            book.entry.details.tags.map { data("653", subfields: [("a", $0)]) }.joined(),
            others.map { person("700", $0) }.joined(),
        ]
        return "  <record>\n    <leader>\(leader)</leader>\n" + fields.joined()
    }

    /// Where a copy is; empty for a wish, and if nothing is known.
    private static func copy(_ book: ExportedBook) -> String {
        let details = book.entry.details
        guard details.ownership != .wishlist else { return "" }
        return data(
            "852",
            subfields: [
                ("b", book.shelfName), ("h", details.callNumber), ("p", details.barcode),
                ("x", details.notes),
            ])
    }

    // MARK: Fields

    /// Field 008 with 40 characters: dates, language, and nothing about the contents.
    private static func fixed(_ book: ExportedBook, language: String) -> String {
        let day = book.entry.addedAt.formatted(.iso8601.year().month().day()).filter(\.isNumber).suffix(6)
        let date = book.edition?.year.map { "s\($0)" } ?? "nuuuu"
        return "\(day)\(date)    xx " + String(repeating: " ", count: 17) + "\(language) d"
    }

    private static func isMARCCode(_ language: String) -> Bool {
        language.utf8.count == 3 && language.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static func person(_ tag: String, _ credit: AuthorCredit) -> String {
        let name = PersonName(credit.name)
        let hasFamily = name.map { !$0.given.isEmpty } ?? false
        let code =
            switch credit.role {
            case .author: "aut"
            case .editor: "edt"
            case .translator: "trl"
            case .illustrator: "ill"
            case .contributor: "ctb"
            }
        return data(tag, hasFamily ? "1" : "0", " ", [("a", name?.heading ?? credit.name), ("4", code)])
    }

    /// Returns how many characters sorting skips: the article and what separates it from the next word.
    private static func skippedCharacters(in title: String) -> Int {
        let words = TextNormalisation.words(title)
        guard words.count > 1, TextNormalisation.withoutLeadingArticles(words).count == words.count - 1,
            title.first?.isLetter == true
        else { return 0 }
        let article = title.prefix { $0.isLetter }.count
        let gap = title.dropFirst(article).prefix { !$0.isLetter && !$0.isNumber }.count
        // The indicator is one digit.
        return article + gap > 9 ? 0 : article + gap
    }

    private static func control(_ tag: String, _ value: String) -> String {
        "    <controlfield tag=\"\(tag)\">\(EscapedText.xml(value))</controlfield>\n"
    }

    /// Returns a field with the subfields that have a value; empty if none has.
    private static func data(
        _ tag: String, _ first: String = " ", _ second: String = " ", _ subfields: [(code: String, value: String?)]
    ) -> String {
        let present = subfields.compactMap { code, value in
            value.map { "      <subfield code=\"\(code)\">\(EscapedText.xml($0))</subfield>\n" }
        }
        guard !present.isEmpty else { return "" }
        return
            "    <datafield tag=\"\(tag)\" ind1=\"\(first)\" ind2=\"\(second)\">\n\(present.joined())    </datafield>\n"
    }

    private static func data(_ tag: String, subfields: [(code: String, value: String?)]) -> String {
        data(tag, " ", " ", subfields)
    }
}

extension PersonName {
    /// The name with the family name first, as catalogs and reference managers sort it: `Beauvoir, Simone de`.
    var heading: String {
        guard !given.isEmpty else { return displayName }
        let rest = [given, particles].filter { !$0.isEmpty }.joined(separator: " ")
        return [family, rest, suffix].compactMap(\.self).joined(separator: ", ")
    }
}
