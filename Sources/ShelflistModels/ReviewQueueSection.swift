public import Bibliography
public import ShelflistClient

extension ReviewQueueModel {
    /// The items of one tier.
    ///
    /// ```swift
    /// for section in model.sections { show(section.id, section.count, section.items.map(\.title)) }
    /// ```
    public struct Section: Identifiable, Sendable {
        /// The tier; nil for items that are not about one book's confidence, such as questions about duplicates.
        public let id: ConfidenceTier?
        /// The loaded items, least sure first.
        public let items: [ReviewQueueItem]
        /// The number of items on the server, of which some may not be loaded yet.
        public let count: Int
    }
}

extension ReviewQueueItem {
    /// The tier of the section that shows the item; nil for items that are not books to confirm.
    var queueTier: ConfidenceTier? { kind == .detection ? tier : nil }
}

extension ReviewQueueCounts {
    /// Counts an item no more.
    mutating func remove(_ item: ReviewQueueItem) {
        total -= 1
        if let tier = item.queueTier { self[tier] -= 1 }
    }
}
