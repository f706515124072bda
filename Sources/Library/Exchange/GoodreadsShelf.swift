/// Shelves of a Goodreads list that mean something else than a reading status or a tag.
enum GoodreadsShelf {
    /// The exclusive shelf of copies without a reading status.
    ///
    /// Goodreads knows three exclusive shelves of its own, which all are reading statuses, and those that people add.
    static let owned = "owned"
}
