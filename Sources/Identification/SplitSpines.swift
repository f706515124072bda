import Bibliography
import Imaging

/// Finds spines that were read as two: text beside the spine of an expected copy that shows only words of its record,
/// which that spine does not show itself, and spines between them.
struct SplitSpines {
    /// Words from this similarity on are the same, misread letters aside.
    private static let sameWord = 0.75
    /// A word of the record with less similarity was not read.
    private static let unread = 0.5
    /// The least share of a spine's area between the parts of another that makes it a part as well.
    private static let shareInside = 0.8

    let matcher: SpineMatcher
    let expected: ExpectedCopies
    /// From which confidence a record is sure, 0...1.
    let threshold: Double
    let effort: IdentificationEffort

    /// Returns the whole spine of each part, by their places; other spines are not among the keys.
    ///
    /// - Parameters:
    ///   - spines: with their outlines in the shelf's frame.
    ///   - shown: the places of the spines that are books.
    /// - Throws: errors of the catalog.
    func owners(among spines: [JudgedSpine], _ outlines: [Quad], shown: [Int]) throws -> [Int: Int] {
        let sure = shown.filter { place in
            spines[place].isVerified(from: threshold)
                && spines[place].record.map(expected.contains) ?? false
        }
        let records = try matcher.words(of: sure.compactMap { spines[$0].record })
        let read = spines.map { spine in spine.lines.flatMap(\.words).map { FoldedWord($0) } }
        let open = shown.filter { !spines[$0].isVerified(from: threshold) }
        var owners: [Int: Int] = [:]
        for part in open {
            owners[part] =
                try zip(sure, records).first { whole, record in
                    try effort.spend(10)
                    return try adjoins(outlines[part], outlines[whole])
                        && completes(read[part], read[whole], record)
                }?.0
        }
        let bounds = outlines.map(\.bounds)
        let joined = Set(owners.values).sorted().map { owner in
            let parts = open.filter { owners[$0] == owner }
            return (owner: owner, bounds: parts.reduce(bounds[owner]) { $0.union(bounds[$1]) })
        }
        for part in open where owners[part] == nil {
            owners[part] = joined.first { isInside(bounds[part], $0.bounds) }?.owner
        }
        return owners
    }

    /// Whether a spine stands between the parts of one.
    private func isInside(_ part: PixelRect, _ whole: PixelRect) -> Bool {
        (part.intersection(whole)?.area ?? 0) >= Self.shareInside * part.area
    }

    /// Whether the gap between two outlines is smaller than the thicker of them.
    private func adjoins(_ a: Quad, _ b: Quad) -> Bool {
        let (a, b) = (a.bounds, b.bounds)
        let gap =
            max(0, max(a.x, b.x) - min(a.maxX, b.maxX)) + max(0, max(a.y, b.y) - min(a.maxY, b.maxY))
        return gap < max(min(a.width, a.height), min(b.width, b.height))
    }

    private func completes(_ part: [FoldedWord], _ whole: [FoldedWord], _ record: RecordWords) throws -> Bool {
        try effort.spend(20 * (part.count + whole.count) * record.folded.count)
        let (own, other) = (WordAlignment(part, record.folded), WordAlignment(whole, record.folded))
        let words = part.indices.filter { part[$0].count >= 3 }
        let matched = record.folded.indices.filter { own.record[$0] >= Self.sameWord }
        return !words.isEmpty && words.allSatisfy { own.spine[$0] >= Self.sameWord }
            && matched.allSatisfy { other.record[$0] < Self.unread }
    }
}
