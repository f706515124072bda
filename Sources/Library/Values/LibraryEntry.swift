public import Bibliography
public import Foundation

/// The user's copy of a work.
public struct LibraryEntry: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<LibraryEntry>
    public var work: RowID<Work>
    public var edition: RowID<Edition>?
    public var details: EntryDetails
    public var addedAt: Date
    /// Grows with every change; what a client saw last goes into `ifRevision`.
    public var revision: Int
}

/// What the user says about a copy; no matching and no correction touches it.
public struct EntryDetails: Hashable, Codable, Sendable {
    public var ownership: Ownership
    public var lentTo: String?
    public var reading: ReadingStatus?
    /// Stars, 0...5, in quarters at the finest.
    public var rating: Double?
    public var startedOn: PartialDate?
    public var finishedOn: PartialDate?
    public var notes: String?
    public var tags: [String]
    public var shelf: RowID<Shelf>?

    public init(
        ownership: Ownership = .owned, lentTo: String? = nil, reading: ReadingStatus? = nil, rating: Double? = nil,
        startedOn: PartialDate? = nil, finishedOn: PartialDate? = nil, notes: String? = nil, tags: [String] = [],
        shelf: RowID<Shelf>? = nil
    ) {
        self.ownership = ownership
        self.lentTo = lentTo
        self.reading = reading
        self.rating = rating
        self.startedOn = startedOn
        self.finishedOn = finishedOn
        self.notes = notes
        self.tags = tags
        self.shelf = shelf
    }
}

public enum Ownership: String, Codable, CaseIterable, Sendable {
    case owned, wishlist, lent
}

public enum ReadingStatus: String, Codable, CaseIterable, Sendable {
    case toRead = "to-read"
    case reading
    case read
}

/// A day, a month or a year, as people remember them: `2024-05-17`, `2024-05`, `2024`.
public struct PartialDate: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    public let rawValue: String

    /// Reads ISO 8601, and `2024/05/17` as some exports write it; nil for what is no date.
    public init?(rawValue: String) {
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
            guard (1...Self.days(inMonth: numbers[1], year: numbers[0])).contains(numbers[2]) else { return nil }
            text += "-" + Self.two(numbers[2])
        }
        self.rawValue = text
    }

    public static func < (a: PartialDate, b: PartialDate) -> Bool { a.rawValue < b.rawValue }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private static func days(inMonth month: Int, year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

/// A place the user named.
public struct Shelf: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Shelf>
    public var name: String
    /// How many copies stand there.
    public var entries: Int
}

/// A line of the library's list: a copy with what is needed to show it.
public struct EntrySummary: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<LibraryEntry>
    public var work: RowID<Work>
    public var title: String
    public var subtitle: String?
    /// Names in the order of the title page.
    public var authors: [String]
    public var series: String?
    public var isbn: ISBN?
    public var year: Int?
    /// Name of a file in the folder `covers`.
    public var cover: String?
    public var ownership: Ownership
    public var reading: ReadingStatus?
    public var rating: Double?
    public var shelf: RowID<Shelf>?
    public var shelfName: String?
    public var reviewStatus: ReviewStatus
    public var addedAt: Date
    /// Of the entry.
    public var revision: Int
    public var tags: [String]
}

/// Everything about one copy.
public struct EntryDetail: Hashable, Codable, Sendable {
    public var entry: LibraryEntry
    public var work: Work
    public var edition: Edition?
    public var shelf: Shelf?
    /// Where the copy was seen, the latest first.
    public var detections: [Detection]
    /// All copies of the work, this one among them.
    public var copies: [RowID<LibraryEntry>]
    /// Questions that wait for an answer.
    public var duplicateQuestions: [DuplicateQuestion]
}
