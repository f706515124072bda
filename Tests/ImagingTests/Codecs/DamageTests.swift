import Imaging
import Testing

@Suite("Files that are broken")
struct DamageTests {
    static let picture = Blocks.picture(["RGBMKW", "GBMKWR", "BMKWRG", "MKWRGB"])

    @Test("A file truncated at any tenth does not crash the decoder", arguments: ImageFormat.allCases, 1...9)
    func cut(_ format: ImageFormat, _ tenths: Int) throws {
        let whole = try format.encoded(Self.picture)
        let error = decodingError(Array(whole.prefix(whole.count * tenths / 10)))
        #expect([.truncated, .damaged].contains(error?.code))
        #expect(error?.message.contains(format.name) == true)
    }

    @Test("A file truncated at any byte gives an error or a picture", arguments: ImageFormat.allCases)
    func cutAnywhere(_ format: ImageFormat) throws {
        let whole = try format.encoded(Blocks.picture(["RG", "BK"]))
        for count in 0..<whole.count { _ = decodingError(Array(whole.prefix(count))) }
        #expect(decodingError(whole) == nil)
    }

    static let truncated: [(name: String, bytes: [UInt8])] = [
        ("progressive JPEG", SampleJPEGs.progressive),
        ("CMYK JPEG", SampleJPEGs.adobeCMYK),
        ("interlaced PNG", PNGBytes.interlaced(40, 40, colorType: 2) { [UInt8($0), UInt8($1), 0] }.bytes),
        ("PNG", PNGBytes(40, 40, colorType: 2) { [UInt8($0), UInt8($1), 0] }.bytes),
    ]

    @Test("Half of a file is reported as truncated", arguments: truncated.map(\.name))
    func half(_ name: String) throws {
        let bytes = try #require(Self.truncated.first { $0.name == name }).bytes
        let error = decodingError(Array(bytes.prefix(bytes.count * 3 / 4)))
        #expect(error?.code == .truncated)
        #expect(error?.message.contains("ends too early: part of the photo is missing. Copy it again.") == true)
    }

    @Test("A photo's beginning followed by other bytes does not crash the decoder", arguments: ImageFormat.allCases)
    func onlyABeginning(_ format: ImageFormat) throws {
        let beginning = try format.encoded(Self.picture).prefix(12)
        let error = decodingError(beginning + [UInt8](repeating: 0x55, count: 500))
        // What follows can describe a kind of HEIC that does not exist.
        #expect([.truncated, .damaged].contains(error?.code) || format == .heic && error?.code == .unsupported)
    }

    @Test("A PNG with a wrong checksum is handled")
    func checksum() throws {
        var bytes = try PNGCodec.encode(Self.picture)
        // The last byte of the header's checksum: behind the signature come length, type, 13 bytes, checksum.
        bytes[8 + 4 + 4 + 13 + 3] ^= 1
        let error = decodingError(bytes)
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("CRC") == true)
    }

    @Test("Impossible numbers in a header are refused")
    func impossibleHeaders() {
        #expect(decodingError(PNGBytes(width: 0, height: 5, rows: []).bytes)?.code == .damaged)
        #expect(decodingError(PNGBytes(width: 5, height: 5, bitDepth: 3, rows: []).bytes)?.code == .damaged)
        let outside = WebPBytes.Frame(simple: [UInt8](repeating: 0, count: 40), width: 8, height: 8, x: 100, y: 0)
        #expect(decodingError(WebPBytes.animation(width: 16, height: 16, [outside]))?.code == .damaged)
        #expect(decodingError(WebPBytes.animation(width: 16, height: 16, []))?.code == .damaged)
    }
}
