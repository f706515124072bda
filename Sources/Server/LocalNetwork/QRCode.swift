import Bounds
import CQRCode

/// A QR code (ISO/IEC 18004) of a short text: byte mode, error correction level L.
package struct QRCode: Sendable {
    /// The number of modules per side.
    package let size: Int
    private let modules: [Bool]

    /// Encodes a text; `nil` if it is longer than 2,953 bytes.
    package init?(_ text: String) {
        // 0 selects the smallest version that holds the text.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of each byte is set for a dark module.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    package subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

    /// The code with its quiet zone as an SVG image, dark on white, one unit per module.
    package var svg: String {
        let quiet = 4
        let side = size + 2 * quiet
        var path = ""
        for y in 0..<size {
            for x in 0..<size where self[x, y] { path += "M\(x + quiet) \(y + quiet)h1v1h-1z" }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// The code with its quiet zone, two rows of modules per line, dark on light regardless of the terminal's colors.
    package var terminalText: String {
        let quiet = 4
        func isDark(_ x: Int, _ y: Int) -> Bool {
            (0..<size).contains(x) && (0..<size).contains(y) && self[x, y]
        }
        var lines: [String] = []
        for y in stride(from: -quiet, to: size + quiet, by: 2) {
            var line = "\u{1B}[30;107m"
            for x in Range(from: -quiet, upTo: size + quiet) {
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
}
