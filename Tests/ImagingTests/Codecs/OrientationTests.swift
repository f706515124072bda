import Imaging
import PictureEncoders
import Testing

@Suite("How a photo is stored and how it stands")
struct OrientationTests {
    /// What the file holds, in every case.
    static let stored = ["RGB", "MKW"]

    static let upright: [(orientation: ExifOrientation, rows: [String])] = [
        (.up, ["RGB", "MKW"]),
        (.upMirrored, ["BGR", "WKM"]),
        (.down, ["WKM", "BGR"]),
        (.downMirrored, ["MKW", "RGB"]),
        (.leftMirrored, ["RM", "GK", "BW"]),
        (.right, ["MR", "KG", "WB"]),
        (.rightMirrored, ["WB", "KG", "MR"]),
        (.left, ["BW", "GK", "RM"]),
    ]

    @Test("Every format is decoded in every orientation", arguments: ImageFormat.allCases, upright)
    func everyFormat(_ format: ImageFormat, _ expected: (orientation: ExifOrientation, rows: [String])) throws {
        let bytes = try format.encoded(Blocks.picture(Self.stored), orientation: expected.orientation)
        let photo = try PhotoDecoder.decode(bytes)
        #expect(photo.format == format)
        #expect(Blocks.read(photo.image) == expected.rows)
        #expect(photo.originalSize == photo.image.size)
    }

    @Test("Orientation applies when a photo is decoded smaller", arguments: ImageFormat.allCases, upright)
    func smaller(_ format: ImageFormat, _ expected: (orientation: ExifOrientation, rows: [String])) throws {
        // Each block is 16 pixels of the stored picture, and 8 of one with a quarter of the pixels.
        let large = Blocks.picture(
            Self.stored.flatMap { row in
                let wide = String(row.flatMap { [$0, $0] })
                return [wide, wide]
            })
        let bytes = try format.encoded(large, orientation: expected.orientation)
        let photo = try PhotoDecoder.decode(bytes, workingPixels: large.size.area / 4)
        #expect(Blocks.read(photo.image) == expected.rows)
        #expect(photo.originalSize == expected.orientation.upright(large.size))
    }

    @Test("A second picture and a film after a JPEG, as phones add them, do not change it")
    func parts() throws {
        let picture = try ImageFormat.jpeg.encoded(Blocks.picture(Self.stored), orientation: .right)
        let gainMap = try JPEGCodec.encode(Blocks.picture(["WW", "KK"]), quality: 90)
        let film = [UInt8].big32(24) + Array("ftypmp42".utf8) + [UInt8](repeating: 0xFF, count: 4_000)
        let photo = try PhotoDecoder.decode(picture + gainMap + film)
        #expect(photo.format == .jpeg)
        #expect(Blocks.read(photo.image) == ["MR", "KG", "WB"])
    }

    static let grids: [(turns: Int, rows: [String])] = [
        (0, ["RGR", "BMB"]),
        (1, ["RB", "GM", "RB"]),
        (2, ["BMB", "RGR"]),
        (3, ["BR", "MG", "BR"]),
    ]

    @Test("A phone's grid of tiles is turned counterclockwise", arguments: grids)
    func gridOfTiles(_ turns: Int, _ expected: [String]) throws {
        let tile = Blocks.picture(
            [String](repeating: "RRRRGGGG", count: 4) + [String](repeating: "BBBBMMMM", count: 4))
        let file = HEICGrid(
            tile: try HEICCodec.encode(tile, quality: 90), columns: 2, rows: 1, width: 96, height: 64, turns: turns)
        #expect(Blocks.read(try PhotoDecoder.decode(file.bytes).image, side: 32) == expected)
    }

    static let exif: [(name: String, bytes: [UInt8], orientation: ExifOrientation)] = [
        ("little endian", EXIFBytes.file(orientation: 6), .right),
        ("big endian", EXIFBytes.file(orientation: 8, bigEndian: true), .left),
        ("with a prefix", EXIFBytes.prefix + EXIFBytes.file(orientation: 3), .down),
        ("as a long number", EXIFBytes.file(orientation: 6, asLong: true), .right),
        ("as a long number, big endian", EXIFBytes.file(orientation: 6, bigEndian: true, asLong: true), .right),
        ("zero", EXIFBytes.file(orientation: 0), .up),
        ("nine", EXIFBytes.file(orientation: 9), .up),
        ("nothing", [], .up),
        ("only a prefix", EXIFBytes.prefix, .up),
        ("another number than 42", Array("II".utf8) + [43, 0, 8, 0, 0, 0], .up),
        ("a directory beyond the end", Array("II".utf8) + [42, 0, 0xFF, 0xFF, 0xFF, 0x7F], .up),
        ("more entries than there are", Array("II".utf8) + [42, 0, 8, 0, 0, 0, 0xFF, 0xFF], .up),
        ("cut in the entry", Array(EXIFBytes.file(orientation: 6).prefix(26)), .up),
    ]

    @Test("EXIF is read, and damaged EXIF is ignored", arguments: exif)
    func readsEXIF(_ name: String, _ bytes: [UInt8], _ orientation: ExifOrientation) throws {
        #expect(ExifOrientation(exif: bytes) == orientation)
        let photo = try PhotoDecoder.decode(
            addingEXIF(toJPEG: try ImageFormat.jpeg.encoded(Blocks.picture(Self.stored)), exif: bytes))
        #expect(photo.image.size == orientation.upright(PixelSize(width: 24, height: 16)))
    }

    @Test("EXIF after the picture data of a PNG is read")
    func exifBehindThePicture() throws {
        let picture = Blocks.picture(Self.stored)
        var file = PNGBytes(24, 16, colorType: 2) { x, y in
            [picture[x, y].red, picture[x, y].green, picture[x, y].blue]
        }
        file.after = [PNGBytes.chunk("eXIf", EXIFBytes.file(orientation: 6))]
        #expect(Blocks.read(try PhotoDecoder.decode(file.bytes).image) == ["MR", "KG", "WB"])
    }
}
