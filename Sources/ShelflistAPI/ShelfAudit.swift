public import Foundation

/// By what a shelf is sorted.
public enum ShelfSort: String, WireChoice {
    /// By the first author's family name, then title.
    case author
    /// Without leading articles.
    case title
    /// By series with its number, then title; books that are in no series do not count.
    case series
    /// By the copies' call numbers, then author and title; copies without one do not count.
    case callNumber
}

/// The place of a copy that is out of order on its board.
public struct OutOfOrder: Codable, Hashable, Sendable {
    /// The copy to its left; nil at the left end.
    @Null public var standsAfter: String?
    /// The copy in order after which it belongs; nil before all others.
    @Null public var belongsAfter: String?

    public init(standsAfter: String?, belongsAfter: String?) {
        (self.standsAfter, self.belongsAfter) = (standsAfter, belongsAfter)
    }
}

/// The copies of a shelf as its photos show them, by what is to do about them.
public struct ShelfAudit: Codable, Hashable, Sendable {
    public enum State: String, WireChoice {
        case present
        /// The latest scan added it, and other copies of the shelf were known before.
        case new
        /// It was found on the shelf since its latest photo, which does not show it.
        case found
        /// It is on its shelf, but not where the sort rule puts it.
        case outOfOrder
        /// The latest scan shows it here, but it is recorded elsewhere.
        case misplaced
        /// The latest photo of its place does not show it.
        case missing
        /// As `missing`, and it is lent.
        case lent
        /// It is lent, but the latest photo of its place shows it.
        case lentHere
        /// It is recorded here, but no photo shows it.
        case unseen
    }

    public struct Copy: Codable, Hashable, Sendable {
        /// With the photo and the outline.
        public var entry: LibraryBook
        @Known public var state: State?
        /// From the top and from the left, both from 1; nil if no photo shows it.
        @Null public var board: Int?
        @Null public var rank: Int?
        /// The copies beside it on the board.
        @Null public var left: String?
        @Null public var right: String?
        public var outOfOrder: OutOfOrder?

        public init(entry: LibraryBook, state: State) { (self.entry, self.state) = (entry, state) }
    }

    public var shelfId: String
    /// The rule of the shelf, or of the closest one around it that has one.
    @Known public var sort: ShelfSort?
    /// The time of the latest scan; nil if no photo shows the shelf.
    @Null public var scannedAt: Date?
    /// The number of copies by state.
    public var counts: [String: Int]
    /// By board, from left to right; those that no photo shows are last.
    public var copies: [Copy]

    public init(shelfId: String, sort: ShelfSort?, scannedAt: Date?, copies: [Copy]) {
        (self.shelfId, self.sort, self.scannedAt, self.copies) = (shelfId, sort, scannedAt, copies)
        counts = Dictionary(grouping: copies) { $0.state?.rawValue ?? "" }.mapValues(\.count)
    }
}

/// What a person decided on a copy of an audit.
public enum AuditAction: String, WireChoice {
    /// It is on this shelf.
    case found
    /// It is recorded on this shelf from now on.
    case belongsHere
    /// It was put back on the shelf on which it is recorded.
    case putBack
    /// It was put where the sort rule puts it.
    case putInOrder
    /// Its place on this shelf does not count any more.
    case ignoreOrder
    /// The loan has ended.
    case cameBack
    /// It is removed from the library.
    case gone
}

/// One decision of an audit.
package struct AuditDecision: Codable, Hashable, Sendable {
    package var entry: String
    package var action: AuditAction

    package init(entry: String, action: AuditAction) { (self.entry, self.action) = (entry, action) }
}
