public import ShelflistAPI

/// A list that the server sends in pages.
///
/// ```swift
/// for try await book in client.library.books(LibraryQuery(text: "Austen")) { print(book.title) }
/// ```
public struct Pages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
    let connection: ServerConnection
    let path: String
    var query: [(name: String, value: String?)] = []
    /// How many items each request of the sequence asks for, 1...500.
    package var pageSize = 100

    /// Returns one page with the number of items on all pages.
    ///
    /// ```swift
    /// let page = try await client.library.books().page(limit: 20)
    /// show(page.total, page.items.map(\.title), page.nextCursor)
    /// ```
    ///
    /// - Parameters:
    ///   - cursor: `nextCursor` of the page before; nil for the first one.
    ///   - limit: 1...500
    public func page(_ cursor: String? = nil, limit: Int = 100) async throws(ShelflistError) -> Page<Item> {
        try await connection.value(.init("GET", path, query + [("cursor", cursor), ("limit", "\(limit)")]))
    }

    /// Loads each page when the items of the one before are used up.
    ///
    /// ```swift
    /// var books = client.library.books().makeAsyncIterator()
    /// if let first = try await books.next() { show(first.title) }
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        let pages: Pages
        var items: ArraySlice<Item> = []
        var cursor: String?
        var isLast = false

        /// Returns the next item.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ShelflistError) -> Item? {
            while items.isEmpty, !isLast {
                let page = try await pages.page(cursor, limit: pages.pageSize)
                items = page.items[...]
                cursor = page.nextCursor
                isLast = cursor == nil
            }
            return items.popFirst()
        }
    }

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }
}
