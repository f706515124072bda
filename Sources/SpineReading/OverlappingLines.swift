import Imaging

/// Removes duplicates: two detection passes can find one text twice, entirely or in part.
package enum OverlappingLines {
    /// Returns the lines without overlaps: of lines that overlap by more than half of the smaller one, keeps the one
    /// with the most text.
    package static func resolved(_ lines: [TextLine]) -> [TextLine] {
        func worth(_ line: TextLine) -> Double { (line.score - 0.3) * Double(line.text.count) }
        var kept: [TextLine] = []
        for line in lines.sorted(by: { worth($0) > worth($1) }) {
            let isCovered = kept.contains { other in
                line.quad.sharedArea(with: other.quad) ?? 0 > 0.5 * min(line.quad.area, other.quad.area)
            }
            if !isCovered { kept.append(line) }
        }
        return kept
    }
}
