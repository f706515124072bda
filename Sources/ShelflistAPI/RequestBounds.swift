/// The bounds of requests about several items.
package enum RequestBounds {
    /// The most items that one action may name.
    package static let ids = 10_000
    /// The most items on one page.
    package static let pageSize = 500
}
