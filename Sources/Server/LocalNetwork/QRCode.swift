/// A QR code (ISO/IEC 18004) of a short text: byte mode, error correction level L, versions 1...6.
package struct QRCode: Sendable {
    /// The number of modules per side.
    package let size: Int
    private var modules: [Bool]
    private var isFunction: [Bool]

    /// The numbers of data codewords, error correction codewords and blocks of versions 1...6 at level L.
    private static let codewords: [(data: Int, correction: Int, blocks: Int)] = [
        (19, 7, 1), (34, 10, 1), (55, 15, 1), (80, 20, 1), (108, 26, 1), (136, 18, 2),
    ]

    /// Encodes a text; `nil` if it is longer than 134 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Self.codewords.firstIndex(where: { bytes.count + 2 <= $0.data }).map({ $0 + 1 }) else {
            return nil
        }
        size = 17 + 4 * version
        modules = [Bool](repeating: false, count: size * size)
        isFunction = modules
        drawFunctionPatterns(version: version)
        draw(Self.codewords(of: bytes, version: version))
        applyBestMask()
    }

    package subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

    /// The code with its quiet zone, two rows of modules per line, dark on light regardless of the terminal's colors.
    package var terminalText: String {
        let quiet = 4
        func isDark(_ x: Int, _ y: Int) -> Bool {
            (0..<size).contains(x) && (0..<size).contains(y) && self[x, y]
        }
        var lines: [String] = []
        for y in stride(from: -quiet, to: size + quiet, by: 2) {
            var line = "\u{1B}[30;107m"
            for x in -quiet..<size + quiet {
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): line += "█"
                case (true, false): line += "▀"
                case (false, true): line += "▄"
                case (false, false): line += " "
                }
            }
            lines.append(line + "\u{1B}[0m")
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Codewords

    private static func codewords(of bytes: [UInt8], version: Int) -> [UInt8] {
        let (total, correction, blocks) = codewords[version - 1]
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, 8)
        for byte in bytes { append(Int(byte), 8) }
        append(0, min(4, total * 8 - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<(total - data.count) { data.append(index % 2 == 0 ? 0xEC : 0x11) }

        let length = total / blocks
        let parts = (0..<blocks).map { Array(data[$0 * length..<($0 + 1) * length]) }
        let corrections = parts.map { ReedSolomon.remainder(of: $0, degree: correction) }
        var words: [UInt8] = []
        for index in 0..<length { for part in parts { words.append(part[index]) } }
        for index in 0..<correction { for part in corrections { words.append(part[index]) } }
        return words
    }

    // MARK: Drawing

    private mutating func set(_ x: Int, _ y: Int, _ dark: Bool) {
        modules[y * size + x] = dark
        isFunction[y * size + x] = true
    }

    private mutating func drawFunctionPatterns(version: Int) {
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (cx, cy) in [(3, 3), (size - 4, 3), (3, size - 4)] {
            for dy in -4...4 {
                for dx in -4...4 where (0..<size).contains(cx + dx) && (0..<size).contains(cy + dy) {
                    let distance = max(abs(dx), abs(dy))
                    set(cx + dx, cy + dy, distance != 2 && distance != 4)
                }
            }
        }
        if version > 1 {
            let center = size - 7
            for dy in -2...2 {
                for dx in -2...2 { set(center + dx, center + dy, max(abs(dx), abs(dy)) != 1) }
            }
        }
        drawFormat(mask: 0)
    }

    /// Draws both copies of the format: level and mask, 15 bits with a BCH code.
    private mutating func drawFormat(mask: Int) {
        let data = 0b01 << 3 | mask
        var remainder = data
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9 & 1) * 0x537 }
        let bits = (data << 10 | remainder) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    /// Draws the codewords in columns of two modules from the right, alternately upward and downward.
    private mutating func draw(_ words: [UInt8]) {
        var index = 0
        for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) where right > 0 {
            for step in 0..<size {
                for x in [right, right - 1] {
                    let isUpward = (right + 1) & 2 == 0
                    let y = isUpward ? size - 1 - step : step
                    guard !isFunction[y * size + x], index < words.count * 8 else { continue }
                    modules[y * size + x] = words[index >> 3] >> (7 - index & 7) & 1 == 1
                    index += 1
                }
            }
        }
    }

    // MARK: Masks

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    private mutating func applyBestMask() {
        var best = (mask: 0, penalty: Int.max)
        for mask in 0..<8 {
            apply(mask)
            drawFormat(mask: mask)
            let penalty = penalty
            if penalty < best.penalty { best = (mask, penalty) }
            apply(mask)
        }
        apply(best.mask)
        drawFormat(mask: best.mask)
    }

    private mutating func apply(_ mask: Int) {
        for y in 0..<size {
            for x in 0..<size where !isFunction[y * size + x] && Self.inverts(mask, x, y) {
                modules[y * size + x].toggle()
            }
        }
    }

    /// The standard's penalty for long runs, blocks, false finder patterns and unbalanced colors.
    private var penalty: Int {
        var sum = 0
        for isColumn in [false, true] {
            for line in 0..<size {
                let row = (0..<size).map { isColumn ? self[line, $0] : self[$0, line] }
                var run = 1
                for index in 1...size {
                    if index < size, row[index] == row[index - 1] {
                        run += 1
                    } else {
                        if run >= 5 { sum += run - 2 }
                        run = 1
                    }
                }
                let finder = [true, false, true, true, true, false, true]
                for start in 0...(size - 7) where Array(row[start..<start + 7]) == finder {
                    let before = (max(0, start - 4)..<start).allSatisfy { !row[$0] }
                    let after = (start + 7..<min(size, start + 11)).allSatisfy { !row[$0] }
                    if before || after { sum += 40 }
                }
            }
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1
            where self[x, y] == self[x + 1, y] && self[x, y] == self[x, y + 1] && self[x, y] == self[x + 1, y + 1] {
                sum += 3
            }
        }
        let dark = modules.count { $0 } * 100 / modules.count
        return sum + abs(dark - 50) / 5 * 10
    }
}

/// Computes Reed-Solomon codes over GF(256) with the polynomial 0x11D.
enum ReedSolomon {
    static func remainder(of data: [UInt8], degree: Int) -> [UInt8] {
        var generator = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                generator[index] = multiply(generator[index], root)
                if index + 1 < degree { generator[index] ^= generator[index + 1] }
            }
            root = multiply(root, 2)
        }
        var result = [UInt8](repeating: 0, count: degree)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in 0..<degree { result[index] ^= multiply(generator[index], factor) }
        }
        return result
    }

    private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            product ^= Int(b >> UInt8(bit) & 1) * Int(a)
        }
        return UInt8(product & 0xFF)
    }
}
