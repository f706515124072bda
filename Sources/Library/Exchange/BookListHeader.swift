import Bibliography
import DelimitedText

/// A field that a column of a list can contain.
package enum BookListField: String, Codable, CaseIterable, Sendable {
    case title, subtitle, author, series, isbn, publisher, year, pages, language
    case shelf, status, rating, tags, notes, dateAdded, dateStarted, dateRead, volume, copies, lentTo, callNumber
    case barcode, condition, price, currency, value, acquired, acquiredFrom

    /// The fields of one copy.
    fileprivate static let ofCopies: Set<BookListField> = [
        .barcode, .condition, .price, .currency, .value, .acquired, .acquiredFrom,
    ]

    /// Returns the folded column name of the field in a list of that kind.
    fileprivate func name(in format: BookListFormat) -> String {
        switch (self, format) {
        case (.author, .shelflist), (.author, .storyGraph), (.author, .ris), (.author, .csl): "authors"
        case (.author, .libraryThing): "primary author"
        case (.status, .shelflist): "reading"
        case (.status, .goodreads): "exclusive shelf"
        case (.status, .libraryThing): "collections"
        case (.status, .storyGraph): "read status"
        case (.rating, .goodreads): "my rating"
        case (.rating, .storyGraph): "star rating"
        case (.tags, .goodreads): "bookshelves"
        case (.notes, .goodreads): "my review"
        case (.notes, .libraryThing), (.notes, .storyGraph): "review"
        case (.dateAdded, .shelflist): "added at"
        case (.dateAdded, .libraryThing): "entry date"
        case (.dateAdded, _): "date added"
        case (.dateStarted, .shelflist): "started on"
        case (.dateStarted, _): "date started"
        case (.dateRead, .shelflist): "finished on"
        case (.dateRead, .storyGraph): "last date read"
        case (.dateRead, _): "date read"
        case (.lentTo, .libraryThing): "lending patron"
        case (.lentTo, _): "lent to"
        case (.callNumber, _): "call number"
        case (.volume, .shelflist): "series number"
        case (.acquired, _): "acquired on"
        case (.acquiredFrom, _): "acquired from"
        default: rawValue
        }
    }

    /// Further folded names of the field, in lists that are not an export of a known program: of other languages, and
    /// of edited exports.
    fileprivate var otherNames: [String] {
        switch self {
        case .shelf: ["location", "physical location", "shelf location", "regal", "standort"]
        case .status: ["read status", "exclusive shelf", "reading status", "bookshelf", "lesestatus"]
        case .rating: ["my rating", "my ratings", "star rating", "stars", "bewertung", "sterne"]
        case .tags: ["bookshelves", "keywords", "schlagworter", "schlagworte", "stichworter"]
        case .notes:
            [
                "comment", "comments", "review", "my review", "notizen", "notiz", "anmerkungen", "bemerkungen",
                "kommentar",
            ]
        case .dateAdded: ["added", "hinzugefugt am", "hinzugefugt"]
        case .dateRead: ["read on", "finished", "date finished", "completed", "read end", "gelesen am"]
        case .dateStarted: ["began", "started", "read start", "begonnen am"]
        case .volume: ["vol", "volume number", "series number", "number in series", "band", "bandnummer"]
        case .copies: ["quantity", "number of copies", "anzahl", "exemplare"]
        case .callNumber: ["callnumber", "shelfmark", "class number", "signatur", "standnummer"]
        case .barcode:
            [
                "bar code", "copy number", "accession number", "inventory number", "exemplarnummer", "inventarnummer",
                "mediennummer", "strichcode",
            ]
        case .condition: ["zustand"]
        case .price: ["purchase price", "price paid", "cost", "preis", "kaufpreis"]
        case .currency: ["wahrung"]
        case .value: ["estimated value", "wert", "schatzwert"]
        case .acquired: ["acquired", "date acquired", "purchase date", "erworben am", "kaufdatum", "zugang"]
        case .acquiredFrom: ["vendor", "from where acquired", "purchased from", "erworben von", "lieferant"]
        case .lentTo: ["loaned to", "lent", "borrower", "verliehen an", "ausgeliehen an"]
        default: []
        }
    }

    /// `nil` for a field that cannot be chosen.
    fileprivate init?(_ field: CSVColumns.Field) {
        self.init(rawValue: field == .isbn13 ? "isbn" : field.rawValue)
    }
}

/// The first line of a list: its kind, and the field of each column.
struct BookListHeader {
    let names: [String]
    let format: BookListFormat
    /// The field of each column; `nil` for unknown columns and for those that only lists of this kind have.
    let fields: [BookListField?]

    /// - Parameter format: nil to detect it by the names.
    init(_ names: [String], format: BookListFormat? = nil) {
        self.names = names
        self.format = format ?? BookListFormat(header: names)
        let folded = names.map(TextNormalisation.fold)
        var fields: [BookListField?] = names.map { _ in nil }
        for (field, column) in CSVColumns.recognise(names) where field != .isbn {
            fields[column] = BookListField(field)
        }
        // Exports of reading logs are of books, not of copies.
        let isLog = [.goodreads, .storyGraph].contains(self.format)
        for field in BookListField.allCases
        where !fields.contains(field) && !(isLog && BookListField.ofCopies.contains(field)) {
            let known = [field.name(in: self.format)] + (self.format == .other ? field.otherNames : [])
            guard let column = known.compactMap({ folded.firstIndex(of: $0) }).first, fields[column] == nil else {
                continue
            }
            fields[column] = field
        }
        self.fields = fields
    }

    /// Returns the column names to read with, after applying the user's mapping.
    ///
    /// - Parameter mapping: fields by column name; `nil` ignores the column. Columns that are not named keep their
    ///   field.
    /// - Throws: `LibraryError.invalid` for a column that the list does not have, and for a field that two columns
    ///   have.
    func names(mapping: [String: BookListField?]) throws -> [String] {
        if let unknown = mapping.keys.filter({ !self.names.contains($0) }).min() {
            throw LibraryError.invalid(field: "mapping", reason: "the list has no column “\(unknown)”.")
        }
        var (names, fields) = (names, fields)
        var changed: Set<String> = []
        for (name, field) in mapping {
            guard let column = names.firstIndex(of: name), field != self.fields[column] else { continue }
            fields[column] = field
            changed.formUnion([field?.name(in: format)].compactMap { $0 })
        }
        for field in BookListField.allCases where fields.count(where: { $0 == field }) > 1 {
            throw LibraryError.invalid(field: "mapping", reason: "two columns are “\(field.rawValue)”. Leave one out.")
        }
        for column in names.indices {
            let folded = TextNormalisation.fold(names[column])
            if fields[column] != self.fields[column] {
                names[column] = fields[column]?.name(in: format) ?? ""
            } else if changed.contains(folded) {
                // An unmapped column of that name would otherwise be read instead of the chosen one.
                names[column] = ""
            } else if let field = fields[column], format == .other, field.otherNames.contains(folded) {
                names[column] = field.name(in: format)
            }
        }
        return names
    }
}
