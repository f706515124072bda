/// A number or text as a barcode, Code 128.
package struct Barcode {
    /// The bars and spaces, beginning with a bar, in modules.
    package let widths: [Int]

    /// Encodes a number with two digits to a symbol; a zero precedes an odd number of digits.
    ///
    /// - Parameter number: not negative.
    package init(_ number: Int64) {
        let digits = String(number)
        self.init([Self.startC] + Self.pairs(digits.count.isMultiple(of: 2) ? digits : "0" + digits))
    }

    /// Encodes a text, so that a scanner returns exactly its characters.
    ///
    /// - Returns: nil if it is empty, or has other characters than the printable ones of ASCII.
    package init?(text: String) {
        let values = text.utf8.map { Int($0) - 32 }
        guard !values.isEmpty, values.allSatisfy((0...94).contains) else { return nil }
        // The digits have the values 16 to 25.
        guard values.count > 1, values.allSatisfy((16...25).contains) else {
            self.init([Self.startB] + values)
            return
        }
        // Of an odd number of digits, the first has a symbol of its own.
        self.init(
            values.count.isMultiple(of: 2)
                ? [Self.startC] + Self.pairs(text)
                : [Self.startB, values[0], Self.switchToC] + Self.pairs(String(text.dropFirst())))
    }

    /// - Parameter symbols: begin with a start symbol.
    private init(_ symbols: [Int]) {
        // The check symbol is the remainder by 103 of the start symbol plus each other symbol times its place.
        let sum = symbols.enumerated().reduce(0) { $0 + max(1, $1.offset) * $1.element }
        widths =
            (symbols + [sum % 103]).flatMap { Self.symbols[$0].compactMap(\.wholeNumberValue) } + [2, 3, 3, 1, 1, 1, 2]
    }

    /// - Parameter digits: an even number of them.
    private static func pairs(_ digits: String) -> [Int] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count, by: 2).compactMap { Int(String(digits[$0...$0 + 1])) }
    }

    /// The number of modules with the quiet zones.
    var modules: Int { widths.reduce(2 * Self.quietZone, +) }

    /// The barcode with its quiet zone of ten modules as an SVG image, one unit per module, as high as it is drawn.
    var svg: String {
        var (x, path) = (Self.quietZone, "")
        for (place, width) in widths.enumerated() {
            if place.isMultiple(of: 2) { path += "M\(x) 0h\(width)v1h-\(width)z" }
            x += width
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(modules) 1" preserveAspectRatio="none" \
            shape-rendering="crispEdges"><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// In modules, on each side.
    private static let quietZone = 10
    /// The symbols that start code sets B, one character to a symbol, and C, two digits to a symbol.
    private static let (startB, startC) = (104, 105)
    /// The symbol of code set B after which code set C follows.
    private static let switchToC = 99
    /// The symbols 0...105 of ISO/IEC 15417: the widths of three bars and three spaces.
    private static let symbols =
        """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 \
        123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 \
        232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 \
        313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 \
        111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 \
        111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 \
        114311 411113 411311 113141 114131 311141 411131 211412 211214 211232
        """.split(separator: " ")
}
