/// A question about a label or a sign in a photo, which is asked once.
public struct LabelQuestion: Codable, Hashable, Identifiable, Sendable {
    public enum Kind: String, WireChoice {
        /// The label of another shelf than the one that was chosen for the photo: are the books on the label's shelf?
        case otherShelf
        /// A code that no shelf has: which shelf is it?
        case newCode
        /// A sign such as `796 SPORT`: is it the name of the shelf?
        case sign
    }

    public var id: String
    @Known public var kind: Kind?
    /// A shelf's code, or what the sign says.
    public var text: String
    /// The first photo that shows it.
    public var photoId: String
    /// The shelf with the code, or at the path that the sign names; nil if there is none.
    @Null public var shelf: ShelfReference?
    /// The shelf that was chosen for the photo.
    @Null public var chosen: ShelfReference?
    /// The number of books above it.
    public var books: Int

    public init(
        id: String, kind: Kind, text: String, photoId: String, shelf: ShelfReference?, chosen: ShelfReference?,
        books: Int
    ) {
        (self.id, self.text, self.photoId, self.books) = (id, text, photoId, books)
        self.kind = kind
        (self.shelf, self.chosen) = (shelf, chosen)
    }
}

/// The answer to a question about a label.
public struct LabelAnswer: Codable, Hashable, Sendable {
    /// Whether the books are on the shelf that the label or sign names.
    public var accept: Bool
    /// The name or path of the shelf; needed for a code that no shelf has.
    ///
    /// A sign is the name of its shelf otherwise.
    public var name: String?

    public init(accept: Bool, name: String? = nil) { (self.accept, self.name) = (accept, name) }
}
