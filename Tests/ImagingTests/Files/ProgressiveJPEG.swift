/// Progressive JPEGs of any size, each block of 8 × 8 pixels of one colour, with as many scans as wanted
/// (ITU-T T.81, annexes B, F and G).
///
/// The brightness comes in two scans, the second adding the lowest bit, as cameras and browsers write it.
struct ProgressiveJPEG {
    var blocksAcross: Int
    var blocksDown: Int
    /// How often the lowest bit of the brightness is sent again; each time it has to be zero.
    var repeatedScans = 0
    /// The brightness of a block, 0...255, in steps of `step`.
    var level: @Sendable (_ x: Int, _ y: Int) -> Int

    /// Every quantiser is this, so one unit of a block's first coefficient is an eighth of it in brightness.
    static let quantiser = 16
    static let step = 2

    var bytes: [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        file += segment(0xDB, [0] + [UInt8](repeating: UInt8(Self.quantiser), count: 64))
        let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        file += segment(0xC2, [8] + .big16(blocksDown * 8) + .big16(blocksAcross * 8) + [3] + components)
        // Twelve codes of four bits: the number of bits that follow.
        file += segment(0xC4, [0] + [0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12))
        file += scan([1, 2, 3], approximation: 0x01, firstScan())
        for round in 0...repeatedScans { file += scan([1, 2, 3], approximation: 0x10, refinement(round: round)) }
        return file + [0xFF, 0xD9]
    }

    /// The blocks' first coefficients but for the lowest bit, each as the difference from the block before.
    private func firstScan() -> [UInt8] {
        var bits = JPEGBits()
        var last = 0
        forEachBlock { x, y in
            let value = coefficient(x, y) >> 1
            let difference = value - last
            last = value
            let length = Int.bitWidth - abs(difference).leadingZeroBitCount
            bits.append(length, count: 4)
            bits.append(difference < 0 ? difference - 1 : difference, count: length)
            // The two colours, always the same.
            bits.append(0, count: 8)
        }
        return bits.finished()
    }

    private func refinement(round: Int) -> [UInt8] {
        var bits = JPEGBits()
        forEachBlock { x, y in bits.append((round == 0 ? coefficient(x, y) & 1 : 0) << 2, count: 3) }
        return bits.finished()
    }

    private func coefficient(_ x: Int, _ y: Int) -> Int { (level(x, y) - 128) / Self.step }

    private func forEachBlock(_ body: (Int, Int) -> Void) {
        for y in 0..<blocksDown { for x in 0..<blocksAcross { body(x, y) } }
    }

    private func scan(_ components: [UInt8], approximation: UInt8, _ data: [UInt8]) -> [UInt8] {
        let header: [UInt8] =
            [UInt8(components.count)] + components.flatMap { [$0, UInt8(0)] } + [0, 0, approximation]
        return segment(0xDA, header) + data
    }

    private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + .big16(payload.count + 2) + payload
    }
}

/// Bits from the highest down; a byte of ones is followed by one of zeros (T.81, F.1.2.3).
private struct JPEGBits {
    private var bytes: [UInt8] = []
    private var current = 0
    private var count = 0

    mutating func append(_ value: Int, count bits: Int) {
        current = current << bits | value & (1 << bits - 1)
        count += bits
        while count >= 8 {
            count -= 8
            let byte = UInt8(current >> count & 0xFF)
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
        }
        current &= 1 << count - 1
    }

    func finished() -> [UInt8] {
        var copy = self
        copy.append(0x7F, count: (8 - count) % 8)
        return copy.bytes
    }
}
