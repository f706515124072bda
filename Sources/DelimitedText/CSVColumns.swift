package import Bibliography

/// Maps the columns of a CSV file to fields by the names in its header.
package struct CSVColumns: Equatable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case title, subtitle, author, moreAuthors, series, isbn, isbn13, year, language, publisher, pages

        /// Folded names, the most specific first: from our own exports, Goodreads, LibraryThing, StoryGraph and other
        /// languages.
        var names: [String] {
            switch self {
            case .title: ["title", "book title", "titulo", "titol", "titre", "titel", "buchtitel", "titolo"]
            case .subtitle: ["subtitle", "subtitulo", "sous titre", "untertitel", "sottotitolo"]
            case .author:
                [
                    "author", "authors", "primary author", "author name", "creator", "creators", "author details",
                    "autor", "autora", "autores",
                    "autoren", "auteur", "autore", "verfasser", "verfasserin",
                ]
            case .moreAuthors: ["additional authors", "secondary author", "contributors"]
            case .series: ["series", "series name", "series details", "serie", "coleccion", "collana", "reihe"]
            case .isbn: ["isbn", "isbn10", "isbn 10", "upc isbn10", "isbn uid", "isbns"]
            case .isbn13: ["isbn13", "isbn 13", "ean isbn13", "ean"]
            case .year:
                [
                    "year", "year published", "publication year", "published", "date published", "publish date", "date",
                    "publication date", "first publish year",
                    "original publication year", "ano", "any", "annee", "jahr", "erscheinungsjahr",
                    "anno",
                ]
            case .language: ["language", "languages", "language code", "idioma", "langue", "sprache", "lingua"]
            case .publisher: ["publisher", "publication", "editorial", "editeur", "verlag", "editore"]
            case .pages:
                ["pages", "number of pages", "length", "page count", "num pages", "paginas", "seiten", "seitenzahl"]
            }
        }
    }

    private let column: [Field: Int]
    private let columnCount: Int

    /// - Throws: `CSVError.noTitleColumn`.
    package init(header: [String]) throws {
        column = Self.recognise(header)
        columnCount = header.count
        guard column[.title] != nil else { throw CSVError.noTitleColumn(header: header) }
    }

    /// Returns the delimiter with which the header, the first line of `text`, has the most known columns.
    package static func delimiter(ofHeader text: some Collection<UInt8>) -> UInt8 {
        let line = Array(text.prefix(64 * 1024).prefix { $0 != 0x0A && $0 != 0x0D })
        func recognised(_ delimiter: UInt8) -> (Int, Int) {
            var parser = CSVParser(delimiter: delimiter)
            var fields: [String] = []
            // An unreadable header excludes this delimiter; the full parse reports the error.
            do {
                try parser.parse(line) { _ in }
                try parser.finish { fields = $0.fields }
            } catch {
                return (0, 0)
            }
            return (recognise(fields).count, fields.count)
        }
        let delimiters: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
        return delimiters.max { recognised($0) < recognised($1) } ?? UInt8(ascii: ",")
    }

    /// Returns the record of a row; nil if the row does not have a title.
    ///
    /// The record's ID is the line number.
    package func record(from row: CSVParser.Row) -> BookRecord? {
        func value(_ field: Field) -> String? {
            guard let index = column[field], index < row.fields.count else { return nil }
            let text = row.fields[index].trimmed
            return text.isEmpty ? nil : text
        }
        guard let title = value(.title) else { return nil }
        var record = BookRecord(id: String(row.line), title: title)
        if let (name, series) = Self.series(atEndOf: title) { (record.title, record.series) = (name, series) }
        record.subtitle = value(.subtitle)
        record.authors = [value(.author), value(.moreAuthors)].compactMap { $0 }.flatMap { names in
            // Book Catalogue writes `Quill, Nora|Holm, Ida|`.
            names.split(separator: "|").map { String($0).trimmed }
        }
        record.series = value(.series).map(Self.series) ?? record.series
        let numbers = [value(.isbn13), value(.isbn)].compactMap { $0 }
        // One that cannot be read does not hide the other.
        record.isbn = numbers.lazy.compactMap { ISBN($0) ?? ISBN.withoutZeros($0) }.first?.isbn13 ?? numbers.first
        record.year = value(.year).flatMap(Year.first)
        record.language = value(.language)
        record.publisher = value(.publisher)
        record.pages = value(.pages).flatMap { Int($0) }
        return record
    }

    /// Reads a series as Book Catalogue writes it, `Tide Songs(2)|`, as `Tide Songs, #2`; others stay as they are.
    private static func series(_ text: String) -> String {
        guard let first = text.split(separator: "|").first, first.last == ")", let open = first.lastIndex(of: "("),
            let number = Int(first[first.index(after: open)...].dropLast())
        else { return text }
        return "\(String(first[..<open]).trimmed), #\(number)"
    }

    /// Splits the series off a title of Goodreads: `Title (Series, #1.5)`, `Title (Series #4)`, `Title (Series, #8; Other, #1)`.
    private static func series(atEndOf title: String) -> (title: String, series: String)? {
        guard title.last == ")", let open = title.lastIndex(of: "(") else { return nil }
        let name = String(title[..<open]).trimmed
        let parts = title[title.index(after: open)...].dropLast().split(separator: ";").map { String($0).trimmed }
        let series = parts.compactMap { part -> String? in
            guard let mark = part.lastIndex(of: "#"), part[part.index(after: mark)...].first?.isNumber == true else {
                return nil
            }
            let before = String(part[..<mark].reversed().drop { $0 == " " || $0 == "," }.reversed())
            return "\(before), #\(part[part.index(after: mark)...])"
        }
        guard !name.isEmpty, !series.isEmpty, series.count == parts.count else { return nil }
        return (name, series.joined(separator: "; "))
    }

    /// Returns the delimiter of a row if it differs from the header's.
    ///
    /// A row differs if it is a single field in which another delimiter occurs often enough for all columns.
    package func foreignDelimiter(in row: CSVParser.Row) -> Character? {
        guard columnCount > 1, row.fields.count == 1, let field = row.fields.first else { return nil }
        return [",", ";", "\t", "|"].first { mark in field.count { $0 == mark } >= columnCount - 1 }
    }

    /// Returns the column of each field that a header names.
    ///
    /// A title and an author are also found with an explanation in brackets: `Verfasser (Nachname, Vorname)`.
    package static func recognise(_ header: [String]) -> [Field: Int] {
        let names = header.map(TextNormalisation.fold)
        var column: [Field: Int] = [:]
        for field in Field.allCases {
            column[field] = field.names.lazy.compactMap { names.firstIndex(of: $0) }.first
        }
        let withoutBrackets = header.map { name in TextNormalisation.fold(String(name.prefix { $0 != "(" })) }
        for field in [Field.title, .author] where column[field] == nil {
            column[field] = field.names.lazy.compactMap { withoutBrackets.firstIndex(of: $0) }.first
        }
        return column
    }
}
