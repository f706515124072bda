/// PNG files of every kind of pixel, written without compression (ISO/IEC 15948; RFC 1950, 1951).
struct PNGBytes {
    var width: Int
    var height: Int
    var bitDepth = 8
    /// 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha.
    var colorType = 2
    /// The filter byte and the pixels of each row, in the order of the file.
    var rows: [[UInt8]]
    var interlaced = false
    /// Chunks between the header and the picture, and behind it.
    var before: [[UInt8]] = []
    var after: [[UInt8]] = []

    /// - Parameter pixel: the bytes of the pixel at `x`, `y`; whole bytes only.
    init(_ width: Int, _ height: Int, bitDepth: Int = 8, colorType: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.init(width: width, height: height, bitDepth: bitDepth, colorType: colorType, rows: [])
        rows = (0..<height).map { y in [0] + (0..<width).flatMap { pixel($0, y) } }
    }

    init(width: Int, height: Int, bitDepth: Int = 8, colorType: Int = 2, rows: [[UInt8]]) {
        (self.width, self.height, self.bitDepth, self.colorType) = (width, height, bitDepth, colorType)
        self.rows = rows
    }

    /// In the seven passes of Adam7: first column and row, and steps between them.
    static func interlaced(
        _ width: Int, _ height: Int, colorType: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]
    ) -> PNGBytes {
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        var file = PNGBytes(width: width, height: height, colorType: colorType, rows: [])
        file.interlaced = true
        for (left, top, right, down) in passes where left < width {
            for y in stride(from: top, to: height, by: down) {
                file.rows.append([0] + stride(from: left, to: width, by: right).flatMap { pixel($0, y) })
            }
        }
        return file
    }

    var bytes: [UInt8] {
        let header = .big32(width) + .big32(height) + [UInt8(bitDepth), UInt8(colorType), 0, 0, interlaced ? 1 : 0]
        return Self.signature + Self.chunk("IHDR", header) + before.joined()
            + Self.chunk("IDAT", Self.stored(rows.flatMap { $0 })) + after.joined() + Self.chunk("IEND", [])
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return .big32(data.count) + checked + .big32(Int(crc(checked)))
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let starts = Array(stride(from: 0, to: bytes.count, by: 65_535))
        let blocks = starts.flatMap { start -> [UInt8] in
            let block = bytes[start..<min(bytes.count, start + 65_535)]
            let last: [UInt8] = [start == starts.last ? 1 : 0]
            return last + .little16(block.count) + .little16(~block.count) + block
        }
        let (a, b) = bytes.reduce((1, 0)) { sums, byte in
            let a = (sums.0 + Int(byte)) % 65_521
            return (a, (sums.1 + a) % 65_521)
        }
        return [0x78, 0x01] + blocks + .big16(b) + .big16(a)
    }
}
