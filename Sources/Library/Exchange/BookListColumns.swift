import Bibliography
import Bounds
import DelimitedText
import Foundation
import ShelflistAPI

/// Reads the rows of one list by column name.
struct BookListColumns {
    let format: BookListFormat
    private let basic: CSVColumns
    private let place: [String: Int]
    private let habits: ListHabits
    /// How many columns the header has.
    private let count: Int
    private let fieldOfColumn: [BookListField?]

    /// - Parameters:
    ///   - mapping: the user's choice of fields for columns.
    ///   - habits: of the list, if it is not an export of a known program.
    /// - Throws: `CSVError.noTitleColumn`, `LibraryError.invalid` for an invalid mapping.
    init(_ header: BookListHeader, mapping: [String: BookListField?] = [:], _ habits: ListHabits = ListHabits())
        throws
    {
        let names = try header.names(mapping: mapping)
        basic = try CSVColumns(header: names)
        format = header.format
        self.habits = habits
        count = names.count
        fieldOfColumn = header.fields
        place = Dictionary(
            names.enumerated().map { (TextNormalisation.fold($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Throws: `LibraryError.invalid` for a row that cannot be a book.
    func book(_ row: CSVParser.Row) throws -> BookListRow {
        guard row.fields.dropFirst(count).allSatisfy(\.trimmed.isEmpty) else {
            throw LibraryError.invalid(
                field: "row",
                reason:
                    "it has \(row.fields.count) values, and the first line \(count). Put quotes around values with commas."
            )
        }
        let fields = BookListFields(
            row: row, place: place, isOurs: format == .shelflist, dates: LocalDate(order: habits.dateOrder))
        let result: BookListRow =
            switch format {
            case .shelflist: try ours(fields)
            case .goodreads: try goodreads(fields)
            case .libraryThing: try libraryThing(fields)
            case .storyGraph: try storyGraph(fields)
            case .ris, .csl: try reference(fields)
            case .other: try other(fields)
            }
        return BookListRow(
            line: row.line, book: try result.book.cleaned(), entry: try result.entry.cleaned(),
            shelf: result.shelf ?? fields["shelf"], addedAt: result.addedAt, reviewStatus: result.reviewStatus,
            work: result.work, copies: result.copies, unread: fields.unread.notes)
    }

    /// Whether something is read from a column.
    func reads(_ column: Int) -> Bool {
        guard format == .other, fieldOfColumn[column] == nil else { return true }
        return place.contains { $0.value == column && Self.furtherNames.contains($0.key) }
    }

    /// The columns of lists of other programs that are read without being fields to choose.
    private static let furtherNames: Set = [
        "comment", "wish list", "wishlist", "item type", "read", "binding", "format", "isbn", "isbn10", "isbn 10",
        "upc isbn10", "isbn uid", "additional authors", "secondary author", "contributors",
    ]

    // MARK: - One function for each kind of list

    private func ours(_ fields: BookListFields) throws -> BookListRow {
        var entry = EntryDetails()
        entry.ownership = try fields["ownership"].map { try fields.known($0, "ownership") } ?? .owned
        entry.lentTo = fields["lent to"]
        entry.lentOn = try fields.date("lent on")
        entry.dueOn = try fields.date("due on")
        entry.reading = try fields["reading"].map { try fields.known($0, "reading") }
        entry.rating = try fields.number("rating")
        entry.startedOn = try fields.date("started on")
        entry.finishedOn = try fields.date("finished on")
        entry.notes = fields["notes"]
        entry.callNumber = fields["call number"]
        entry.missingSince = try fields.time("missing since")
        entry.barcode = fields["barcode"]
        entry.condition = try fields["condition"].map { try fields.known($0, "condition") }
        entry.paid = try fields.money("price", currency: "currency")
        entry.worth = try fields.money("value", currency: "value currency")
        entry.valuedOn = try fields.date("valued on")
        entry.acquiredOn = try fields.date("acquired on")
        entry.acquiredFrom = fields["acquired from"]
        entry.tags = EscapedText.items(ofList: fields["tags"] ?? "")
        return BookListRow(
            line: fields.line,
            book: BookDetails(
                title: fields["title"] ?? "", subtitle: fields["subtitle"], series: fields["series"],
                seriesNumber: try fields.seriesNumber("series number"), authors: try Self.credits(fields),
                isbn: try fields.isbn("isbn"), publisher: fields["publisher"],
                year: try fields.integer("year"), pages: try fields.integer("pages"), language: fields["language"],
                binding: fields["binding"]),
            entry: entry, shelf: fields["shelf"], addedAt: try fields.time("added at"),
            reviewStatus: try fields["review status"].map { try fields.known($0, "review_status") },
            work: fields["work"])
    }

    /// Reads the names of a list that joins them as `ListTime` does.
    private static func credits(_ fields: BookListFields) throws -> [AuthorCredit] {
        let roles = EscapedText.items(ofList: fields["author roles"] ?? "")
        return try EscapedText.items(ofList: fields["authors"] ?? "").enumerated().map { index, name in
            AuthorCredit(
                name: name,
                role: try roles.indices.contains(index) ? fields.known(roles[index], "author_roles") : .author)
        }
    }

    private func reference(_ fields: BookListFields) throws -> BookListRow {
        var book = try details(fields)
        book.authors = try Self.credits(fields)
        var entry = EntryDetails()
        entry.notes = fields["notes"]
        entry.callNumber = fields["call number"]
        entry.tags = EscapedText.items(ofList: fields["tags"] ?? "")
        return BookListRow(line: fields.line, book: book, entry: entry)
    }

    private func goodreads(_ fields: BookListFields) throws -> BookListRow {
        var book = try details(fields)
        book.binding = fields["binding"]
        book.authors = [fields["author"], fields["additional authors"]].compactMap { $0 }.flatMap(AuthorCredit.list)
        let exclusive = fields["exclusive shelf"]
        var entry = EntryDetails()
        entry.reading = Self.reading(exclusive)
        // "Owned Copies" is rarely filled in; a book on the to-read shelf that is not owned is on the wish list.
        let owned = fields["owned copies"].flatMap { Int($0) } ?? 0
        entry.ownership = owned == 0 && entry.reading == .toRead ? .wishlist : .owned
        entry.rating = fields.starsIfAny("my rating")
        entry.finishedOn = fields.dateIfAny("date read")
        entry.notes = Self.joined([fields["my review"], fields["private notes"]])
        entry.tags = fields.list("bookshelves").filter { $0 != exclusive && Self.reading($0) == nil }
        if let exclusive, Self.reading(exclusive) == nil, exclusive != GoodreadsShelf.owned,
            !entry.tags.contains(exclusive)
        {
            entry.tags.append(exclusive)
        }
        return BookListRow(
            line: fields.line, book: book, entry: entry, addedAt: fields.dateIfAny("date added")?.noon)
    }

    private func libraryThing(_ fields: BookListFields) throws -> BookListRow {
        var book = try details(fields)
        let names =
            [fields["primary author"]].compactMap { $0 }
            + (fields["secondary author"] ?? "").split(separator: "|").map(String.init)
        let roles =
            [fields["primary author role"] ?? ""]
            + (fields["secondary author roles"] ?? "").split(separator: "|", omittingEmptySubsequences: false).map(
                String.init)
        book.authors = names.prefix(BookDetails.authorLimit + 1).enumerated().flatMap { index, name in
            AuthorCredit.list(name).map {
                AuthorCredit(name: $0.name, role: Self.role(roles.indices.contains(index) ? roles[index] : ""))
            }
        }
        book.binding = fields["media"]
        book.language = book.language ?? fields["languages"]
        book.pages = fields["page count"].flatMap(Self.pages)
        // The column "Publication" has the form "Ace Books (1990), Mass Market Paperback".
        book.publisher = fields["publication"].map {
            String($0.prefix { $0 != "(" && $0 != "," }).trimmingCharacters(in: .whitespaces)
        }
        book.year = fields["date"].flatMap(Year.first) ?? fields["publication"].flatMap(Year.first)
        book.isbn = fields["isbn"].flatMap { ISBN($0.filter { !"[]".contains($0) }) }
        let collections = fields.list("collections")
        let folded = Set(collections.map(TextNormalisation.fold))
        var entry = EntryDetails()
        readCopy(fields, into: &entry)
        entry.startedOn = fields.dateIfAny("date started")
        entry.finishedOn = fields.dateIfAny("date read")
        entry.ownership = folded.contains("wishlist") ? .wishlist : fields["lending patron"] != nil ? .lent : .owned
        entry.lentTo = fields["lending patron"]
        entry.reading =
            folded.contains("currently reading")
            ? .reading
            : folded.contains("to read")
                ? .toRead
                : entry.finishedOn != nil || folded.contains("read but unowned") ? .read : nil
        entry.rating = fields.starsIfAny("rating")
        entry.notes = Self.joined([fields["review"], fields["comment"], fields["private comment"]])
        // Ownership and reading status represent these collections; "read but unowned" has no equivalent and stays a
        // tag.
        let standard: Set = ["your library", "wishlist", "currently reading", "to read"]
        entry.tags = fields.list("tags") + collections.filter { !standard.contains(TextNormalisation.fold($0)) }
        return BookListRow(line: fields.line, book: book, entry: entry, addedAt: fields.dateIfAny("entry date")?.noon)
    }

    private func storyGraph(_ fields: BookListFields) throws -> BookListRow {
        var book = try details(fields)
        book.authors = fields.list("authors").prefix(BookDetails.authorLimit + 1).flatMap(AuthorCredit.list)
        book.binding = fields["format"]
        var entry = EntryDetails()
        let status = fields["read status"]
        entry.reading = Self.reading(status)
        entry.ownership =
            fields["owned"].map(TextNormalisation.fold) == "yes" || entry.reading != .toRead ? .owned : .wishlist
        entry.rating = fields.starsIfAny("star rating")
        let dates = fields.list("dates read").last?.split(separator: "-") ?? []
        entry.startedOn = dates.count == 2 ? PartialDate(rawValue: dates[0].trimmingCharacters(in: .whitespaces)) : nil
        entry.finishedOn = fields.dateIfAny("last date read")
        entry.notes = fields["review"]
        entry.tags = fields.list("tags")
        if status == "did-not-finish" { entry.tags.append("did-not-finish") }
        return BookListRow(line: fields.line, book: book, entry: entry, addedAt: fields.dateIfAny("date added")?.noon)
    }

    private func other(_ fields: BookListFields) throws -> BookListRow {
        if let kind = fields["item type"], !TextNormalisation.fold(kind).hasSuffix("book") {
            throw LibraryError.invalid(field: "item type", reason: "it is “\(kind)”; only books are imported.")
        }
        var entry = EntryDetails()
        entry.notes = fields["notes"] ?? fields["comment"]
        entry.callNumber = fields["call number"]
        readCopy(fields, into: &entry)
        entry.tags = (fields["tags"] ?? "").split(whereSeparator: { $0 == "," || $0 == ";" }).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let status = fields["status"] ?? fields["read status"]
        entry.reading = Self.reading(status) ?? (Self.isYes(fields["read"]) ? .read : nil)
        if let lentTo = fields["lent to"] { (entry.ownership, entry.lentTo) = (.lent, lentTo) }
        if Self.isYes(fields["wish list"] ?? fields["wishlist"]) || Self.isWish(status) { entry.ownership = .wishlist }
        entry.rating = fields.starsIfAny("rating", outOf: habits.bestRating)
        entry.startedOn = fields.dateIfAny("date started")
        entry.finishedOn = fields.dateIfAny("date read")
        var book = try details(fields)
        book.binding = fields["binding"] ?? fields["format"]
        if let volume = fields["volume"] {
            (book.series, book.seriesNumber) = ("\(book.series ?? book.title), #\(volume)", nil)
        }
        let copies = fields["copies"].map { Int($0) ?? fields.unread.note("copies", $0) ?? 1 } ?? 1
        return BookListRow(
            line: fields.line, book: book, entry: entry, shelf: fields["shelf"] ?? fields["location"],
            addedAt: fields.dateIfAny("date added")?.noon, copies: min(max(copies, 1), Self.copyLimit))
    }

    /// Reads what is known of one copy; what cannot be read is noted.
    private func readCopy(_ fields: BookListFields, into entry: inout EntryDetails) {
        let currency = fields["currency"]
        func money(_ name: String) -> Money? {
            fields[name].flatMap { Money($0, currency: currency) ?? fields.unread.note(name, $0) }
        }
        entry.barcode = fields["barcode"]
        entry.condition = fields["condition"].flatMap { Self.condition($0) ?? fields.unread.note("condition", $0) }
        entry.paid = money("price")
        entry.worth = money("value")
        entry.acquiredOn = fields.dateIfAny("acquired on")
        entry.acquiredFrom = fields["acquired from"]
    }

    private static func condition(_ text: String) -> CopyCondition? {
        switch TextNormalisation.fold(text) {
        case "new", "neu", "as new", "mint", "neuwertig": .new
        case "fine", "very good", "sehr gut": .fine
        case "good", "gut": .good
        case "worn", "used", "fair", "gebraucht", "abgenutzt": .worn
        case "poor", "schlecht": .poor
        case "damaged", "beschadigt", "defekt": .damaged
        default: nil
        }
    }

    /// The largest number of copies that one row is.
    private static let copyLimit = 100

    private static func isYes(_ text: String?) -> Bool {
        text.map { ["1", "yes", "true", "x", "ja", "si", "oui"].contains(TextNormalisation.fold($0)) } ?? false
    }

    /// Whether a status of a reading log says that the reader does not have the book.
    private static func isWish(_ status: String?) -> Bool { status.map(TextNormalisation.fold) == "want to read" }

    // MARK: - Shared

    /// Reads the book's data from the columns that all lists have.
    private func details(_ fields: BookListFields) throws -> BookDetails {
        guard let record = basic.record(from: fields.row) else {
            throw LibraryError.invalid(field: "title", reason: "the row has none; it was left out.")
        }
        if let number = record.isbn, ISBN(number) == nil { _ = fields.unread.note("ISBN", number) as ISBN? }
        var book = BookDetails(record)
        // Goodreads writes titles as "Dune (Dune Chronicles, #1)".
        let title = Title(book.title)
        if let series = title.series, book.series == nil {
            book.series = title.volume.map { "\(series), #\($0)" } ?? series
            book.title = title.main + (title.subtitle.map { ": " + $0 } ?? "")
        }
        return book
    }

    private static func reading(_ text: String?) -> ReadingStatus? {
        switch text.map(TextNormalisation.fold) {
        case "to read", "want to read", "unread", "not begun", "ungelesen", "zu lesen", "mochte ich lesen": .toRead
        case "currently reading", "reading", "in progress", "lese ich", "lese ich gerade": .reading
        case "read", "already read", "finished", "completed", "gelesen": .read
        default: nil
        }
    }

    /// Returns the largest number in texts such as `xvi, 541 p.` and `541`.
    private static func pages(_ text: String) -> Int? {
        text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }.max().flatMap {
            PageCount.range.contains($0) ? $0 : nil
        }
    }

    private static func role(_ text: String) -> AuthorCredit.Role {
        let folded = TextNormalisation.fold(text)
        if folded.contains("transl") { return .translator }
        if folded.contains("edit") { return .editor }
        if folded.contains("illustr") { return .illustrator }
        return folded.isEmpty || folded.contains("author") ? .author : .contributor
    }

    private static func joined(_ texts: [String?]) -> String? {
        let texts = texts.compactMap { $0 }
        return texts.isEmpty ? nil : texts.joined(separator: "\n\n")
    }
}
