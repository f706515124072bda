import Bounds
package import Imaging

/// Draws a picture as text: each character shows two pixels, one above the other.
package enum HalfBlocks {
    package static func lines(_ image: RGBImage, columns: Int, rows: Int) -> [String] {
        let scale = min(1, Double(columns) / Double(image.width), Double(2 * rows) / Double(image.height))
        let size = PixelSize(
            width: max(1, Int(saturating: Double(image.width) * scale)),
            height: max(2, Int(saturating: Double(image.height) * scale) / 2 * 2))
        let small = image.resized(to: size)
        return stride(from: 0, to: size.height, by: 2).map { y in
            (0..<size.width).map { x in
                let (top, bottom) = (small[x, y], small[x, y + 1])
                return
                    "\u{1B}[38;2;\(top.red);\(top.green);\(top.blue);48;2;\(bottom.red);\(bottom.green);\(bottom.blue)m▀"
            }.joined() + "\u{1B}[0m"
        }
    }
}
