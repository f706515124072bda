import Bibliography
import Bounds
import ShelflistAPI

/// Checks and cleans text from outside before it is stored.
///
/// NUL and other control characters are removed (SQLite's C strings end at a NUL). Line breaks and tabs are kept in
/// notes. Elsewhere they become spaces, and signs that are one character with whatever follows them, such as U+0600, are
/// removed. Everything else, such as emoji, right-to-left scripts and markup, is kept: it is text, and the code that
/// displays it escapes it. Only combining marks after the eighth in a row are left out.
enum CleanText {
    /// Of a title, a name or another one-line field in UTF-8, in bytes: 1,000 characters of any script.
    static let lineLimit = 4_000
    /// Of notes.
    static let notesLimit = 200_000

    /// Returns one trimmed line, or `nil` if nothing is left.
    ///
    /// - Throws: `LibraryError.invalid` naming the field and the limit.
    static func line(_ text: String?, field: String) throws -> String? {
        try trimmed(text.map(oneLine), limit: lineLimit, field)
    }

    /// Returns several lines, trimmed at both ends, or `nil` if nothing is left.
    ///
    /// - Throws: as `line`.
    static func notes(_ text: String?, field: String) throws -> String? {
        let clean = text.map { without($0) { isControl($0) && $0 != "\n" && $0 != "\t" } }
        return try trimmed(clean, limit: notesLimit, field)
    }

    private static func trimmed(_ text: String?, limit: Int, _ field: String) throws -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        let bounded = BoundedText(text, limit: limit)
        guard !bounded.isCut else {
            throw LibraryError.invalid(
                field: field, reason: "it has \(bounded.bytes) bytes; the limit is \(limit). Shorten it.")
        }
        return bounded.text
    }

    /// Returns one line, cut to the limit of a line, for values that are shown and not edited.
    static func shown(_ text: String) -> String { BoundedText(oneLine(text), limit: lineLimit).text }

    /// Returns one line of any length.
    static func oneLine(_ text: String) -> String {
        without(text) { isControl($0) || $0.dividesLines || $0.isPrependedMark }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func without(_ text: String, _ isRemoved: (Unicode.Scalar) -> Bool) -> String {
        guard text.unicodeScalars.contains(where: isRemoved) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isRemoved(scalar) {
                scalars.append(scalar)
            } else if scalar.dividesLines {
                scalars.append(" ")
            }
        }
        return String(scalars)
    }
}

extension BookDetails {
    /// Returns the details with all fields cleaned.
    ///
    /// - Throws: `LibraryError.invalid` if there is no title, or a value is out of range.
    func cleaned() throws -> BookDetails {
        var clean = self
        guard let title = try CleanText.line(title, field: "title") else {
            throw LibraryError.invalid(field: "title", reason: "it is empty. A book needs a title.")
        }
        clean.title = title
        clean.subtitle = try CleanText.line(subtitle, field: "subtitle")
        let place = try CleanText.line(series, field: "series").map { SeriesStatement($0) }
        // A number of its own counts more than one in the text of the series.
        (clean.series, clean.seriesNumber) = (place?.name, place.flatMap { seriesNumber ?? $0.number })
        clean.publisher = try CleanText.line(publisher, field: "publisher")
        clean.language = try CleanText.line(language, field: "language")
        clean.binding = try CleanText.line(binding, field: "binding")
        guard authors.count <= Self.authorLimit else {
            throw LibraryError.invalid(
                field: "authors", reason: "there are more than \(Self.authorLimit). Remove some.")
        }
        var seen: Set<AuthorCredit> = []
        clean.authors = try authors.compactMap { credit in
            guard let name = try CleanText.line(credit.name, field: "author") else { return nil }
            let credit = AuthorCredit(name: name, role: credit.role)
            let key = AuthorCredit(name: BookKey.authorKey(name), role: credit.role)
            return seen.insert(key).inserted ? credit : nil
        }
        if let year, !Year.range.contains(year) {
            throw LibraryError.invalid(field: "year", reason: "it is \(year); years go from 1000 to 2100.")
        }
        if let pages, !PageCount.range.contains(pages) {
            throw LibraryError.invalid(field: "pages", reason: "it is \(pages); a book has 1 to 100,000.")
        }
        return clean
    }
}

extension EntryDetails {
    /// Returns the details with all fields cleaned.
    ///
    /// - Throws: `LibraryError.invalid`.
    func cleaned() throws -> EntryDetails {
        var clean = self
        clean.lentTo = ownership == .lent ? try CleanText.line(lentTo, field: "lentTo") : nil
        if clean.lentTo == nil { (clean.lentOn, clean.dueOn) = (nil, nil) }
        if let lentOn = clean.lentOn, let dueOn = clean.dueOn, dueOn < lentOn {
            throw LibraryError.invalid(
                field: "due", reason: "it is before the first day of the loan, \(lentOn.rawValue).")
        }
        clean.notes = try CleanText.notes(notes, field: "notes")
        clean.callNumber = try CleanText.line(callNumber, field: "callNumber")
        clean.barcode = try CleanText.line(barcode, field: "barcode")
        clean.acquiredFrom = try CleanText.line(acquiredFrom, field: "acquiredFrom")
        clean.paid = try Self.cleaned(paid, field: "price")
        clean.worth = try Self.cleaned(worth, field: "value")
        if clean.worth == nil { clean.valuedOn = nil }
        if let rating, !(0...5).contains(rating) {
            throw LibraryError.invalid(field: "rating", reason: "it is \(rating); stars go from 0 to 5.")
        }
        guard tags.count <= 200 else {
            throw LibraryError.invalid(field: "tags", reason: "there are \(tags.count); the limit is 200.")
        }
        var seen: Set<String> = []
        clean.tags = try tags.compactMap { tag in
            try CleanText.line(tag, field: "tag").flatMap { seen.insert($0).inserted ? $0 : nil }
        }
        return clean
    }

    private static func cleaned(_ money: Money?, field: String) throws -> Money? {
        guard let money else { return nil }
        guard (0...Money.largest).contains(money.amount) else {
            throw LibraryError.invalid(
                field: field, reason: "it is \(money.amount); amounts go from 0 to \(Money.largest).")
        }
        let currency = money.currency.uppercased()
        guard currency.utf8.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw LibraryError.invalid(
                field: field, reason: "“\(CleanText.shown(money.currency))” is not a currency. Use a code such as EUR.")
        }
        return Money(amount: money.amount, currency: currency)
    }
}
