import Hummingbird
import ShelflistAPI

/// The requested page of a list, from `cursor` and `limit`.
struct Paging {
    let offset: Int
    let limit: Int

    init(_ query: Query) throws {
        limit = try query.limit()
        guard let cursor = try query.text("cursor") else {
            offset = 0
            return
        }
        guard cursor.hasPrefix("o"), let offset = Int(cursor.dropFirst()), (0...10_000_000).contains(offset) else {
            throw Problem.invalidCursor
        }
        self.offset = offset
    }

    /// Returns a page.
    ///
    /// - Parameters:
    ///   - items: the items of this page.
    ///   - total: the number of items on all pages.
    func page<Item: Encodable>(_ items: [Item], total: Int) -> Page<Item> {
        let next = offset + items.count
        return Page(items: items, nextCursor: items.isEmpty || next >= total ? nil : "o\(next)", total: total)
    }

    /// Returns the requested page of a complete list.
    func page<Element, Item: Encodable>(
        of all: [Element], _ message: (Element) throws -> Item
    ) rethrows -> Page<Item> {
        page(try all.dropFirst(offset).prefix(limit).map(message), total: all.count)
    }
}

extension Problem {
    /// The cursor of a list is none that the server gave for it.
    static let invalidCursor = Problem.invalidField(
        "cursor", "The cursor is not valid. Start with the first page.", status: 400)
}
