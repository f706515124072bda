import Imaging
import Testing

@Suite("What a file is, by its first bytes")
struct FormatTests {
    static let photos: [(bytes: [UInt8], format: ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        ([0xFF, 0xD8, 0xFF, 0xE1], .jpeg),
        ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png),
        (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webp),
        (brands("heic"), .heic),
        (brands("heix"), .heic),
        (brands("mif1", "heic"), .heic),
        (brands("mif1", "miaf"), .heic),
        (brands("msf1", "hevc"), .heic),
    ]

    @Test("Photos are recognized by their first bytes", arguments: photos)
    func photo(_ bytes: [UInt8], _ format: ImageFormat) {
        #expect(ImageFormat.sniff(bytes) == format)
    }

    static let others: [(bytes: [UInt8], name: String)] = [
        (Array("GIF89a".utf8), "a GIF image"),
        (Array("II*\0".utf8), "a TIFF or camera raw image"),
        (Array("MM\0*".utf8), "a TIFF or camera raw image"),
        (Array("BM".utf8), "a BMP image"),
        (Array("%PDF-1.7".utf8), "a PDF document"),
        (brands("avif", "mif1", "miaf"), "an AVIF image"),
        (brands("mif1", "miaf") + Array("....infe....av01".utf8), "an AVIF image"),
        (brands("isom", "mp42"), "a film or audio file"),
        (brands("qt  "), "a film or audio file"),
        ([0xFF, 0x0A], "a JPEG XL image"),
        ([0, 0, 0, 12] + Array("JXL ".utf8), "a JPEG XL image"),
        ([0, 0, 0, 12] + Array("jP  ".utf8), "a JPEG 2000 image"),
        (Array("8BPS".utf8), "a Photoshop document"),
        (Array("PK\u{03}\u{04}".utf8), "a ZIP archive"),
        (Array("<!DOCTYPE html>".utf8), "a text document"),
    ]

    @Test("Other formats are refused by name with the formats to use", arguments: others)
    func other(_ bytes: [UInt8], _ name: String) {
        #expect(ImageFormat.sniff(bytes) == nil)
        let error = decodingError(bytes)
        #expect(error?.code == .unsupported)
        #expect(error?.message == "This is \(name), which is not supported. Save the photo as JPEG, PNG, WebP or HEIC.")
    }

    @Test(
        "Empty and unknown files are refused",
        arguments: [[], [0xFF], [0xFF, 0xD8], Array("RIFF....WAVE".utf8), Array("hello".utf8)])
    func unknown(_ bytes: [UInt8]) {
        #expect(ImageFormat.sniff(bytes) == nil)
        #expect(decodingError(bytes)?.code == (bytes.isEmpty ? .empty : .notAnImage))
    }

    /// A `ftyp` box with its major and its compatible brands.
    private static func brands(_ brands: String...) -> [UInt8] {
        .big32(16 + brands.count * 4 - 4) + Array("ftyp".utf8) + Array(brands[0].utf8) + .big32(0)
            + brands.dropFirst().flatMap(\.utf8)
    }
}
