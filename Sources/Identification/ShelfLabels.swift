import Bibliography
package import Imaging
package import ShelflistAPI
import SpineReading

/// The labels of shelves in a photo, taken out of its text before lines are grouped to books.
struct ShelfLabels {
    /// The labels, each code and place once.
    let labels: [ShelfLabel]
    /// The lines of no label.
    let others: [TextLine]
    /// The labels whose code is misread or covered; they are not books either.
    let unreadable: [TextLine]

    /// The largest gap between a code and another line of its label, and the largest height of that line, as fractions of
    /// the code's height.
    ///
    /// Labels print the path in smaller letters directly below the code; a lying book above the board's
    /// edge is further away or larger.
    private static let reach = (gap: 0.8, height: 0.9)

    /// - Parameter size: of the photo in pixels.
    /// - Throws: `IdentificationError.tooMuchText`.
    init(_ lines: [TextLine], in size: PixelSize, effort: IdentificationEffort) throws {
        var (labels, codes): ([ShelfLabel], [TextLine]) = ([], [])
        for line in lines {
            let found = PlaceCode.all(in: line.text)
            if !found.isEmpty { codes.append(line) }
            labels += found.map { ShelfLabel(code: $0, outline: SpineOutline(line.quad, in: size)) }
        }
        self.labels = labels
        unreadable = lines.filter { PlaceCode.isUnreadable($0.text) }
        codes += unreadable
        try effort.spend(10 * codes.count * lines.count)
        others = lines.filter { line in
            !codes.contains { $0 == line || Self.isPart(line, ofLabelAt: $0) }
        }
    }

    /// Whether a line is printed directly above or below a code, in smaller letters.
    private static func isPart(_ line: TextLine, ofLabelAt code: TextLine) -> Bool {
        let (a, b) = (code.quad.bounds, line.quad.bounds)
        // Text of a label is level; that of a spine beside it is not.
        guard code.direction == line.direction, !code.direction.isVertical, b.height <= reach.height * a.height
        else { return false }
        let gap = max(a.y, b.y) - min(a.y + a.height, b.y + b.height)
        let shared = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        return gap <= reach.gap * a.height && shared > 0.5 * min(a.width, b.width)
    }
}

extension IdentifiedShelf {
    /// Returns the lines of `otherText` with a word of three letters, and where they are.
    package func looseLines(in size: PixelSize) -> [TextInPhoto] {
        let isSign = Set(signs.map(\.text))
        return otherText.filter { line in
            !isSign.contains(line.text)
                && TextNormalisation.words(line.text).contains { $0.count { $0.isLetter } >= 3 }
        }.map { TextInPhoto(text: $0.text, outline: SpineOutline($0.quad, in: size)) }
    }
}
