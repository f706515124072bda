/// HEIC files as phones write them: a grid of equal tiles, turned by a property (ISO/IEC 14496-12 and 23008-12).
struct HEICGrid {
    /// A HEIC file of one picture, every tile of the grid.
    var tile: [UInt8]
    var columns: Int
    var rows: Int
    /// The picture's size before it is turned; it may cut the last tiles.
    var width: Int
    var height: Int
    /// Quarter turns anticlockwise, 0...3.
    var turns = 0
    /// References besides those of the grid to its tiles, which are pictures 1, 2 and so on.
    var references: [Reference] = []
    /// Whether numbers of pictures in references have 32 bits.
    var hasLongReferences = false

    /// A reference from one picture to others (ISO/IEC 14496-12, 8.11.12).
    struct Reference {
        var type: String
        var from: Int
        var to: [Int]
        /// How many more than there are the box says it has.
        var missing = 0
    }

    var bytes: [UInt8] {
        let start = box("ftyp", Array("heic".utf8) + .big32(0) + Array("mif1heic".utf8))
        // The length of `meta` does not depend on where the data begins.
        let data = start.count + meta(dataAt: 0).count + 8
        return start + meta(dataAt: data) + box("mdat", grid + picture)
    }

    private var count: Int { columns * rows }
    private var gridItem: Int { count + 1 }
    private var picture: [UInt8] { Array(found("mdat").dropFirst(8)) }
    private var grid: [UInt8] {
        [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + .big16(width) + .big16(height)
    }

    private func meta(dataAt start: Int) -> [UInt8] {
        let tiles = Array(1...count)
        let places =
            tiles.map { .big16($0) + .big16(0) + .big16(1) + .big32(start + grid.count) + .big32(picture.count) }
            + [.big16(gridItem) + .big16(0) + .big16(1) + .big32(start) + .big32(grid.count)] as [[UInt8]]
        let items = tiles.map { item($0, "hvc1") } + [item(gridItem, "grid")]
        let properties = box(
            "ipco",
            found("hvcC") + found("ispe") + full("ispe", .big32(width) + .big32(height)) + box("irot", [UInt8(turns)]))
        // Two properties an item; the high bit says that a reader must know the property.
        let associations =
            tiles.map { .big16($0) + [2, 0x81, 2] } + [.big16(gridItem) + [2, 3, 0x84]] as [[UInt8]]
        let parts = [
            full("hdlr", .big32(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13)),
            full("pitm", .big16(gridItem)),
            full("iloc", [0x44, 0] + .big16(gridItem) + places.joined()),
            full("iinf", .big16(gridItem) + items.joined()),
            full(
                "iref", ([Reference(type: "dimg", from: gridItem, to: tiles)] + references).flatMap(reference),
                version: hasLongReferences ? 1 : 0),
            box("iprp", properties + full("ipma", .big32(gridItem) + associations.joined())),
        ]
        return full("meta", Array(parts.joined()))
    }

    private func reference(_ reference: Reference) -> [UInt8] {
        func number(_ id: Int) -> [UInt8] { hasLongReferences ? .big32(id) : .big16(id) }
        return box(
            reference.type,
            number(reference.from) + .big16(reference.to.count + reference.missing) + reference.to.flatMap(number))
    }

    private func item(_ id: Int, _ type: String) -> [UInt8] {
        full("infe", .big16(id) + .big16(0) + Array(type.utf8) + [0], version: 2)
    }

    /// A box of the tile's file.
    private func found(_ type: String) -> [UInt8] {
        guard let at = tile.indices.first(where: { tile[$0...].starts(with: type.utf8) }), at >= 4 else { return [] }
        let length = tile[at - 4..<at].reduce(0) { $0 << 8 | Int($1) }
        return Array(tile[at - 4..<at - 4 + length])
    }

    private func box(_ type: String, _ data: [UInt8]) -> [UInt8] { .big32(data.count + 8) + Array(type.utf8) + data }

    private func full(_ type: String, _ data: [UInt8], version: UInt8 = 0) -> [UInt8] {
        box(type, [version, 0, 0, 0] + data)
    }
}
