/// Replaces the sides in a picture's header by extreme ones, beyond the limits and beside them.
enum ExtremeSides {
    private static let values = [
        0, 1, 2, 50, 255, 3051, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 65_535, 65_536, 1 << 24, 100_000_000,
        0x7FFF_FFFF, 0xFFFF_FFFF,
    ]

    /// Returns the number of pairs of sides, each in each of the files.
    static func count(_ originals: [[UInt8]]) -> Int { values.count * values.count * originals.count }

    /// Returns one of the files with the sides of a run.
    static func file(of run: Int, _ originals: [[UInt8]]) -> [UInt8] {
        let width = values[run % values.count]
        let height = values[run / values.count % values.count]
        return with(width, height, in: originals[run / (values.count * values.count) % originals.count])
    }

    /// Returns the file with these sides, as far as its format can say them.
    static func with(_ width: Int, _ height: Int, in file: [UInt8]) -> [UInt8] {
        var bytes = file
        if file.starts(with: [0xFF, 0xD8]) {
            guard let frame = frame(in: file) else { return file }
            write(height, 2, to: &bytes, at: frame + 5)
            write(width, 2, to: &bytes, at: frame + 7)
        } else if file.starts(with: [0x89]) {
            write(width, 4, to: &bytes, at: 16)
            write(height, 4, to: &bytes, at: 20)
            return PNGFiles.repaired(bytes)
        } else if let at = place(of: "VP8X", in: file) {
            write(width - 1, 3, to: &bytes, at: at + 12, isLittle: true)
            write(height - 1, 3, to: &bytes, at: at + 15, isLittle: true)
        } else if let at = place(of: "VP8L", in: file) {
            let sides = (width - 1) & 0x3FFF | ((height - 1) & 0x3FFF) << 14 | Int(file[at + 12] & 0xF0) << 24
            write(sides, 4, to: &bytes, at: at + 9, isLittle: true)
        } else if let at = place(of: "VP8 ", in: file) {
            write(width & 0x3FFF, 2, to: &bytes, at: at + 14, isLittle: true)
            write(height & 0x3FFF, 2, to: &bytes, at: at + 16, isLittle: true)
        } else if let at = place(of: "ispe", in: file) {
            write(width, 4, to: &bytes, at: at + 8)
            write(height, 4, to: &bytes, at: at + 12)
        }
        return bytes
    }

    /// Returns the offset of a JPEG's frame header.
    private static func frame(in file: [UInt8]) -> Int? {
        var at = 2
        while at + 9 <= file.count, file[at] == 0xFF {
            if (0xC0...0xC2).contains(file[at + 1]) { return at }
            at += 2 + Int(file[at + 2]) << 8 + Int(file[at + 3])
        }
        return nil
    }

    private static func place(of name: String, in file: [UInt8]) -> Int? {
        let name = Array(name.utf8)
        return file.indices.dropLast(24).first { file[$0..<$0 + name.count].elementsEqual(name) }
    }

    private static func write(
        _ value: Int, _ count: Int, to bytes: inout [UInt8], at offset: Int, isLittle: Bool = false
    ) {
        for index in 0..<count {
            bytes[offset + (isLittle ? index : count - 1 - index)] = UInt8(truncatingIfNeeded: value >> (8 * index))
        }
    }
}
