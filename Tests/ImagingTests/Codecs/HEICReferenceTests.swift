import Imaging
import PictureEncoders
import Testing

@Suite("References between the pictures of a HEIC")
struct HEICReferenceTests {
    typealias Reference = HEICGrid.Reference

    /// A grid of two tiles, pictures 1 and 2; the grid is picture 3.
    static func file(_ references: [Reference], isLong: Bool = false) throws -> [UInt8] {
        let tile = Blocks.picture([String](repeating: "RRRRGGGG", count: 8))
        return HEICGrid(
            tile: try HEICCodec.encode(tile, quality: 90), columns: 2, rows: 1, width: 128, height: 64,
            references: references, hasLongReferences: isLong
        ).bytes
    }

    /// References of each picture to the next one.
    static func chain(_ pictures: ClosedRange<Int>) -> [Reference] {
        pictures.dropLast().map { Reference(type: "dimg", from: $0, to: [$0 + 1]) }
    }

    static let circles: [(name: String, references: [Reference])] = [
        ("a grid of itself", [Reference(type: "dimg", from: 3, to: [3])]),
        ("a tile of its grid", [Reference(type: "dimg", from: 1, to: [3])]),
        (
            "alpha planes of each other",
            [Reference(type: "auxl", from: 1, to: [2]), Reference(type: "auxl", from: 2, to: [1])]
        ),
        ("a tile that is the alpha plane of a picture of it", [Reference(type: "auxl", from: 3, to: [1])]),
        ("pictures that are not in the file", chain(100...103) + [Reference(type: "dimg", from: 103, to: [100])]),
        ("nine in each other", chain(100...108)),
    ]

    @Test("A circle, or a long chain, is refused", arguments: circles)
    func circle(_ name: String, _ references: [Reference]) throws {
        for isLong in [false, true] {
            let error = decodingError(try Self.file(references, isLong: isLong))
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("more than 8 deep in each other or more than 4096 in one") == true)
        }
    }

    @Test("Pictures of pictures of pictures are refused when they are too many")
    func many() throws {
        func parts(_ count: Int) -> [Reference] {
            [200, 201, 202].map { Reference(type: "dimg", from: $0, to: [Int](repeating: $0 + 1, count: count)) }
        }
        // 1 + 15 × (1 + 15 × 16) = 3,616 pictures with 15 parts each, and 4,369 with 16.
        var error = decodingError(try Self.file(parts(15)))
        #expect(error == nil)
        error = decodingError(try Self.file(parts(16)))
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("more than 4096 in one") == true)
    }

    @Test("A reference with fewer pictures than it says is refused", arguments: [1, -1])
    func missing(_ count: Int) throws {
        let error = decodingError(
            try Self.file([Reference(type: "dimg", from: 9, to: [8, 7], missing: count)]))
        #expect(error?.message.contains("its references cannot be read") == true)
    }

    @Test(
        "Several references to what is not needed do not keep a photo from being read",
        arguments: [
            // As iPhones write them since iOS 18: the grid and a picture of the file share gain map, thumbnail and Exif.
            [Reference(type: "auxl", from: 2, to: [3, 1])],
            [Reference(type: "auxl", from: 2, to: [3]), Reference(type: "auxl", from: 1, to: [3, 3])],
            [Reference(type: "cdsc", from: 1, to: [3, 2])], [Reference(type: "thmb", from: 1, to: [3, 2])],
            [Reference(type: "thmb", from: 60, to: [3]), Reference(type: "auxl", from: 61, to: [62])],
        ], [false, true])
    func optional(references: [Reference], isLong: Bool) throws {
        let error = decodingError(try Self.file(references, isLong: isLong))
        #expect(error == nil)
    }

    @Test("Thumbnails, descriptions and alpha planes without a circle are allowed", arguments: [false, true])
    func valid(isLong: Bool) throws {
        let references =
            [
                Reference(type: "thmb", from: 1, to: [3]), Reference(type: "cdsc", from: 3, to: [3]),
                Reference(type: "auxl", from: 50, to: [3]), Reference(type: "dimg", from: 50, to: [1, 2]),
            ] + Self.chain(100...107)
        let error = decodingError(try Self.file(references, isLong: isLong))
        #expect(error == nil)
    }
}
