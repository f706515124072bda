import GRDB
import ShelflistAPI

/// All shelves, each before those inside it, and those of one place by name.
///
/// It is made of one pass over the shelves, in O(n log n); copies are counted for those that are asked for.
struct ShelfOrder {
    /// A shelf without its path and its numbers of copies.
    private struct Node {
        var shelf: Shelf
        var key: String
        /// The index of the shelf that it is in; nil for an outermost one.
        var parent: Int?
    }

    private var nodes: [Node] = []

    init(_ db: Database) throws {
        var read: [Node] = []
        var places: [RowID<Shelf>: Int] = [:]
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id, name, parent, code, note, sortRule, nameKey FROM shelf ORDER BY id"))
        // By position: decoding by name dominates with thousands of shelves.
        while let row = try rows.next() {
            let shelf = Shelf(
                id: row[0], name: row[1], parent: row[2], code: row[3], note: row[4],
                sortRule: try row.decode(ShelfSort?.self, atIndex: 5), path: "", entries: 0, entriesInside: 0)
            places[shelf.id] = read.count
            read.append(Node(shelf: shelf, key: Self.numericKey(row[6])))
        }
        var roots: [Int] = []
        var inside = [[Int]](repeating: [], count: read.count)
        for (index, node) in read.enumerated() {
            if let parent = node.shelf.parent.flatMap({ places[$0] }) {
                inside[parent].append(index)
            } else {
                roots.append(index)
            }
        }
        nodes.reserveCapacity(read.count)
        var isPlaced = [Bool](repeating: false, count: read.count)
        /// Appends a shelf and those inside it.
        func place(_ root: Int) {
            var waiting: [(index: Int, parent: Int?)] = [(root, nil)]
            while let (index, parent) = waiting.popLast() {
                guard !isPlaced[index] else { continue }
                isPlaced[index] = true
                let number = nodes.count
                nodes.append(read[index])
                nodes[number].parent = parent
                waiting += sorted(inside[index]).reversed().map { ($0, number) }
            }
        }
        func sorted(_ indices: [Int]) -> [Int] {
            indices.sorted { (read[$0].key, read[$0].shelf.id) < (read[$1].key, read[$1].shelf.id) }
        }
        for root in sorted(roots) { place(root) }
        // Those that a damaged library has inside of each other.
        for index in read.indices where !isPlaced[index] { place(index) }
    }

    var count: Int { nodes.count }
    var ids: [RowID<Shelf>] { nodes.map(\.shelf.id) }

    /// Returns the shelves at these places of the order, with their paths and numbers of copies.
    func shelves(_ range: Range<Int>, in db: Database) throws -> [Shelf] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT shelf, count(*) FROM entry WHERE shelf IS NOT NULL GROUP BY shelf"))
        let copies = Dictionary(
            rows.map { ($0[0] as RowID<Shelf>, $0[1] as Int) }, uniquingKeysWith: { first, _ in first })
        var entriesInside = nodes.map { copies[$0.shelf.id] ?? 0 }
        // Those inside follow the shelf.
        for index in nodes.indices.reversed() {
            if let parent = nodes[index].parent { entriesInside[parent] += entriesInside[index] }
        }
        return range.clamped(to: nodes.indices).map { index in
            var shelf = nodes[index].shelf
            shelf.path = path(of: index)
            (shelf.entries, shelf.entriesInside) = (copies[shelf.id] ?? 0, entriesInside[index])
            return shelf
        }
    }

    private func path(of index: Int) -> String {
        var (names, next) = ([nodes[index].shelf.name], nodes[index].parent)
        while let parent = next, names.count < PlacePath.depthLimit {
            names.append(nodes[parent].shelf.name)
            next = nodes[parent].parent
        }
        return names.reversed().joined(separator: PlacePath.separator)
    }

    /// Returns a text by which "board 2" comes before "board 10".
    ///
    /// - Parameter key: of the name, without accents and capitals.
    private static func numericKey(_ key: String) -> String {
        var (bytes, digits) = ([UInt8](), [UInt8]())
        func endNumber() {
            guard !digits.isEmpty else { return }
            bytes += repeatElement(UInt8(ascii: "0"), count: max(0, 12 - digits.count))
            bytes += digits
            digits = []
        }
        for byte in key.utf8 {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                digits.append(byte)
            } else {
                endNumber()
                bytes.append(byte)
            }
        }
        endNumber()
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The paths of shelves, of which each is read when it is asked for.
struct ShelfPaths {
    private let db: Database
    private var known: [RowID<Shelf>: (name: String, parent: RowID<Shelf>?)] = [:]
    private var paths: [RowID<Shelf>: String] = [:]

    init(_ db: Database) { self.db = db }

    /// Returns the path of a shelf; nil if there is no such shelf.
    mutating func path(of shelf: RowID<Shelf>) throws -> String? {
        if let path = paths[shelf] { return path }
        var names: [String] = []
        var next: RowID<Shelf>? = shelf
        while let one = next, names.count < PlacePath.depthLimit, let place = try place(one) {
            names.append(place.name)
            next = place.parent
        }
        guard !names.isEmpty else { return nil }
        let path = names.reversed().joined(separator: PlacePath.separator)
        paths[shelf] = path
        return path
    }

    private mutating func place(_ shelf: RowID<Shelf>) throws -> (name: String, parent: RowID<Shelf>?)? {
        if let place = known[shelf] { return place }
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT name, parent FROM shelf WHERE id = ?"), arguments: [shelf])
        guard let row else { return nil }
        let place = (name: row[0] as String, parent: row[1] as RowID<Shelf>?)
        known[shelf] = place
        return place
    }
}

extension Database {
    /// Returns all shelves, each before those inside it, and those of one place by name.
    func shelvesInOrder() throws -> [Shelf] {
        let order = try ShelfOrder(self)
        return try order.shelves(0..<order.count, in: self)
    }
}
