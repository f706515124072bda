/// Creates PNG files of kinds that Imaging does not write, and corrects checksums so that damaged files pass libpng's
/// first check.
enum PNGFiles {
    /// Returns an uncompressed file.
    static func file(
        width: Int, height: Int, bitDepth: UInt8, colorType: UInt8, interlaced: Bool = false, _ data: [UInt8],
        before: [[UInt8]] = []
    ) -> [UInt8] {
        let header = big(width) + big(height) + [bitDepth, colorType, 0, 0, interlaced ? 1 : 0]
        // A zlib stream of one stored block; libpng does not check its checksum while rows are missing.
        let length = [UInt8(data.count & 0xFF), UInt8(data.count >> 8)]
        let stream = [0x78, 0x01, 0x01] + length + length.map { ~$0 } + data + adler(data)
        return signature + chunk("IHDR", header) + before.joined() + chunk("IDAT", stream) + chunk("IEND", [])
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return big(data.count) + checked + big(Int(crc(checked[...])))
    }

    /// Returns the same bytes with correct checksums, as far as chunks can be recognised.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        var at = signature.count
        while at + 12 <= result.count {
            let length = result[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = at + 8 + length
            guard end + 4 <= result.count else { break }
            result.replaceSubrange(end..<end + 4, with: big(Int(crc(result[at + 4..<end]))))
            at = end + 4
        }
        return result
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    private static func adler(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return big(b << 16 | a)
    }
}
