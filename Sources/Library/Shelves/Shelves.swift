import Bibliography
import Foundation
import GRDB

extension LibraryStore {
    /// The shelves by name.
    package func shelves() async throws -> [Shelf] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT shelf.id, name, count(entry.id) AS entries FROM shelf LEFT JOIN entry ON shelf = shelf.id
                    GROUP BY shelf.id ORDER BY nameKey
                    """
            ).map { Shelf(id: RowID($0["id"]), name: $0["name"], entries: $0["entries"]) }
        }
    }

    /// - Throws: `LibraryError.notFound`.
    package func shelf(_ id: RowID<Shelf>) async throws -> Shelf {
        try await read { try $0.existingShelf(id.rawValue) }
    }

    /// The shelf of that name, made where there is none; case, accents and spaces make no difference.
    ///
    /// - Throws: `LibraryError.invalid`.
    package func shelf(named name: String) async throws -> Shelf {
        try await write { change in
            let id = try change.shelf(named: name)
            return try change.db.existingShelf(id)
        }
    }

    /// - Parameter ifNamed: what the shelf has to be called still; nil takes any name.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid` where the name is empty or taken.
    package func rename(
        _ shelf: RowID<Shelf>, to name: String, ifNamed expected: String? = nil
    ) async throws -> Shelf {
        try await write { change in
            let current = try change.db.existingShelf(shelf.rawValue).name
            guard expected == nil || expected == current else {
                throw LibraryError.changedMeanwhile("the shelf", current: nil)
            }
            let (name, key) = try Self.checked(name)
            let other = try Int64.fetchOne(change.db, sql: "SELECT id FROM shelf WHERE nameKey = ?", arguments: [key])
            guard other == nil || other == shelf.rawValue else {
                throw LibraryError.invalid(field: "name", reason: "there is a shelf “\(name)” already.")
            }
            try change.execute("UPDATE shelf SET name = ?, nameKey = ? WHERE id = ?", [name, key, shelf.rawValue])
            return try change.db.existingShelf(shelf.rawValue)
        }
    }

    /// Takes the shelf away; its books stay, without a place.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func remove(_ shelf: RowID<Shelf>) async throws {
        try await write { change in
            _ = try change.db.existingShelf(shelf.rawValue)
            try change.execute(
                "UPDATE entry SET shelf = NULL, revision = revision + 1 WHERE shelf = ?", [shelf.rawValue])
            try change.execute("DELETE FROM shelf WHERE id = ?", [shelf.rawValue])
        }
    }

    fileprivate static func checked(_ name: String) throws -> (name: String, key: String) {
        guard let name = try CleanText.line(name, field: "name") else {
            throw LibraryError.invalid(field: "name", reason: "it is empty; give the shelf a name.")
        }
        return (name, BookKey.authorKey(name))
    }
}

extension Change {
    func shelf(named name: String) throws -> Int64 {
        let (name, key) = try LibraryStore.checked(name)
        if let id = try Int64.fetchOne(db, sql: "SELECT id FROM shelf WHERE nameKey = ?", arguments: [key]) {
            return id
        }
        return try insert("INSERT INTO shelf (name, nameKey) VALUES (?, ?)", [name, key])
    }
}

extension Database {
    func existingShelf(_ id: Int64) throws -> Shelf {
        guard let shelf = try shelf(id) else { throw LibraryError.notFound("shelf \(id)") }
        return shelf
    }
}
