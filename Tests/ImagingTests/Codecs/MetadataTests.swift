import Imaging
import Testing

@Suite("What is left of a photo's metadata")
struct MetadataTests {
    private static let place = "GPSLatitude 52.5200 N"

    private static func segment(_ marker: UInt8, _ text: String) -> [UInt8] {
        [0xFF, marker] + .big16(text.utf8.count + 2) + Array(text.utf8)
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        String(decoding: bytes, as: Unicode.ASCII.self).contains(text)
    }

    private func photo(with segments: [UInt8]) throws -> [UInt8] {
        let file = try JPEGCodec.encode(Blocks.picture(["RG", "BK"]), quality: 95)
        return file.prefix(2) + segments + file.dropFirst(2)
    }

    @Test("Metadata of every kind is removed, and the picture is unchanged")
    func removed() throws {
        let metadata = ["Exif\0\0", "http://ns.adobe.com/xap/1.0/\0", "Photoshop 3.0\0", "MPF\0", ""]
        for (marker, start) in zip([0xE1, 0xE1, 0xED, 0xE2, 0xFE] as [UInt8], metadata) {
            let file = try photo(with: Self.segment(marker, start + Self.place))
            let stripped = try #require(JPEGMarkers.withoutMetadata(file))
            #expect(!Self.contains(stripped, Self.place), "\(start)")
            #expect(try PhotoDecoder.decode(stripped).image == PhotoDecoder.decode(file).image)
        }
        // Phones append films and depth maps.
        let stripped = try #require(JPEGMarkers.withoutMetadata(photo(with: []) + Array(Self.place.utf8)))
        #expect(stripped == (try photo(with: [])))
    }

    @Test("The orientation is kept", arguments: ExifOrientation.allCases)
    func orientation(_ orientation: ExifOrientation) throws {
        let tiff: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0]
        let tag: [UInt8] = [UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif\0\0".utf8) + tiff + tag + Array(Self.place.utf8)
        let file = try photo(with: [0xFF, 0xE1] + .big16(payload.count + 2) + payload)
        let stripped = try #require(JPEGMarkers.withoutMetadata(file))
        #expect(!Self.contains(stripped, Self.place))
        #expect(try PhotoDecoder.decode(stripped).image == PhotoDecoder.decode(file).image)
        #expect(JPEGMarkers.withoutMetadata(stripped) == stripped)
    }

    @Test("Colour profiles are kept")
    func profiles() throws {
        let profile = Self.segment(0xE2, "ICC_PROFILE\0\u{01}\u{01}profile")
        #expect(JPEGMarkers.withoutMetadata(try photo(with: profile)) == (try photo(with: profile)))
    }

    @Test(
        "All scans and the kind of colours are kept",
        arguments: [SampleJPEGs.progressive, SampleJPEGs.adobeCMYK, SampleJPEGs.plainCMYK, SampleJPEGs.ycck])
    func kinds(_ file: [UInt8]) throws {
        let stripped = try #require(JPEGMarkers.withoutMetadata(file))
        #expect(try PhotoDecoder.decode(stripped).image == PhotoDecoder.decode(file).image)
    }

    @Test("Every cut file ends without a crash")
    func cut() throws {
        let file = try photo(with: Self.segment(0xE1, "Exif\0\0" + Self.place))
        for count in 0..<file.count {
            let stripped = JPEGMarkers.withoutMetadata(Array(file.prefix(count)))
            #expect(stripped.map { Self.contains($0, Self.place) } != true)
        }
    }
}
