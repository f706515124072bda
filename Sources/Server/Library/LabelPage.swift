import Bounds
package import Library
package import ShelflistAPI

/// A page of HTML that prints labels on sheets.
package struct LabelPage {
    /// What a label shows.
    package enum Label {
        /// The code and path of a shelf and, where there is room, a QR code.
        case place(Shelf)
        /// The title of a copy, and its own barcode, or one of its number.
        case copy(LibraryBook)
        /// A call number, its parts below each other.
        case spine(String)
    }

    package var layout: LabelLayout
    /// The number of labels of the first sheet that are used already.
    package var skipped = 0
    /// Of the app, for the QR codes, which open the shelf; without it, they have the shelf's code.
    package var address: String?
    /// Whether the hint for the printing is in German; otherwise in English.
    package var isGerman = false

    package init(layout: LabelLayout, skipped: Int = 0, address: String? = nil, isGerman: Bool = false) {
        (self.layout, self.skipped, self.address, self.isGerman) = (layout, skipped, address, isGerman)
    }

    /// The least height of a label with a QR code, in mm; a smaller one cannot be scanned.
    private static let leastWithQRCode = 20.0
    /// The width of the eight bold characters of a code, as a multiple of the font size: with the widest letters of the
    /// alphabet, in Arial and fonts of its widths.
    private static let codeWidth = 5.9
    /// The largest font of a code, in mm: capitals of 6.5 mm, which photos of a whole bookcase show clearly.
    private static let largestCode = 9.0
    /// The space left and right of a label's content, in mm.
    private static let padding = 2.0
    /// The least width of the bars of a copy's own barcode, in mm: four dots of a printer with 600 dots per inch.
    ///
    /// Scanners do not read narrower ones reliably.
    private static let narrowestBar = 0.169
    /// The largest number of lines of a call number.
    private static let spineLines = 4

    /// Returns the page.
    package func html(_ contents: [Label]) -> String {
        let labels = [String](repeating: "", count: skipped) + contents.map(html)
        let pages = stride(from: 0, to: labels.count, by: layout.count).map { start in
            let page = labels.dropFirst(start).prefix(layout.count).map { "<li>\($0)</li>" }.joined(separator: "\n")
            return "<ol>\n\(page)\n</ol>\n<p class=\"scale\">100 mm</p>"
        }
        let (language, title, hint) =
            isGerman
            ? (
                "de", "Etiketten",
                "Mit 100 % und ohne Ränder drucken. Die Linie unter jedem Bogen ist 100 mm lang."
            )
            : ("en", "Labels", "Print at 100 %, without margins. The line below each sheet is 100 mm long.")
        let body = """
            <p class="hint">\(layout.name), A4. \(hint)</p>
            \(pages.map { "<section>\n\($0)\n</section>" }.joined(separator: "\n"))
            """
        return PrintedPage(language: language, title: "\(title) \(layout.name)", style: style, body: body).html
    }

    private func html(_ label: Label) -> String {
        switch label {
        case .place(let shelf):
            let target = address.map { "\($0)#/place/\(shelf.code)" } ?? shelf.code
            let picture = layout.height >= Self.leastWithQRCode ? QRCode(target)?.svg ?? "" : ""
            return "<b>\(shelf.code)</b><span>\(EscapedText.html(shelf.path))</span>\(picture)"
        case .copy(let book):
            let (bars, number) = barcode(of: book)
            return """
                <p class="copy"><span>\(EscapedText.html(book.title))</span>\(bars?.svg ?? "")\
                <i>\(EscapedText.html(number))</i></p>
                """
        case .spine(let number):
            // What does not fit on a line of its own follows on the last one.
            let parts = number.split(separator: " ")
            let lines = parts.prefix(Self.spineLines - 1).map(String.init)
            let rest = parts.dropFirst(lines.count).joined(separator: " ")
            let all = (lines + [rest]).filter { !$0.isEmpty }.map(EscapedText.html)
            return "<p class=\"spine\">\(all.joined(separator: "<br>"))</p>"
        }
    }

    /// Returns the barcode of a copy's label and what it says.
    ///
    /// The copy's number is in place of its own barcode where that is too long for the label or cannot be encoded; either
    /// finds the copy.
    private func barcode(of book: LibraryBook) -> (Barcode?, String) {
        if let own = book.barcode, let bars = Barcode(text: own),
            Double(bars.modules) * Self.narrowestBar <= layout.width - 2 * Self.padding
        {
            return (bars, own)
        }
        return (Int64(book.id).map { Barcode($0) }, book.id)
    }

    private var style: String {
        let (width, height) = (layout.width, layout.height)
        let (left, top) = layout.margin
        let code = min(Self.largestCode, (width - 4) / Self.codeWidth, height * 0.45)
        let side = min(height - code - 4, width / 2)
        let spine = min((height - 3) / (1.15 * Double(Self.spineLines)), width / 5)
        return """
            @page { size: A4; margin: 0 }
            body { margin: 0; font-family: Arial, Helvetica, "Liberation Sans", sans-serif; color: #000; background: #fff }
            section { position: relative; width: \(LabelLayout.paper.width)mm; height: \(LabelLayout.paper.height)mm; \
            overflow: hidden; break-after: page }
            ol { position: absolute; left: \(Self.mm(left)); top: \(Self.mm(top)); margin: 0; padding: 0; list-style: none; \
            display: grid; grid-template-columns: repeat(\(layout.columns), \(Self.mm(width))); \
            grid-auto-rows: \(Self.mm(height)); column-gap: \(Self.mm(layout.gap)) }
            li { position: relative; overflow: hidden; padding: 1.5mm \(Self.mm(Self.padding)); box-sizing: border-box; \
            \(layout.gap > 0 ? "" : "outline: 0.1mm solid #bbb") }
            b { display: block; font-size: \(Self.mm(code)); line-height: 1; white-space: nowrap }
            b + span { display: block; margin-right: \(height >= Self.leastWithQRCode ? Self.mm(side) : "0"); \
            font-size: \(Self.mm(code / 2.6)); line-height: 1.2; overflow-wrap: anywhere }
            b ~ svg { position: absolute; right: 1mm; bottom: 1mm; width: \(Self.mm(side)); height: \(Self.mm(side)) }
            .copy { display: flex; flex-direction: column; height: 100%; margin: 0; font-size: \(Self.mm(min(3, height / 5))); \
            line-height: 1.1; text-align: center }
            .copy span { max-height: 2.2em; overflow: hidden; flex: none }
            .copy svg { flex: 1; min-height: 0; width: 100% }
            .copy i { flex: none; font-style: normal }
            .spine { margin: 0; font-size: \(Self.mm(spine)); line-height: 1.15; text-align: center; font-weight: bold }
            .scale { position: absolute; left: 20mm; bottom: 2mm; width: 100mm; margin: 0; border-top: 0.2mm solid; \
            font-size: 2.5mm; text-align: center }
            .hint { margin: 4mm }
            @media print { .hint { display: none } }
            """
    }

    private static func mm(_ length: Double) -> String { "\((length * 100).rounded() / 100)mm" }
}
