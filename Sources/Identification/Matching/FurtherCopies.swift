import Bibliography
import ShelflistAPI

/// Finds spines that show a book of which another spine of the photo shows more: a scrap, a label of the shelf, or its cover
/// rather than a further copy.
struct FurtherCopies {
    /// The spine that shows the book is at least this sure, 0...1: the default review threshold.
    private static let sureConfidence = 0.6
    /// Of a further copy, at most so much less of the title was read, 0...1: a word of three or four.
    private static let titleMargin = 0.35
    /// Authors are named from this similarity of their surname, which may be cut.
    private static let surname = 0.7
    /// A whole title of so many words is not a scrap.
    private static let (wholeTitle, manyWords) = (0.9, 3)

    /// What one spine shows of its best record.
    private struct Shown {
        let work: String
        let score: Double
        let title: Double
        let isWhole: Bool
        let namesAuthor: Bool
        /// Of the longest line.
        let isVertical: Bool

        init(_ best: SpineMatcher.Candidate, _ lines: [UprightLine]) {
            work = best.record.workKey
            score = best.score
            title = best.features[.titleCoverage]
            let words = TextNormalisation.words(RecordWords.split(best.record.title).main)
                .count { !CommonWords.contains($0) }
            isWhole = title >= FurtherCopies.wholeTitle && words >= FurtherCopies.manyWords
            namesAuthor = best.features[.surname] >= FurtherCopies.surname
            isVertical = lines.max { $0.length < $1.length }?.isVertical ?? false
        }

        /// Whether this is set as the other spine is, and shows as much.
        func isCopy(of other: Shown) -> Bool {
            isVertical == other.isVertical
                && (isWhole || (namesAuthor || !other.namesAuthor) && title >= other.title - FurtherCopies.titleMargin)
        }
    }

    /// Returns the places of the spines that show less of their record than the clearest of the sure spines, or are set in
    /// another direction.
    ///
    /// O(spines).
    ///
    /// - Parameters:
    ///   - best: the best candidate of each spine.
    ///   - probabilities: that it is the book, 0...1.
    ///   - lines: of each spine.
    static func lesser(
        _ best: [SpineMatcher.Candidate?], probabilities: [Double], lines: [[UprightLine]]
    ) -> [Int] {
        let shown = zip(best, lines).map { best, lines in best.map { Shown($0, lines) } }
        var clearest: [String: Shown] = [:]
        for (spine, probability) in zip(shown, probabilities) {
            guard let spine, probability >= sureConfidence, spine.score > clearest[spine.work]?.score ?? -.infinity
            else { continue }
            clearest[spine.work] = spine
        }
        return shown.indices.filter { place in
            guard let spine = shown[place], let first = clearest[spine.work] else { return false }
            return !spine.isCopy(of: first)
        }
    }
}
