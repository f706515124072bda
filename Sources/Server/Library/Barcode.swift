/// A number as a barcode, Code 128 with two digits to a symbol (code set C).
package struct Barcode {
    /// The bars and spaces, beginning with a bar, in modules.
    package let widths: [Int]

    /// - Parameter number: not negative.
    package init(_ number: Int64) {
        let digits = String(number)
        let even = Array(digits.count.isMultiple(of: 2) ? digits : "0" + digits)
        let pairs = stride(from: 0, to: even.count, by: 2).compactMap { Int(String(even[$0...$0 + 1])) }
        // The check symbol is the remainder by 103 of the start symbol plus each symbol times its place.
        let sum = pairs.enumerated().reduce(Self.start) { $0 + ($1.offset + 1) * $1.element }
        let symbols = [Self.start] + pairs + [sum % 103]
        widths = symbols.flatMap { Self.symbols[$0].compactMap(\.wholeNumberValue) } + [2, 3, 3, 1, 1, 1, 2]
    }

    /// The barcode with its quiet zone of ten modules as an SVG image, one unit per module, as high as it is drawn.
    var svg: String {
        var (x, path) = (10, "")
        for (place, width) in widths.enumerated() {
            if place.isMultiple(of: 2) { path += "M\(x) 0h\(width)v1h-\(width)z" }
            x += width
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(x + 10) 1" preserveAspectRatio="none" \
            shape-rendering="crispEdges"><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// The symbol that starts code set C.
    private static let start = 105
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
