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

/// A line in a photo that matches a search and belongs to no spine, such as a sign or the side of a box.
package struct FoundLine: Codable, Hashable, Sendable {
    package var text: String
    package var photoId: String
    /// nil if the photo is not stored.
    @Null package var photoUrl: ServerPath?
    package var quad: UnitQuad
    /// Of the photo.
    @Null package var shelf: ShelfReference?
    /// When the photo was added.
    package var seenAt: Date

    package init(
        text: String, photoId: String, photoUrl: ServerPath?, quad: UnitQuad, shelf: ShelfReference?, seenAt: Date
    ) {
        (self.text, self.photoId, self.quad, self.seenAt) = (text, photoId, quad, seenAt)
        (self.photoUrl, self.shelf) = (photoUrl, shelf)
    }
}

/// The text of a spine or a loose line, for searching without the server.
package struct SpineWords: Codable, Hashable, Sendable {
    /// Folded: lower case, without accents.
    package var text: String
    /// nil for an unidentified spine and a loose line.
    package var entryId: String?
    /// The identifier of the photo's shelf.
    package var shelfId: String?
    package var photoId: String
    /// In milliseconds since 1970.
    package var seenAt: Int64

    package init(text: String, entryId: String?, shelfId: String?, photoId: String, seenAt: Int64) {
        (self.text, self.entryId, self.shelfId) = (text, entryId, shelfId)
        (self.photoId, self.seenAt) = (photoId, seenAt)
    }
}
