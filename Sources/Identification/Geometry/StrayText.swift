package import Imaging

/// Finds text on the spine of a confidently identified book that was detected as a book of its own: its publisher,
/// edition, a shop's sticker, or more of its title and author.
package struct StrayText {
    /// Spines with a higher confidence may be books.
    private static let highestConfidence = 0.3
    private static let sureConfidence = 0.6
    /// Share of each line's area.
    private static let shareInside = 0.8
    /// Share of the smaller outline from which two spines with one record are the same; two copies stand beside each other.
    private static let shareOfOne = 0.5

    private let texts: [[Quad]]
    private let outlines: [Quad]

    /// - Parameters:
    ///   - texts: the lines of each spine.
    ///   - outlines: of the spines, as the lines in the shelf's frame.
    package init(texts: [[Quad]], outlines: [Quad]) { (self.texts, self.outlines) = (texts, outlines) }

    /// Returns the index of the owning spine for each stray spine, by position; books are not among the keys.
    ///
    /// O(spines²).
    ///
    /// - Parameter works: the work that each spine's text fits best, where there is one.
    /// - Throws: `IdentificationError.tooMuchText`.
    package func owners(
        confidences: [Double], works: [String?], effort: IdentificationEffort = IdentificationEffort()
    ) throws -> [Int: Int] {
        let sure = confidences.indices.filter { confidences[$0] >= Self.sureConfidence }
            .sorted { (confidences[$0], outlines[$0].area) > (confidences[$1], outlines[$1].area) }
        var owners: [Int: Int] = [:]
        for owner in sure where owners[owner] == nil {
            guard let work = works[owner] else { continue }
            try effort.spend(works.count)
            for part in works.indices where part != owner && owners[part] == nil && works[part] == work {
                try effort.spend(100)
                if isOne(part, owner) { owners[part] = owner }
            }
        }
        for stray in confidences.indices where confidences[stray] < Self.highestConfidence && owners[stray] == nil {
            owners[stray] = try sure.first { owner in
                try effort.spend(100)
                return texts[stray].allSatisfy { line in
                    line.sharedArea(with: outlines[owner]).map { $0 >= Self.shareInside * line.area } ?? false
                }
            }
        }
        return owners
    }

    private func isOne(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (outlines[a], outlines[b])
        return a.sharedArea(with: b).map { $0 >= Self.shareOfOne * min(a.area, b.area) } ?? false
    }
}
