import GRDB
import ShelflistAPI

extension Database {
    /// Returns the shelf that a person names; nil if there is none.
    ///
    /// - Parameter name: a code, a path, or a name that only one shelf has.
    func shelf(called name: String) throws -> RowID<Shelf>? {
        if let known = try PlaceCode(name).flatMap({ try shelf(with: $0) }) { return known }
        let keys = PlacePath(name).names.map(BookKey.authorKey)
        var place: RowID<Shelf>?
        for key in keys {
            place = try shelf(key: key, in: place)
            if place == nil { break }
        }
        if place != nil || keys.count > 1 { return place }
        let all = try RowID<Shelf>.fetchAll(
            self, sql: "SELECT id FROM shelf WHERE nameKey = ? LIMIT 2", arguments: [keys[0]])
        return all.count == 1 ? all[0] : nil
    }

    /// Returns the shelf at a path, and creates it and those around it if there is none.
    ///
    /// - Parameters:
    ///   - parent: the shelf in which the path begins.
    ///   - room: for new shelves.
    /// - Returns: the shelf, and the new ones, outermost first.
    /// - Throws: `LibraryError.invalid`, `.notPossible` without room.
    func shelf(
        at path: PlacePath, in parent: RowID<Shelf>? = nil, code: String? = nil, room: inout ShelfRoom
    ) throws -> (id: RowID<Shelf>, new: [RowID<Shelf>]) {
        guard try level(of: parent) + path.names.count <= PlacePath.depthLimit else { throw LibraryError.tooDeep }
        var (place, new) = (parent, [RowID<Shelf>]())
        for (index, name) in path.names.enumerated() {
            let (name, key) = try Self.checked(shelf: name)
            let isLast = index == path.names.count - 1
            if let known = try shelf(key: key, in: place) {
                place = known
                continue
            }
            let code = try isLast ? code.map { try checked(code: $0, of: nil) } : nil
            try room.takeOne(self)
            let id: RowID<Shelf> = try insert(
                "INSERT INTO shelf (name, nameKey, parent, code) VALUES (?, ?, ?, ?)",
                [name, key, place, try code ?? freeCode().description])
            new.append(id)
            place = id
        }
        guard let place else { throw LibraryError.emptyShelfName }
        return (place, new)
    }

    /// Records new shelves for the undo of the action in progress, which keeps those that are in use by then.
    func recordNew(_ shelves: [RowID<Shelf>]) throws {
        for shelf in shelves {
            try execute(
                """
                INSERT INTO undoChange (action, operation, tableName, rowKey)
                SELECT action, 'insert', 'shelf', json_array(?) FROM libraryState
                """, [shelf])
        }
    }

    /// Returns what a person decided on a shelf.
    func details(of shelf: RowID<Shelf>) throws -> Shelf.Details {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT name, parent, code, note, sortRule FROM shelf WHERE id = ?"),
            arguments: [shelf])
        guard let row else { throw LibraryError.notFound("shelf \(shelf)") }
        return Shelf.Details(
            name: row[0], parent: row[1], code: row[2], note: row[3],
            sortRule: try row.decode(ShelfSort?.self, atIndex: 4))
    }

    /// Stores what a person decided on a shelf.
    ///
    /// - Throws: `LibraryError.invalid`, `.notFound` for the parent.
    func update(_ id: RowID<Shelf>, from current: Shelf.Details, to new: Shelf.Details) throws {
        let (name, key) = try Self.checked(shelf: new.name)
        let note = try CleanText.notes(new.note, field: "note")
        let code = try checked(code: new.code, of: id)
        if let parent = new.parent, parent != current.parent {
            try checkShelf(parent)
            let inside = try shelves(inside: id)
            guard !inside.contains(parent) else {
                throw LibraryError.invalid(
                    field: "parent", reason: "a shelf cannot be inside itself. Choose another shelf.")
            }
            let levels = try inside.map { try level(of: $0) }.max() ?? 1
            let own = try level(of: id)
            guard try level(of: parent) + levels - own + 1 <= PlacePath.depthLimit else { throw LibraryError.tooDeep }
        }
        let other = try shelf(key: key, in: new.parent)
        guard other == nil || other == id else {
            throw LibraryError.invalid(
                field: "name", reason: "the shelf “\(name)” already exists there. Choose another name.")
        }
        try execute(
            "UPDATE shelf SET name = ?, nameKey = ?, parent = ?, code = ?, note = ?, sortRule = ? WHERE id = ?",
            [name, key, new.parent, code, note, new.sortRule, id])
    }

    private static func checked(shelf name: String) throws -> (name: String, key: String) {
        guard let name = try CleanText.line(name, field: "name") else { throw LibraryError.emptyShelfName }
        guard PlacePath(name).names.count == 1 else {
            throw LibraryError.invalid(
                field: "name", reason: "“\(name)” is a path. Leave out the spaces around the slash, or move the shelf.")
        }
        return (name, BookKey.authorKey(name))
    }

    private func checked(code text: String, of shelf: RowID<Shelf>?) throws -> String {
        guard let code = PlaceCode(text) else {
            throw LibraryError.invalid(
                field: "code", reason: "“\(CleanText.shown(text))” is not a valid code. Compare it with the label.")
        }
        guard let other = try self.shelf(with: code), other != shelf else { return code.description }
        throw LibraryError.invalid(
            field: "code", reason: "“\(try self.shelf(other).path)” has the code \(code). Choose another one.")
    }

    /// Returns a code that no shelf has.
    ///
    /// - Parameter start: any positive number, which decides on the code; nil for a random one.
    /// - Throws: `LibraryError.notPossible` if there is none.
    func freeCode(from start: Int? = nil, in table: String = "shelf") throws -> PlaceCode {
        let start = start.map { $0 % PlaceCode.count } ?? .random(in: 0..<PlaceCode.count)
        for number in 0..<PlaceCode.count {
            // A factor without a divisor in common with the number of codes leads to each of them, and makes codes of
            // neighbours differ.
            let code = PlaceCode(number: (start + number) * 48_271 % PlaceCode.count)
            let isTaken = try Bool.fetchOne(
                self, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE code = ?)", arguments: [code.description])
            if isTaken != true { return code }
        }
        throw LibraryError.notPossible("All \(PlaceCode.count) codes are used. Remove shelves that you do not need.")
    }
}

/// The number of shelves that a library has room for, counted once for each transaction.
///
/// Every list of shelves is put in order as a whole, which is fast for this many.
package struct ShelfRoom {
    package static let limit = 20_000
    private var left: Int?

    init() {}

    /// - Throws: `LibraryError.notPossible`.
    mutating func takeOne(_ db: Database) throws {
        let left = try self.left ?? Self.limit - (Int.fetchOne(db, sql: "SELECT count(*) FROM shelf") ?? 0)
        guard left > 0 else {
            throw LibraryError.notPossible(
                "A library has at most \(Self.limit) shelves. Remove shelves that you do not need.")
        }
        self.left = left - 1
    }
}

extension LibraryError {
    fileprivate static let tooDeep = LibraryError.invalid(
        field: "parent", reason: "shelves have at most \(PlacePath.depthLimit) levels. Choose a shelf further out.")
    fileprivate static let emptyShelfName = LibraryError.invalid(
        field: "name", reason: "it is empty, or a part of the path is. Give the shelf a name.")
}
