/// Which books of the library to list, and in which order.
public struct LibraryQuery: Hashable, Sendable {
    /// The orders of a list.
    public enum Sort: String, CaseIterable, Sendable {
        /// By title, without leading articles.
        case title
        /// By the first author's family name, then title.
        case author
        /// By the time of the addition.
        case added
        /// By the year of the edition.
        case year
        /// By the rating.
        case rating
        /// By call number; those without one last.
        case callNumber
        /// By shelf, then by board and from left to right.
        case shelf
    }

    /// Words of titles, authors, notes or tags, or an ISBN.
    public var text: String?
    /// The identifier of a shelf.
    public var shelf: String?
    /// A tag.
    public var tag: String?
    /// The identifier of a series.
    public var series: String?
    public var ownership: Ownership?
    public var readingStatus: ReadingStatus?
    /// Whether to list only books that need review.
    public var needsReview: Bool
    /// Whether to list only books that are lent and should be back.
    public var overdue: Bool
    /// Whether to list only books that are missing.
    public var missing: Bool
    /// The barcode of a copy.
    public var barcode: String?
    public var condition: CopyCondition?
    /// The order.
    public var sort: Sort
    /// Whether to reverse the order.
    public var descending: Bool

    /// Creates a query; without arguments, of all books by title.
    public init(
        text: String? = nil, shelf: String? = nil, tag: String? = nil, series: String? = nil,
        ownership: Ownership? = nil, readingStatus: ReadingStatus? = nil, needsReview: Bool = false,
        overdue: Bool = false,
        missing: Bool = false, barcode: String? = nil, condition: CopyCondition? = nil, sort: Sort = .title,
        descending: Bool = false
    ) {
        (self.text, self.shelf, self.tag, self.series) = (text, shelf, tag, series)
        (self.ownership, self.readingStatus, self.needsReview) = (ownership, readingStatus, needsReview)
        (self.overdue, self.missing, self.barcode, self.condition) = (overdue, missing, barcode, condition)
        (self.sort, self.descending) = (sort, descending)
    }
}
