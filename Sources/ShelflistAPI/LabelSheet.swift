/// A sheet of labels in the middle of A4 paper, by the number under which it is sold.
package enum LabelSheet: String, WireChoice {
    case l7160 = "L7160"
    case l7651 = "L7651"
    case l4731 = "L4731"

    /// Of A4 paper, in mm.
    package static let paper = (width: 210.0, height: 297.0)
    /// Between columns, in mm; rows have none.
    package static let gap = 2.54

    /// Of one label, in mm.
    package var size: (width: Double, height: Double) {
        switch self {
        case .l7160: (63.5, 38.1)
        case .l7651: (38.1, 21.2)
        case .l4731: (25.4, 10)
        }
    }

    package var columns: Int {
        switch self {
        case .l7160: 3
        case .l7651: 5
        case .l4731: 7
        }
    }

    package var rows: Int {
        switch self {
        case .l7160: 7
        case .l7651: 13
        case .l4731: 27
        }
    }

    /// The number of labels.
    package var count: Int { columns * rows }

    /// From the left and upper edges of the paper to the first label, in mm.
    package var margin: (left: Double, top: Double) {
        let width = Double(columns) * size.width + Double(columns - 1) * Self.gap
        return ((Self.paper.width - width) / 2, (Self.paper.height - Double(rows) * size.height) / 2)
    }
}
