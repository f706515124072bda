/// Whether the library has a book.
public enum OwnVerdict: String, CaseIterable, Sendable, WireWord {
    /// It has this edition, or a copy whose edition is not known to be another one.
    case have
    /// All its copies are of other editions.
    case otherEdition
    /// It is on the wish list.
    case wished
    /// The book is not known well enough to say: an unclear spine, nearly the title of a copy, or an ISBN that no
    /// source knows.
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

    public init(_ verdict: OwnVerdict, copies: [LibraryBook] = []) { (self.verdict, self.copies) = (verdict, copies) }
}
