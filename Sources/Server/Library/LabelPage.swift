package import Library
package import ShelflistAPI

/// A page of HTML that prints the labels of shelves on sheets: code, path and, where there is room, a QR code.
package struct LabelPage {
    package var sheet: LabelSheet
    /// The number of labels of the first sheet that are used already.
    package var skipped = 0
    /// Of the app, for the QR codes, which open the shelf; without it, they have the shelf's code.
    package var address: String?

    package init(sheet: LabelSheet, skipped: Int = 0, address: String? = nil) {
        (self.sheet, self.skipped, self.address) = (sheet, skipped, address)
    }

    /// The least height of a label with a QR code, in mm; a smaller one cannot be scanned.
    private static let leastWithQRCode = 20.0
    /// The width of the eight bold characters of a code, as a multiple of the font size: with the widest letters of the
    /// alphabet, in Arial and fonts of its widths.
    private static let codeWidth = 5.9
    /// The largest font of a code, in mm: capitals of 6.5 mm, which photos of a whole bookcase show clearly.
    private static let largestCode = 9.0

    /// Returns the page; it needs nothing else, and runs no script.
    package func html(_ shelves: [Shelf]) -> String {
        let labels = [String](repeating: "", count: skipped) + shelves.map(label)
        let pages = stride(from: 0, to: labels.count, by: sheet.count).map { start in
            let page = labels.dropFirst(start).prefix(sheet.count).map { "<li>\($0)</li>" }.joined(separator: "\n")
            return "<ol>\n\(page)\n</ol>\n<p class=\"scale\">100 mm</p>"
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Labels \(sheet.rawValue)</title>
            <style>\(style)</style></head><body>
            <p class="hint">\(sheet.rawValue), A4. Print at 100 %, without margins. The line below each sheet is 100 mm long.</p>
            \(pages.map { "<section>\n\($0)\n</section>" }.joined(separator: "\n"))
            </body></html>

            """
    }

    private func label(_ shelf: Shelf) -> String {
        let target = address.map { "\($0)#/place/\(shelf.code)" } ?? shelf.code
        let picture = sheet.size.height >= Self.leastWithQRCode ? QRCode(target)?.svg ?? "" : ""
        return "<b>\(shelf.code)</b><span>\(Self.escaped(shelf.path))</span>\(picture)"
    }

    private var style: String {
        let (width, height) = sheet.size
        let (left, top) = sheet.margin
        let code = min(Self.largestCode, (width - 4) / Self.codeWidth, height * 0.45)
        let side = height - code - 4
        return """
            @page { size: A4; margin: 0 }
            body { margin: 0; font-family: Arial, Helvetica, "Liberation Sans", sans-serif; color: #000; background: #fff }
            section { position: relative; width: \(LabelSheet.paper.width)mm; height: \(LabelSheet.paper.height)mm; \
            overflow: hidden; break-after: page }
            ol { position: absolute; left: \(Self.mm(left)); top: \(Self.mm(top)); margin: 0; padding: 0; list-style: none; \
            display: grid; grid-template-columns: repeat(\(sheet.columns), \(Self.mm(width))); \
            grid-auto-rows: \(Self.mm(height)); column-gap: \(Self.mm(LabelSheet.gap)) }
            li { position: relative; overflow: hidden; padding: 1.5mm 2mm; box-sizing: border-box }
            b { display: block; font-size: \(Self.mm(code)); line-height: 1; white-space: nowrap }
            span { display: block; margin-right: \(height >= Self.leastWithQRCode ? Self.mm(side) : "0"); \
            font-size: \(Self.mm(code / 2.6)); line-height: 1.2; overflow-wrap: anywhere }
            svg { position: absolute; right: 1mm; bottom: 1mm; width: \(Self.mm(side)); height: \(Self.mm(side)) }
            .scale { position: absolute; left: 20mm; bottom: 2mm; width: 100mm; margin: 0; border-top: 0.2mm solid; \
            font-size: 2.5mm; text-align: center }
            .hint { margin: 4mm }
            @media print { .hint { display: none } }
            """
    }

    private static func mm(_ length: Double) -> String { "\((length * 100).rounded() / 100)mm" }

    private static func escaped(_ text: String) -> String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return text.map { entities[$0] ?? String($0) }.joined()
    }
}
