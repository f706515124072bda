/// What labels are for.
package enum LabelKind: String, WireChoice {
    /// A shelf: its code, path and a QR code.
    case place
    /// A copy: its title, and its own barcode, or one of its number.
    case copy
    /// A spine: the call number of a copy, in up to four lines.
    case spine
}

/// A sheet of labels in the middle of A4 paper, by the number under which it is sold.
package enum LabelSheet: String, WireChoice {
    case l7160 = "L7160"
    case l7651 = "L7651"
    case l4731 = "L4731"

    package var layout: LabelLayout {
        switch self {
        case .l7160: LabelLayout(rawValue, width: 63.5, height: 38.1, columns: 3, rows: 7)
        case .l7651: LabelLayout(rawValue, width: 38.1, height: 21.2, columns: 5, rows: 13)
        case .l4731: LabelLayout(rawValue, width: 25.4, height: 10, columns: 7, rows: 27)
        }
    }
}

/// Equal labels in the middle of A4 paper; lengths in mm.
package struct LabelLayout: Hashable, Sendable {
    /// Of A4 paper.
    package static let paper = (width: 210.0, height: 297.0)
    /// The sizes of labels that a person may choose.
    private static let widths = 15.0...190
    private static let heights = 8.0...270
    /// The margin that printers leave free.
    private static let edge = 8.0

    /// The number of the sheet, or the size.
    package let name: String
    package let width: Double
    package let height: Double
    package let columns: Int
    package let rows: Int
    /// Between columns; rows have none.
    package let gap: Double

    fileprivate init(_ name: String, width: Double, height: Double, columns: Int, rows: Int) {
        (self.name, self.width, self.height) = (name, width, height)
        (self.columns, self.rows, gap) = (columns, rows, 2.54)
    }

    /// As many labels of a size as fit on plain paper, side by side, to be cut.
    ///
    /// - Parameter size: in mm, such as `50x30`.
    /// - Returns: nil if it is not 15 to 190 mm wide and 8 to 270 mm high.
    package init?(size: String) {
        let sides = size.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
        guard sides.count == 2, Self.widths.contains(sides[0]), Self.heights.contains(sides[1]) else { return nil }
        (width, height) = (sides[0], sides[1])
        name = "\(width) × \(height) mm"
        columns = Self.number(of: width, in: Self.paper.width)
        rows = Self.number(of: height, in: Self.paper.height)
        gap = 0
    }

    private static func number(of side: Double, in paper: Double) -> Int {
        // At least one: the largest side fits.
        var number = 1
        while Double(number + 1) * side <= paper - 2 * edge { number += 1 }
        return number
    }

    /// The number of labels.
    package var count: Int { columns * rows }

    /// From the left and upper edges of the paper to the first label.
    package var margin: (left: Double, top: Double) {
        let across = Double(columns) * width + Double(columns - 1) * gap
        return ((Self.paper.width - across) / 2, (Self.paper.height - Double(rows) * height) / 2)
    }
}
