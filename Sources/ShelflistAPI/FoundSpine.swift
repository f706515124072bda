package import Foundation

/// A spine whose text matches a search.
package struct FoundSpine: Codable, Hashable, Sendable {
    /// All that was read on it.
    package var text: String
    /// The copy that it shows; nil for a spine that waits, or whose copy was removed.
    @Null package var entryId: String?
    @Null package var title: String?
    /// Of the photo.
    @Null package var shelf: ShelfReference?
    package var position: SpinePosition
    package var place: PlaceInPhoto
    /// The titles of the spines beside it, or what was read on them; nil at an end of the row.
    @Null package var left: String?
    @Null package var right: String?
    /// When the photo was added.
    package var seenAt: Date

    package init(text: String, position: SpinePosition, place: PlaceInPhoto, seenAt: Date) {
        (self.text, self.position, self.place, self.seenAt) = (text, position, place, seenAt)
    }
}
