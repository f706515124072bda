/// A page of a list.
public struct Page<Item> {
    public var items: [Item]
    /// Requests the next page; nil for the last one.
    @Null public var nextCursor: String?
    /// The number of items on all pages.
    public var total: Int

    public init(items: [Item], nextCursor: String?, total: Int) {
        (self.items, self.nextCursor, self.total) = (items, nextCursor, total)
    }
}

extension Page: Encodable where Item: Encodable {}
extension Page: Decodable where Item: Decodable {}
extension Page: Sendable where Item: Sendable {}
