public import Foundation
public import Observation
public import ShelflistClient

/// One copy of the library: its details, where it is, its history, and what can be changed of it.
///
/// ```swift
/// let model = BookModel(client: client, book: book)
/// await model.load()
/// show(model.book.shelf?.path, model.photo, model.outline, model.history, model.tags)
/// await model.move(to: shelf)
/// show(model.error?.message)
/// ```
@MainActor @Observable
public final class BookModel: ActingModel {
    /// The copy; with all details once it is loaded.
    public private(set) var book: LibraryBook
    /// The photo that shows it (JPEG); nil if there is none.
    public private(set) var photo: Data?
    /// The decisions about its work, latest first.
    public private(set) var history: [WorkEvent] = []
    /// The tags in use, most common first as the server sorts them.
    public private(set) var tags: [TagCount] = []
    /// Whether the last action can be undone.
    public var canUndo: Bool { undoToken != nil }
    /// What is wrong with the last action.
    public internal(set) var error: ShelflistError?

    @ObservationIgnored private let client: ShelflistClient
    private var undoToken: String?

    /// Creates a model of a copy, whose details are not loaded yet.
    public init(client: ShelflistClient, book: LibraryBook) { (self.client, self.book) = (client, book) }

    /// Where its spine is in the photo.
    public var outline: UnitQuad? { book.position.map { $0.quad ?? UnitQuad($0.boundingBox) } }

    /// Loads the details, the photo, the history and the tags.
    public func load() async {
        await act { () throws(ShelflistError) in
            self.book = try await self.client.library.book(self.book.id)
            self.history = try await self.client.library.history(ofWork: self.book.workId).page().items
            self.tags = try await self.client.library.tags.page().items
            if let path = self.book.position?.photoUrl { self.photo = try await self.client.picture(path) }
        }
    }

    /// Changes the copy: shelf, rating, notes, tags and more.
    ///
    /// ```swift
    /// var change = BookChange()
    /// change.notes = .set("Signed by the author")
    /// await model.change(change)
    /// ```
    public func change(_ change: BookChange) async {
        await act { () throws(ShelflistError) in self.take(try await self.client.library.change(self.book, change)) }
    }

    /// Records that the copy is on a shelf, or with nil on none.
    public func move(to shelf: LibraryShelf?) async {
        var change = BookChange()
        change.shelf = FieldPatch(shelf?.id)
        await self.change(change)
    }

    /// Sets the tags.
    ///
    /// ```swift
    /// await model.setTags(["novel", "signed"])
    /// ```
    public func setTags(_ tags: [String]) async {
        var change = BookChange()
        change.tags = tags
        await self.change(change)
    }

    /// Replaces the cover by a picture, or removes it with nil.
    ///
    /// ```swift
    /// await model.setCover(.data(jpeg))
    /// ```
    public func setCover(_ picture: PhotoSource?) async {
        await act { () throws(ShelflistError) in
            self.take(try await self.client.library.setCover(picture, of: self.book.id))
        }
    }

    /// Undoes the last action.
    ///
    /// ```swift
    /// if model.canUndo { await model.undo() }
    /// ```
    public func undo() async {
        guard let token = undoToken else { return }
        await act { () throws(ShelflistError) in
            try await self.client.undo(token)
            self.undoToken = nil
            self.book = try await self.client.library.book(self.book.id)
        }
    }

    private func take(_ changed: LibraryBook) {
        (book, undoToken) = (changed, changed.undoToken)
    }

    /// Shows the version that another client saved, which the next change is of.
    func recover(from error: ShelflistError) async {
        guard error.isEditConflict else { return }
        do { book = try await client.library.book(book.id) } catch { self.error = error }
    }
}
