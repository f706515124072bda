import Imaging

/// Finds text on the spine of a confidently identified book that was detected as a book of its own: its publisher,
/// edition, or a shop's sticker.
struct StrayText {
    /// Spines with a higher confidence may be books.
    private static let highestConfidence = 0.3
    private static let sureConfidence = 0.6
    /// Share of each line's area.
    private static let shareInside = 0.8

    /// The lines of each spine and its outline, in the shelf's frame.
    let texts: [[Quad]]
    let outlines: [Quad]

    /// Returns the index of the owning spine for each stray spine, by position; books are not among the keys.
    ///
    /// O(spines²).
    func owners(confidences: [Double]) -> [Int: Int] {
        let sure = confidences.indices.filter { confidences[$0] >= Self.sureConfidence }
        var owners: [Int: Int] = [:]
        for stray in confidences.indices where confidences[stray] < Self.highestConfidence {
            owners[stray] = sure.first { owner in
                texts[stray].allSatisfy { line in
                    line.sharedArea(with: outlines[owner]).map { $0 >= Self.shareInside * line.area } ?? false
                }
            }
        }
        return owners
    }
}
