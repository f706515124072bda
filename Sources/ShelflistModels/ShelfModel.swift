public import Foundation
public import Observation
public import ShelflistClient

/// One shelf: its spines as the photos show them, and its inventory after a scan.
///
/// ```swift
/// let model = ShelfModel(client: client, shelf: shelf)
/// await model.load()
/// for board in model.view?.boards ?? [] { show(board.map(\.entry.title)) }
/// show(model.shelf.name, model.error?.message)
/// ```
@MainActor @Observable
public final class ShelfModel: ActingModel {
    /// The shelf.
    public private(set) var shelf: LibraryShelf
    /// The boards with their spines; nil until they are loaded.
    public private(set) var view: LibraryShelfView?
    /// The latest photo with the outlines of its spines; nil if there is none.
    public private(set) var photo: ShelfPhoto?
    /// The picture of the latest photo (JPEG).
    public private(set) var picture: Data?
    /// The latest scan compared with the books of the shelf.
    public private(set) var inventory: ShelfInventory?
    /// What is wrong with the last action.
    public internal(set) var error: ShelflistError?

    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let clock: any Clock<Duration>
    @ObservationIgnored private var scan: String?
    private var undoTokens: [String] = []

    /// Creates a model of a shelf, whose spines are not loaded yet.
    public init(
        client: ShelflistClient, shelf: LibraryShelf, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.client, self.shelf, self.clock) = (client, shelf, clock)
    }

    /// Whether an action can be undone.
    public var canUndo: Bool { !undoTokens.isEmpty }

    /// Loads the spines.
    public func load() async {
        await act { () throws(ShelflistError) in self.view = try await self.client.shelves.view(self.shelf.id) }
    }

    /// Loads the spines, and again whenever the library changes, until the task is cancelled.
    ///
    /// ```swift
    /// await model.watch(every: .seconds(10))
    /// ```
    public func watch(every interval: Duration = .seconds(5)) async {
        await watchLibrary(client, every: interval, on: clock, report: { self.error = $0 }, changed: load)
    }

    /// Loads the latest photo with the outlines of its spines.
    ///
    /// ```swift
    /// await model.loadPhoto()
    /// if let photo = model.photo { show(photo.detections.map(\.outline), model.picture) }
    /// ```
    public func loadPhoto() async {
        await act { () throws(ShelflistError) in
            let latest = try await self.client.shelves.photos(of: self.shelf.id).page(limit: 1).items.first
            self.photo = latest
            self.picture = nil
            if let path = latest?.url { self.picture = try await self.client.picture(path) }
        }
    }

    /// Compares a scan of the shelf with its books.
    ///
    /// ```swift
    /// await model.compare(scan: jobID)
    /// show(model.inventory?.new.count, model.inventory?.missing.map(\.title))
    /// ```
    ///
    /// - Parameter scan: the job's identifier.
    public func compare(scan: String) async {
        self.scan = scan
        await act { () throws(ShelflistError) in
            self.inventory = try await self.client.shelves.inventory(self.shelf.id, scan: scan)
        }
    }

    /// Marks books that the scan does not show as found on the shelf.
    ///
    /// ```swift
    /// if let inventory = model.inventory { await model.markFound(inventory.missing) }
    /// ```
    public func markFound(_ books: [LibraryBook]) async {
        let before = inventory
        let ids = Set(books.map(\.id))
        inventory?.missing.removeAll { ids.contains($0.id) }
        let done = await act { () throws(ShelflistError) in
            let outcome = try await self.client.shelves.markFound(books.map(\.id), on: self.shelf.id)
            if let token = outcome.undoToken { self.undoTokens.append(token) }
        }
        guard !done, let before else { return }
        inventory?.missing = before.missing
    }

    /// Renames the shelf.
    ///
    /// ```swift
    /// await model.rename(to: "Hall, left")
    /// ```
    public func rename(to name: String) async {
        let before = shelf
        shelf.name = name
        let done = await act { () throws(ShelflistError) in
            self.shelf = try await self.client.shelves.change(before, ShelfChange(name: name))
            if let token = self.shelf.undoToken { self.undoTokens.append(token) }
        }
        if !done { shelf = before }
    }

    /// Undoes the last action that was not undone.
    ///
    /// ```swift
    /// if model.canUndo { await model.undo() }
    /// ```
    public func undo() async {
        guard let token = undoTokens.popLast() else { return }
        let done = await act { () throws(ShelflistError) in try await self.client.undo(token) }
        guard done else { return }
        await act { () throws(ShelflistError) in
            for try await shelf in self.client.shelves.all where shelf.id == self.shelf.id { self.shelf = shelf }
        }
        await load()
        if let scan { await compare(scan: scan) }
    }
}
