package import Imaging

/// Finds text on the spine of a confidently identified book that was detected as a book of its own: its publisher,
/// edition, a shop's sticker, or more of its title and author.
package struct StrayText {
    /// Spines with a higher confidence may be books.
    private static let highestConfidence = 0.3
    private static let sureConfidence = 0.6
    /// Share of each line's area.
    private static let shareInside = 0.8
    /// Share of an outline inside that of a sure book from which it is the rest of that book's text; and of a scrap's, inside
    /// that of a book that is only read.
    private static let (shareOfRest, shareOfScrap) = (0.7, 0.9)
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
        // The larger ones first, so that no owner becomes the rest of another.
        let rests = confidences.indices.filter { confidences[$0] < Self.sureConfidence && owners[$0] == nil }
            .sorted { (outlines[$0].area, $1) > (outlines[$1].area, $0) }
        for rest in rests {
            let isScrap = confidences[rest] < Self.highestConfidence
            owners[rest] = try confidences.indices.first { owner in
                try effort.spend(100)
                guard owner != rest, owners[owner] == nil, outlines[owner].area > outlines[rest].area,
                    confidences[owner] > confidences[rest]
                else { return false }
                if confidences[owner] >= Self.sureConfidence { return isInside(rest, owner, share: Self.shareOfRest) }
                return isScrap && isInside(rest, owner, share: Self.shareOfScrap)
            }
        }
        return owners
    }

    /// Returns the first of several spines whose outline contains the text of a spine; nil if there is none.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    func owner(of part: Int, among spines: [Int], effort: IdentificationEffort) throws -> Int? {
        try spines.first { owner in
            try effort.spend(100)
            return texts[part].allSatisfy { line in
                line.sharedArea(with: outlines[owner]).map { $0 >= Self.shareInside * line.area } ?? false
            }
        }
    }

    private func isInside(_ part: Int, _ whole: Int, share: Double) -> Bool {
        outlines[part].sharedArea(with: outlines[whole]).map { $0 >= share * outlines[part].area } ?? false
    }

    private func isOne(_ a: Int, _ b: Int) -> Bool {
        let (a, b) = (outlines[a], outlines[b])
        return a.sharedArea(with: b).map { $0 >= Self.shareOfOne * min(a.area, b.area) } ?? false
    }
}
