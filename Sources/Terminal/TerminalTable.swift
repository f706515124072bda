/// A table without borders: a header and aligned columns, at most as wide as the terminal.
package struct TerminalTable {
    package struct Column {
        package var header: String
        /// Shrinks to this width if the table is too wide; nil for a column as wide as its longest cell.
        package var least: Int?
        package var isRightAligned = false
        /// Columns are dropped if the table is still too wide, highest number first; 0 is never dropped.
        package var dropped = 0

        package init(_ header: String, atLeast least: Int? = nil, isRightAligned: Bool = false, dropped: Int = 0) {
            (self.header, self.least, self.isRightAligned, self.dropped) = (header, least, isRightAligned, dropped)
        }
    }

    package struct Cell {
        package var text: String
        package var style: TextStyle

        package init(_ text: String, _ style: TextStyle = .plain) {
            self.text = TerminalText.safe(text)
            self.style = style
        }
    }

    package var columns: [Column]
    package var rows: [[Cell]]

    package init(columns: [Column], rows: [[Cell]]) { (self.columns, self.rows) = (columns, rows) }

    /// Returns the table at the terminal's width and with its colours.
    package func onTerminal() -> [String] {
        lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
    }

    private static let gap = 2

    /// Returns the lines of the table, header first; none is wider than `width` columns.
    ///
    /// Without a `width` nothing is truncated.
    package func lines(width: Int?, colors: Bool) -> [String] {
        let (shown, widths) = layout(width: width)
        let header = columns.map { Cell($0.header, .dim) }
        return ([header] + rows).map { row in
            var line = ""
            for index in shown {
                let text = TerminalText.fitted(row[index].text, to: widths[index])
                let padding = String(repeating: " ", count: widths[index] - TerminalText.width(text))
                let styled = row[index].style.applied(to: text, colors: colors)
                if index != shown.first { line += String(repeating: " ", count: Self.gap) }
                if columns[index].isRightAligned {
                    line += padding + styled
                } else {
                    line += index == shown.last ? styled : styled + padding
                }
            }
            return line
        }
    }

    /// Returns the visible columns and the width of each.
    private func layout(width: Int?) -> (shown: [Int], widths: [Int]) {
        var widths = columns.indices.map { index in
            rows.reduce(TerminalText.width(columns[index].header)) { max($0, TerminalText.width($1[index].text)) }
        }
        var shown = Array(columns.indices)
        guard let width else { return (shown, widths) }

        func excess(_ widths: [Int]) -> Int {
            shown.reduce((shown.count - 1) * Self.gap - width) { $0 + widths[$1] }
        }
        let smallest = columns.indices.map { min(widths[$0], columns[$0].least ?? .max) }
        while excess(smallest) > 0, let next = shown.max(by: { columns[$0].dropped < columns[$1].dropped }),
            columns[next].dropped > 0
        {
            shown.removeAll { $0 == next }
        }
        // The widest column shrinks first, so that short authors are not truncated beside long titles. On very narrow
        // terminals, all columns shrink below their minimum.
        for least in [smallest, columns.map { _ in 0 }] {
            while excess(widths) > 0,
                let widest = shown.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
            {
                widths[widest] -= 1
            }
        }
        return (shown, widths)
    }
}

/// Emphasis of text on a terminal with colours.
package enum TextStyle: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"

    package func applied(to text: String, colors: Bool) -> String {
        colors && self != .plain && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
