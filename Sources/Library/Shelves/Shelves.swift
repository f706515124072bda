import Bounds
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the shelves, each before those inside it, and those of one place by name.
    package func shelves() async throws -> [Shelf] {
        try await read { try $0.shelvesInOrder() }
    }

    /// Returns a page of the shelves in their order, and the number of all.
    package func shelves(limit: Int, offset: Int) async throws -> (shelves: [Shelf], total: Int) {
        try await read { db in
            let order = try ShelfOrder(db)
            let page = Range(from: offset, upTo: min(order.count, offset + limit))
            return (try order.shelves(page, in: db), order.count)
        }
    }

    /// - Throws: `LibraryError.notFound`.
    package func shelf(_ id: RowID<Shelf>) async throws -> Shelf {
        try await read { try $0.shelf(id) }
    }

    /// Returns a shelf and all shelves inside it.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func shelves(inside shelf: RowID<Shelf>) async throws -> Set<RowID<Shelf>> {
        try await read { db in
            try db.checkShelf(shelf)
            return try db.shelves(inside: shelf)
        }
    }

    /// Returns the shelf with a code; `nil` if there is none.
    package func shelf(with code: PlaceCode) async throws -> Shelf? {
        try await read { db in try db.shelf(with: code).map { try db.shelf($0) } }
    }

    /// Returns the shelf that a person names; `nil` if there is none, or several have the name.
    ///
    /// - Parameter name: a code, a path, or a name that only one shelf has.
    package func existingShelf(named name: String) async throws -> Shelf? {
        try await read { db in try db.shelf(called: name).map { try db.shelf($0) } }
    }

    /// Returns the shelf that a person names, and creates it and those around it if there is none.
    ///
    /// Case, accents and spaces make no difference.
    ///
    /// - Parameter name: a code, a path, or a name that only one shelf has.
    /// - Throws: `LibraryError.invalid`, `.notPossible` if the library has too many shelves.
    package func shelf(named name: String) async throws -> Shelf {
        try await write { db in
            let known = try db.shelf(called: name)
            return try db.shelf(known ?? db.addShelf(at: PlacePath(name)))
        }
    }

    /// Returns the shelf at a path, and creates it and those around it if there is none.
    ///
    /// - Parameters:
    ///   - parent: the shelf in which the path begins.
    ///   - code: of a new shelf; nil for a free one.
    /// - Throws: `LibraryError.invalid`, `.notFound` for the parent, `.notPossible` if the library has too many shelves.
    package func addShelf(
        at path: PlacePath, in parent: RowID<Shelf>? = nil, code: String? = nil
    ) async throws -> Shelf {
        try await write { db in try db.shelf(db.addShelf(at: path, in: parent, code: code)) }
    }

    /// Changes name, parent, code, note or sort rule of a shelf.
    ///
    /// - Parameter expected: the shelf as it must still be; `nil` accepts any.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid`.
    package func change(
        _ shelf: RowID<Shelf>, ifUnchanged expected: Shelf? = nil,
        _ change: @escaping @Sendable (inout Shelf) throws -> Void
    ) async throws -> Shelf {
        try await write { db in
            let current = try db.shelf(shelf)
            guard expected.map({ $0.details == current.details }) ?? true else {
                throw LibraryError.changedMeanwhile("the shelf", current: nil)
            }
            var new = current
            try change(&new)
            let action = try db.beginAction(new.parent == current.parent ? .renameShelf : .moveShelf)
            try db.update(shelf, from: current.details, to: new.details)
            try db.finish(action)
            return try db.shelf(shelf)
        }
    }

    /// Deletes the shelf; its books are kept without a shelf.
    ///
    /// - Returns: the number of its books.
    /// - Throws: `LibraryError.notFound`, `.notPossible` if other shelves are inside it.
    @discardableResult
    package func remove(_ shelf: RowID<Shelf>) async throws -> Int {
        try await write { db in
            let known = try db.shelf(shelf)
            guard try db.shelves(inside: shelf) == [shelf] else {
                throw LibraryError.notPossible(
                    "There are other shelves in “\(known.name)”. Move or remove them first.")
            }
            let action = try db.beginAction(.removeShelf)
            try db.execute(
                "UPDATE entry SET shelf = NULL, revision = revision + 1 WHERE shelf = ?", [shelf])
            try db.execute("DELETE FROM shelf WHERE id = ?", [shelf])
            try db.finish(action)
            return known.entries
        }
    }
}

extension Database {
    fileprivate func addShelf(
        at path: PlacePath, in parent: RowID<Shelf>? = nil, code: String? = nil
    ) throws -> RowID<Shelf> {
        try checkShelf(parent)
        let action = try beginAction(.addShelf)
        var room = ShelfRoom()
        let (id, new) = try shelf(at: path, in: parent, code: code, room: &room)
        try recordNew(new)
        try finish(action)
        return id
    }
}

extension Shelf {
    /// What a person decided on the shelf.
    package struct Details: Hashable, Sendable {
        package var name: String
        package var parent: RowID<Shelf>?
        package var code: String
        package var note: String?
        package var sortRule: ShelfSort?
    }

    package var details: Details {
        Details(name: name, parent: parent, code: code, note: note, sortRule: sortRule)
    }
}
