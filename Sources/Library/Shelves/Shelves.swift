import GRDB

extension LibraryStore {
    /// Returns the shelves by name.
    package func shelves() async throws -> [Shelf] {
        try await read { db in
            try Shelf.fetchAll(
                db,
                sql: """
                    SELECT shelf.id, name, count(entry.id) AS entries FROM shelf LEFT JOIN entry ON shelf = shelf.id
                    GROUP BY shelf.id ORDER BY nameKey
                    """)
        }
    }

    /// - Throws: `LibraryError.notFound`.
    package func shelf(_ id: RowID<Shelf>) async throws -> Shelf {
        try await read { try $0.shelf(id) }
    }

    /// Returns the shelf of that name, and creates it if there is none.
    ///
    /// Case, accents and spaces make no difference.
    ///
    /// - Throws: `LibraryError.invalid`.
    package func shelf(named name: String) async throws -> Shelf {
        try await write { db in
            let id = try db.shelf(named: name)
            return try db.shelf(id)
        }
    }

    /// - Parameter ifNamed: the name that the shelf must still have; `nil` accepts any.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid` if the name is empty or taken.
    package func rename(
        _ shelf: RowID<Shelf>, to name: String, ifNamed expected: String? = nil
    ) async throws -> Shelf {
        try await write { db in
            let current = try db.shelf(shelf).name
            guard expected == nil || expected == current else {
                throw LibraryError.changedMeanwhile("the shelf", current: nil)
            }
            let (name, key) = try Self.checked(name)
            let other = try RowID<Shelf>.fetchOne(
                db, sql: "SELECT id FROM shelf WHERE nameKey = ?", arguments: [key])
            guard other == nil || other == shelf else {
                throw LibraryError.invalid(
                    field: "name", reason: "the shelf “\(name)” already exists. Choose another name.")
            }
            let action = try db.beginAction(.renameShelf)
            try db.execute("UPDATE shelf SET name = ?, nameKey = ? WHERE id = ?", [name, key, shelf])
            try db.finish(action)
            return try db.shelf(shelf)
        }
    }

    /// Deletes the shelf; its books are kept without a shelf.
    ///
    /// - Returns: the number of its books.
    /// - Throws: `LibraryError.notFound`.
    @discardableResult
    package func remove(_ shelf: RowID<Shelf>) async throws -> Int {
        try await write { db in
            let books = try db.shelf(shelf).entries
            let action = try db.beginAction(.removeShelf)
            try db.execute(
                "UPDATE entry SET shelf = NULL, revision = revision + 1 WHERE shelf = ?", [shelf])
            try db.execute("DELETE FROM shelf WHERE id = ?", [shelf])
            try db.finish(action)
            return books
        }
    }

    fileprivate static func checked(_ name: String) throws -> (name: String, key: String) {
        guard let name = try CleanText.line(name, field: "name") else {
            throw LibraryError.invalid(field: "name", reason: "it is empty; give the shelf a name.")
        }
        return (name, BookKey.authorKey(name))
    }
}

extension Database {
    func shelf(named name: String) throws -> RowID<Shelf> {
        let (name, key) = try LibraryStore.checked(name)
        if let id = try RowID<Shelf>.fetchOne(self, sql: "SELECT id FROM shelf WHERE nameKey = ?", arguments: [key]) {
            return id
        }
        return try insert("INSERT INTO shelf (name, nameKey) VALUES (?, ?)", [name, key])
    }
}
