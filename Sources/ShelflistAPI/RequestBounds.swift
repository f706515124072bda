/// The bounds of requests about several items.
package enum RequestBounds {
    /// The most items that one action may name.
    package static let ids = 10_000
    /// The most items on one page.
    package static let pageSize = 500
    /// The most shelves that a new stocktake may name; those inside them are part of it without being named.
    package static let stocktakeShelves = 1000
    /// The most tags that a new stocktake may name.
    package static let stocktakeTags = 1000
}
