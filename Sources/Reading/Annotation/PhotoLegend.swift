import Bibliography
import Bounds
import Foundation
import Imaging

/// The list below an annotated photo: how many books of each tier, then number, title and author of each.
struct PhotoLegend {
    let typeface: Typeface
    let books: [AnnotatedBook]
    /// Of the photo, in pixels.
    ///
    /// All other measures follow from it.
    let width: Int

    private static let titleLimit = 400

    /// Size of the titles, in pixels to the em.
    private var em: Double { max(11, Double(width) / 74) }
    private var padding: Double { em * 1.5 }
    private var headerHeight: Double { em * (headerFitsOneLine ? 4.2 : 6.2) }
    private var rowHeight: Double { em * 2.9 }
    private var gutter: Double { em * 1.4 }
    private var innerWidth: Double { Double(width) - 2 * padding }
    private var columns: Int { max(1, Int(saturating: (innerWidth + gutter) / (em * 15 + gutter))) }
    private var rows: Int { (books.count + columns - 1) / columns }

    func appended(to photo: RGBImage) -> RGBImage {
        let height = headerHeight + (books.isEmpty ? 0 : Double(rows) * rowHeight + em * 0.9)
        var sheet = RGBImage(
            size: PixelSize(width: width, height: photo.height + Int(saturating: height.rounded(.up))),
            filledWith: TierMark.glass)
        sheet.samples.replaceSubrange(..<photo.samples.count, with: photo.samples)
        let top = Double(photo.height)
        drawHeader(on: &sheet, top: top)
        let columnWidth = (innerWidth + gutter) / Double(columns) - gutter
        for (i, book) in books.enumerated() {
            let corner = PixelPoint(
                x: padding + Double(i / max(rows, 1)) * (columnWidth + gutter),
                y: top + headerHeight + Double(i % max(rows, 1)) * rowHeight)
            draw(book, at: corner, width: columnWidth, on: &sheet)
        }
        return sheet
    }

    // MARK: Header

    private var heading: String {
        switch books.count {
        case 0: "No spines found"
        case 1: "1 spine found"
        case let count: "\(count) spines found"
        }
    }

    /// Tiers that occur, with their number.
    private var counts: [(mark: TierMark, label: String)] {
        ConfidenceTier.allCases.reversed().compactMap { tier in
            let count = books.count { $0.tier == tier }
            let mark = TierMark(tier)
            return count > 0 ? (mark, "\(mark.name)  \(count)") : nil
        }
    }

    private var headingSize: Double { em * 1.7 }

    private var keyWidth: Double {
        counts.reduce(0) { $0 + em * 1.5 + typeface.width(of: $1.label, size: em * 0.95) + em * 1.8 }
    }

    private var headerFitsOneLine: Bool {
        typeface.width(of: heading, size: headingSize) + em * 2 + keyWidth <= innerWidth
    }

    /// The heading at the left, the counts at the right or on a line of their own.
    private func drawHeader(on sheet: inout RGBImage, top: Double) {
        let baseline = top + em * 2.75
        sheet.write(
            typeface.run(heading, size: headingSize), at: PixelPoint(x: padding, y: baseline),
            with: Paint(TierMark.text))
        var x = headerFitsOneLine ? Double(width) - padding - keyWidth + em * 1.8 : padding
        let y = headerFitsOneLine ? baseline : baseline + em * 2.1
        for (mark, label) in counts {
            mark.drawIcon(on: &sheet, center: PixelPoint(x: x + em * 0.5, y: y - em * 0.35), radius: em * 0.55)
            let run = typeface.run(label, size: em * 0.95)
            sheet.write(run, at: PixelPoint(x: x + em * 1.5, y: y), with: Paint(TierMark.quiet))
            x += em * 1.5 + run.width + em * 1.8
        }
    }

    // MARK: Rows

    private func draw(_ book: AnnotatedBook, at corner: PixelPoint, width: Double, on sheet: inout RGBImage) {
        let mark = TierMark(book.tier)
        let hair = PixelRect(x: corner.x, y: corner.y, width: width, height: max(1, em * 0.04))
        sheet.fill(Path(hair), with: Paint(TierMark.quiet, alpha: 0.22))
        let middle = corner.y + rowHeight / 2
        let badge = PixelPoint(x: corner.x + em * 0.95, y: middle)
        let ink = mark.drawBadge(on: &sheet, center: badge, radius: em * 0.9)
        let number = typeface.run(String(book.number), size: em * (book.number < 100 ? 0.88 : 0.68))
        let capital = typeface.capHeight * em * 0.88 / 2
        sheet.write(number, at: badge + PixelPoint(x: -number.width / 2, y: capital), with: Paint(ink))

        let left = corner.x + em * 2.5
        let room = width - em * 2.5
        let author = drawable(book.author)
        write(
            title(of: book), size: em, x: left, baseline: middle + em * (author == nil ? 0.36 : -0.12), room,
            TierMark.text, &sheet)
        if let author {
            write(author, size: em * 0.78, x: left, baseline: middle + em * 0.98, room, TierMark.quiet, &sheet)
        }
    }

    private func write(
        _ text: String, size: Double, x: Double, baseline: Double, _ room: Double, _ color: RGBColor,
        _ sheet: inout RGBImage
    ) {
        let run = typeface.run(typeface.shortened(text, size: size, toFit: room), size: size)
        sheet.write(run, at: PixelPoint(x: x, y: baseline), with: Paint(color))
    }

    /// Uncertain readings are quoted.
    private func title(of book: AnnotatedBook) -> String {
        guard let title = drawable(book.title) else { return "—" }
        return book.tier == .needsReview && !title.hasPrefix("“") ? "“\(title)”" : title
    }

    /// On one line, and only what the font can draw; `nil` where nothing of it is left.
    private func drawable(_ text: String?) -> String? {
        let words = BoundedText(text ?? "", limit: PhotoLegend.titleLimit).text.split(whereSeparator: \.isWhitespace)
            .map { $0.filter(typeface.draws) }.filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
