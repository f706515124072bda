import Bibliography
import DelimitedText
import Foundation

/// Writes CSL-JSON, the data of the Citation Style Language, version 1.0.2.
struct CSLWriter: ExportWriter {
    static let mediaType = "application/vnd.citationstyles.csl+json"
    static let fileName = "shelflist-csl.json"
    let opening = "[\n"
    let closing = "\n]\n"
    private var written = WrittenReferences()
    private var isFirst = true

    mutating func text(for book: ExportedBook) throws -> String {
        guard let name = written.name(for: book) else { return "" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        defer { isFirst = false }
        let item = String(decoding: try encoder.encode(CSLItem(Reference(book), id: name)), as: UTF8.self)
        return (isFirst ? "" : ",\n") + item
    }
}

/// Reads CSL-JSON.
enum CSLReader {
    /// Whether a text begins like an array of objects.
    static func reads(_ text: some Sequence<UInt8>) -> Bool {
        let start = text.lazy.filter { $0 > 0x20 }.prefix(5)
        let marks = Array(start.drop { [0xEF, 0xBB, 0xBF].contains($0) }.prefix(2))
        return marks == Array("[{".utf8) || marks == Array("[]".utf8)
    }

    /// Returns the items; the line of an item is its number.
    ///
    /// - Parameter isWhole: whether nothing follows the text. Otherwise its last item may continue, and is left out.
    /// - Throws: `LibraryError.invalid` for JSON of another kind and beyond the limit, `CancellationError`.
    static func table(_ text: [UInt8], isWhole: Bool) throws -> ReferenceTable {
        var items = JSONArrayItems(text)
        var table = ReferenceTable()
        let decoder = JSONDecoder()
        while let item = items.next() {
            if table.rows.count.isMultiple(of: 100) { try Task.checkCancellation() }
            let read: Failable<CSLItem>
            do {
                read = try decoder.decode(Failable<CSLItem>.self, from: Data(item))
            } catch {
                throw Self.invalid
            }
            try table.add(read.value?.reference, line: table.rows.count + 1)
        }
        guard items.isComplete || !isWhole && items.isCut else { throw Self.invalid }
        return table
    }

    private static let invalid = LibraryError.invalid(
        field: "file", reason: "it is not valid JSON. Export it again as CSL-JSON.")
}

/// A value of an array, or nil if it cannot be decoded, which does not affect the others.
private struct Failable<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) {
        value = try? Value(from: decoder)
    }
}

/// An item of CSL-JSON, with the variables that describe a book.
private struct CSLItem: Codable {
    struct Name: Codable {
        var family: String?
        var given: String?
        var particle: String?
        var droppingParticle: String?
        var suffix: String?
        var literal: String?

        private enum CodingKeys: String, CodingKey {
            case family, given, suffix, literal
            case particle = "non-dropping-particle"
            case droppingParticle = "dropping-particle"
        }

        /// A name of one part is literal.
        init(_ name: String) {
            guard let parts = PersonName(name), !parts.given.isEmpty else {
                literal = name
                return
            }
            (family, given, suffix) = (parts.family, parts.given, parts.suffix)
            particle = parts.particles.isEmpty ? nil : parts.particles
        }

        /// The names in natural order.
        var credits: [AuthorCredit] {
            if let literal { return [AuthorCredit(name: literal)] }
            let last = [droppingParticle, particle, family].compactMap(\.self).joined(separator: " ")
            let heading = [last, given, suffix].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
            return heading.isEmpty ? [] : [AuthorCredit(name: PersonName(heading)?.displayName ?? heading)]
        }
    }

    struct Date: Codable {
        var parts: [[CSLText]]?
        var raw: CSLText?
        var literal: CSLText?

        private enum CodingKeys: String, CodingKey {
            case raw, literal
            case parts = "date-parts"
        }

        init(year: Int) { parts = [[.number(year)]] }

        var year: String? { parts?.first?.first?.text ?? raw?.text ?? literal?.text }
    }

    var id: CSLText
    var type: String?
    var title: String?
    var shortTitle: String?
    var author: [Name]?
    var editor: [Name]?
    var translator: [Name]?
    var illustrator: [Name]?
    var contributor: [Name]?
    var issued: Date?
    var publisher: String?
    var isbn: String?
    var series: String?
    var volume: CSLText?
    var pages: CSLText?
    var language: String?
    var callNumber: String?
    var keyword: String?
    var note: String?

    private enum CodingKeys: String, CodingKey {
        case id, type, title, author, editor, translator, illustrator, contributor, issued, publisher, language,
            keyword,
            note
        case shortTitle = "title-short"
        case isbn = "ISBN"
        case series = "collection-title"
        case volume = "collection-number"
        case pages = "number-of-pages"
        case callNumber = "call-number"
    }

    init(_ reference: Reference, id: String) {
        func names(_ role: AuthorCredit.Role) -> [Name]? {
            let names = reference.names(role)
            return names.isEmpty ? nil : names.map(Name.init)
        }
        (self.id, type, title) = (.text(id), "book", reference.fullTitle)
        shortTitle = reference.fullTitle == reference.title ? nil : reference.title
        (author, editor, translator) = (names(.author), names(.editor), names(.translator))
        (illustrator, contributor) = (names(.illustrator), names(.contributor))
        let edition = reference.edition
        issued = edition?.year.map { Date(year: $0) }
        (publisher, isbn, language) = (edition?.publisher, edition?.isbn?.isbn13, edition?.language)
        pages = edition?.pages.map { .number($0) }
        (series, callNumber, note) = (reference.series, reference.callNumber, reference.notes)
        volume = reference.seriesNumber.map { .text($0) }
        keyword = reference.tags.isEmpty ? nil : reference.tags.joined(separator: ", ")
    }

    private static let bookTypes: Set = ["book", "classic", "collection", "pamphlet", "musical_score"]

    var reference: ReadReference {
        var reference = ReadReference()
        reference.type = type
        reference.isBook = type.map(Self.bookTypes.contains) ?? false
        (reference.title, reference.shortTitle) = (title, shortTitle)
        reference.authors = AuthorCredit.credits(
            [
                (.author, author ?? []), (.editor, editor ?? []), (.translator, translator ?? []),
                (.illustrator, illustrator ?? []), (.contributor, contributor ?? []),
            ], \.credits)
        reference.numbers = (isbn ?? "").split { $0 == " " || $0 == "," || $0 == ";" }.map(String.init)
        (reference.publisher, reference.language, reference.date) = (publisher, language, issued?.year)
        (reference.pages, reference.series, reference.volume) = (pages?.text, series, volume?.text)
        reference.callNumber = callNumber
        reference.tags = (keyword ?? "").split { $0 == "," || $0 == ";" }.map { String($0).trimmed }
        reference.notes = note.map { [$0] } ?? []
        return reference
    }
}

/// A value that programs write as text or as a number.
private enum CSLText: Codable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }

    var text: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}
