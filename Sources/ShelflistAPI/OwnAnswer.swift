/// Whether the library has a book.
public enum OwnVerdict: String, CaseIterable, Sendable, WireWord {
    /// It has this edition, or a copy whose edition is not known to be another one.
    case have
    /// All its copies are of other editions.
    case otherEdition
    /// It, or its volume of a series, is on the wish list.
    case wished
    /// It is a missing volume of a series of which the library has volumes.
    case fillsGap
    /// The book is not known well enough to say: an unclear spine, nearly the title of a copy, the volume of one
    /// with another title, or an ISBN that no source knows.
    case unsure
    case notYours

    public static var unknownWord: OwnVerdict { .unsure }

    /// Whether a copy is in the library, of any edition.
    public var isOwned: Bool { self == .have || self == .otherEdition }
}

/// The answer to "Do I own it?".
public struct OwnAnswer: Codable, Hashable, Sendable {
    public var verdict: OwnVerdict
    /// The copies of the book, owned ones first, then wishes; with `unsure`, the copies that may be it.
    public var copies: [LibraryBook]
    /// What a source says about an ISBN that no copy has; nil if none was asked or none knows it.
    public var record: SearchRecord?
    /// The series, without its copies, of which the book is a volume; nil if the answer is not by its volume.
    public var series: BookSeries?
    /// The number of the volume in `series`: `2`, or `2-3` for several in one.
    public var volume: String?

    public init(_ verdict: OwnVerdict, copies: [LibraryBook] = []) { (self.verdict, self.copies) = (verdict, copies) }
}
