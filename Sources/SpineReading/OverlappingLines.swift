import Imaging

/// Removes duplicates: two detection passes can find one text twice, entirely or in part.
package enum OverlappingLines {
    /// Returns the lines without overlaps: of lines that overlap by more than half of the smaller one, keeps those with
    /// the most text.
    ///
    /// One pass may find a line that ends too early, and the other the same text in two lines: these are kept if they
    /// have more text together.
    package static func resolved(_ lines: [TextLine]) -> [TextLine] {
        var rest = lines.sorted { worth($0) > worth($1) }
        var kept: [TextLine] = []
        while !rest.isEmpty {
            let line = rest.removeFirst()
            guard !kept.contains(where: { overlap($0, line) }) else { continue }
            var parts: [TextLine] = []
            for other in rest where overlap(other, line) && !(kept + parts).contains(where: { overlap($0, other) }) {
                parts.append(other)
            }
            if parts.reduce(0, { $0 + worth($1) }) <= worth(line) { kept.append(line) }
        }
        return kept
    }

    private static func worth(_ line: TextLine) -> Double { (line.score - 0.3) * Double(line.text.count) }

    private static func overlap(_ a: TextLine, _ b: TextLine) -> Bool {
        a.quad.sharedArea(with: b.quad) ?? 0 > 0.5 * min(a.quad.area, b.quad.area)
    }
}
