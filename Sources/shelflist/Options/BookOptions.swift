import ArgumentParser
import Bibliography
import Library
import Server
import ShelflistAPI

struct EntryFields: ParsableArguments {
    @Option(help: "The shelf or its path; created if it is new. An empty text removes it.") var shelf: String?
    @Option(help: "owned, wishlist or lent.") var ownership: Ownership?
    @Option(name: .customLong("lent-to"), help: "Who borrowed it. An empty text marks it returned.") var lentTo: String?
    @Option(help: "The day on which the borrower should bring it back: 2026-12-24.") var due: String?
    @Option(help: "to-read, reading or read.") var reading: ReadingStatus?
    @Option(help: "Stars, 0 to 5.") var rating: Double?
    @Option(help: "Start of reading: 2026, 2026-11 or 2026-11-21. An empty text removes it.") var started: String?
    @Option(help: "End of reading, in the same form.") var finished: String?
    @Option(help: "A note. An empty text removes it.") var notes: String?
    @Option(name: .customLong("call-number"), help: "What a label on the spine says. An empty text removes it.")
    var callNumber: String?
    @Option(help: "Its barcode. An empty text removes it.") var barcode: String?
    @Option(help: "new, fine, good, worn, poor or damaged.") var condition: CopyCondition?
    @Option(help: "What was paid for it: 12.50 EUR. An empty text removes it.") var price: String?
    @Option(help: "What it is worth, in the same form.") var value: String?
    @Option(name: .customLong("valued"), help: "The date of that value: 2026, 2026-11 or 2026-11-21.") var valued:
        String?
    @Option(help: "The date on which it was acquired, in the same form.") var acquired: String?
    @Option(name: .customLong("acquired-from"), help: "From whom. An empty text removes it.") var acquiredFrom: String?
    @Option(help: ArgumentHelp("Whether it is missing.", valueName: "true|false")) var missing: Bool?
    @Option(name: .customLong("tag"), help: "A tag; may be repeated. Replaces existing tags.") var tags: [String] = []

    var isEmpty: Bool {
        let texts = [
            shelf, lentTo, due, started, finished, notes, callNumber, barcode, price, value, valued, acquired,
            acquiredFrom,
        ]
        return texts.allSatisfy { $0 == nil } && ownership == nil && reading == nil && rating == nil && tags.isEmpty
            && missing == nil && condition == nil
    }

    func validate() throws {
        if due != nil, lentTo?.isEmpty ?? true {
            throw ValidationError("--due is for a book that is lent. Add --lent-to with the borrower's name.")
        }
    }

    /// Returns the change without the shelf, whose identifier the library knows, and without the loan.
    ///
    /// - Throws: `LibraryError` for a date or an amount that is not one.
    func change() throws -> BookChange {
        func patch(_ text: String?) -> FieldPatch<String> { text.map { $0.isEmpty ? .clear : .set($0) } ?? .keep }
        var change = BookChange()
        change.ownership = ownership
        change.readingStatus = reading.map { .set($0) } ?? .keep
        change.rating = rating.map { .set($0) } ?? .keep
        change.notes = patch(notes)
        change.callNumber = patch(callNumber)
        change.tags = tags.isEmpty ? nil : tags
        change.missing = missing
        change.barcode = patch(barcode)
        change.condition = condition.map { .set($0) } ?? .keep
        change.price = try Self.money(price, "--price")
        change.value = try Self.money(value, "--value")
        change.valuedOn = patch(try Self.date(valued, "--valued")?.rawValue ?? valued)
        change.acquiredOn = patch(try Self.date(acquired, "--acquired")?.rawValue ?? acquired)
        change.acquiredFrom = patch(acquiredFrom)
        change.startedOn = patch(try startDate()?.rawValue ?? started)
        change.finishedOn = patch(try endDate()?.rawValue ?? finished)
        return change
    }

    /// Nil if it is not given, or to be removed.
    private func startDate() throws -> PartialDate? { try Self.date(started, "--started") }
    private func endDate() throws -> PartialDate? { try Self.date(finished, "--finished") }
    func dueDate() throws -> PartialDate? { try Self.date(due, "--due") }

    private static func money(_ text: String?, _ option: String) throws -> FieldPatch<Money> {
        guard let text else { return .keep }
        if text.isEmpty { return .clear }
        guard let money = Money(text) else {
            throw LibraryError.invalid(
                field: option, reason: "“\(text)” is not an amount. Use the form 12.50 EUR.")
        }
        return .set(money)
    }

    private static func date(_ text: String?, _ option: String) throws -> PartialDate? {
        guard let text, !text.isEmpty else { return nil }
        guard let date = PartialDate(rawValue: text) else {
            throw LibraryError.invalid(
                field: option, reason: "“\(text)” is not a date. Use the form 2026, 2026-11 or 2026-11-21.")
        }
        return date
    }
}

struct BookFields: ParsableArguments {
    @Option(help: "The title.") var title: String?
    @Option(help: "The subtitle.") var subtitle: String?
    @Option(name: .customLong("author"), help: "An author; may be repeated.") var authors: [String] = []
    @Option(help: "The ISBN, 10 or 13 digits. An empty text removes it.") var isbn: String?
    @Option(help: "The series. A number at the end is the one in the series: 'Earthsea, #3'.") var series: String?
    @Option(
        name: .customLong("series-number"), help: "The number in the series: 3, 2.5 or 1-3. An empty text removes it.")
    var seriesNumber: String?
    @Option(help: "The publisher.") var publisher: String?
    @Option(help: "The year of the edition.") var year: Int?
    @Option(help: "The number of pages.") var pages: Int?
    @Option(help: "The language.") var language: String?

    var isEmpty: Bool {
        let texts = [title, subtitle, isbn, series, seriesNumber, publisher, language]
        return texts.allSatisfy { $0 == nil } && authors.isEmpty && year == nil && pages == nil
    }

    /// - Throws: `LibraryError` for an ISBN that is not valid.
    func correction() throws -> BookCorrection {
        var correction = BookCorrection(title: title, authors: authors.isEmpty ? nil : authors)
        // An empty text removes the ISBN.
        correction.isbn = try isbn.map { $0.isEmpty ? .clear : .set(try Self.number($0).isbn13) } ?? .keep
        correction.subtitle = subtitle.map { .set($0) } ?? .keep
        correction.publisher = publisher.map { .set($0) } ?? .keep
        correction.year = year.map { .set($0) } ?? .keep
        correction.pages = pages.map { .set($0) } ?? .keep
        correction.series = series.map { .set($0) } ?? .keep
        correction.seriesNumber = seriesNumber.map { $0.isEmpty ? .clear : .set($0) } ?? .keep
        correction.language = language.map { .set($0) } ?? .keep
        return correction
    }

    private static func number(_ text: String) throws -> ISBN {
        guard let number = ISBN(text) else {
            throw LibraryError.invalid(
                field: "--isbn", reason: "“\(text)” is not a valid ISBN: the check digit is wrong. Correct it.")
        }
        return number
    }
}
