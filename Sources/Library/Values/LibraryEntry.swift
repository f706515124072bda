import Bibliography
package import Foundation
package import ShelflistAPI

/// The user's copy of a work.
package struct LibraryEntry: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<LibraryEntry>
    package var work: RowID<Work>
    package var edition: RowID<Edition>?
    package var details: EntryDetails
    package var addedAt: Date
    /// The revision, which grows with every change; clients pass the one they saw as `ifRevision`.
    package var revision: Int
}

/// The user's data about a copy, which matching and corrections never change.
package struct EntryDetails: Hashable, Codable, Sendable {
    package var ownership = Ownership.owned
    /// The borrower; nil if it is not lent.
    package var lentTo: String?
    /// The first day of the loan, and the day on which the book should be back.
    package var lentOn: PartialDate?
    package var dueOn: PartialDate?
    package var reading: ReadingStatus?
    /// Stars, 0...5, in steps of 0.25 or coarser.
    package var rating: Double?
    package var startedOn: PartialDate?
    package var finishedOn: PartialDate?
    package var notes: String?
    /// What a label on its spine says, such as `796.1 ABC`.
    package var callNumber: String?
    package var tags: [String] = []
    package var shelf: RowID<Shelf>?
    /// When a stocktake did not find it, or a person said that it is gone; nil for a copy that is there.
    package var missingSince: Date?
    /// What is glued or printed on it; each copy has another one.
    package var barcode: String?
    package var condition: CopyCondition?
    /// In the smallest unit of `currency`, which is nil without it; `paid` and `worth` combine them.
    package var price: Int?
    package var currency: String?
    package var value: Int?
    package var valueCurrency: String?
    package var valuedOn: PartialDate?
    package var acquiredOn: PartialDate?
    package var acquiredFrom: String?

    package init(shelf: RowID<Shelf>? = nil) { self.shelf = shelf }

    /// What was paid for it.
    package var paid: Money? {
        get { price.flatMap { amount in currency.map { Money(amount: amount, currency: $0) } } }
        set { (price, currency) = (newValue?.amount, newValue?.currency) }
    }

    /// What it is worth.
    package var worth: Money? {
        get { value.flatMap { amount in valueCurrency.map { Money(amount: amount, currency: $0) } } }
        set { (value, valueCurrency) = (newValue?.amount, newValue?.currency) }
    }

    /// Ends the loan.
    package mutating func comesBack() { (ownership, lentTo, lentOn, dueOn) = (.owned, nil, nil, nil) }

    /// Records that the copy is missing, or is there; storing it replaces the time of a copy that was there.
    package mutating func setMissing(_ isMissing: Bool) {
        missingSince = isMissing ? missingSince ?? .distantPast : nil
    }
}

/// A day, a month or a year, as people remember them: `2024-05-17`, `2024-05`, `2024`.
package struct PartialDate: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    package let rawValue: String

    /// Parses ISO 8601, and `2024/05/17`, which some exports write; returns `nil` if the text is not a date.
    package init?(rawValue: String) {
        let parts = rawValue.split(whereSeparator: { $0 == "-" || $0 == "/" }).map(String.init)
        let numbers = parts.compactMap { part in part.allSatisfy(\.isASCII) ? Int(part) : nil }
        guard (1...3).contains(numbers.count), numbers.count == parts.count, (1...9999).contains(numbers[0]),
            parts[0].count == 4
        else { return nil }
        var text = parts[0]
        if numbers.count > 1 {
            guard (1...12).contains(numbers[1]) else { return nil }
            text += "-" + Self.two(numbers[1])
        }
        if numbers.count > 2 {
            guard numbers[2] >= 1, numbers[2] <= Self.days(inMonth: numbers[1], year: numbers[0]) else { return nil }
            text += "-" + Self.two(numbers[2])
        }
        self.rawValue = text
    }

    package static func < (a: PartialDate, b: PartialDate) -> Bool { a.rawValue < b.rawValue }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private static func days(inMonth month: Int, year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

/// A place named by the user.
package struct Shelf: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Shelf>
    package var name: String
    /// The shelf that it is in.
    package var parent: RowID<Shelf>?
    /// `PlaceCode`'s description.
    package var code: String
    package var note: String?
    /// By what the shelf, and those inside it without a rule of their own, are sorted.
    package var sortRule: ShelfSort?
    /// `PlacePath`'s description.
    package var path: String
    /// The number of copies on the shelf.
    package var entries: Int
    /// The number of copies on the shelf and on those inside it.
    package var entriesInside: Int
}

/// All data of one copy.
package struct EntryDetail: Hashable, Codable, Sendable {
    package var entry: LibraryEntry
    package var work: Work
    package var edition: Edition?
    package var shelf: Shelf?
    /// The detections of the copy, latest first.
    package var detections: [Detection]
    /// All copies of the work, including this one.
    package var copies: [RowID<LibraryEntry>]
    /// The open questions.
    package var duplicateQuestions: [DuplicateQuestion]
    /// The loans that have ended, latest first.
    package var pastLoans: [PastLoan]

    /// The latest detection whose spine can be shown, otherwise the latest.
    package var shownDetection: Detection? { detections.first(where: \.hasPicture) ?? detections.first }
}
