import Imaging

/// Text that stands on the spine of a sure book and was taken for a book of its own: its publisher, its edition, the
/// sticker of a shop.
struct Scraps {
    /// Surer than this, it may well be a book.
    private static let highestConfidence = 0.3
    private static let sureConfidence = 0.6
    /// Of the area of each line.
    private static let shareInside = 0.8

    /// The lines of each spine, and its outline, in the shelf's frame.
    let texts: [[Quad]]
    let outlines: [Quad]

    /// The spine to which each scrap belongs, by their places; books are not among the keys.
    func owners(confidences: [Double]) -> [Int: Int] {
        let sure = confidences.indices.filter { confidences[$0] >= Self.sureConfidence }
        var owners: [Int: Int] = [:]
        for scrap in confidences.indices where confidences[scrap] < Self.highestConfidence {
            owners[scrap] = sure.first { owner in texts[scrap].allSatisfy { lies($0, on: outlines[owner]) } }
        }
        return owners
    }

    private func lies(_ line: Quad, on outline: Quad) -> Bool {
        guard line.bounds.intersection(outline.bounds) != nil else { return false }
        return Polygon.area(Polygon.intersection(line.corners, outline.corners)) >= Self.shareInside * line.area
    }
}
