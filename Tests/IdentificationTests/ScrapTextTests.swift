import Identification
import Testing

@Suite("Text that is not the title of a book")
struct ScrapTextTests {
    private static let titles = [400.0, 500, 600].map { ScrapText.Spine(confidence: 0.57, length: $0) }

    private func isScrap(_ confidence: Double, _ length: Double, among titles: [ScrapText.Spine] = titles) -> Bool {
        let spine = ScrapText.Spine(confidence: confidence, length: length)
        return ScrapText(titles + [spine]).contains(spine)
    }

    @Test(
        "Short text that was read badly is a scrap; short titles and long text that was read badly are not",
        arguments: [(0.1, 150.0, true), (0.55, 150, false), (0.1, 500, false), (0.02, 500, false), (0.02, 250, true)])
    func byConfidenceAndLength(confidence: Double, length: Double, expected: Bool) {
        #expect(isScrap(confidence, length) == expected)
    }

    @Test(
        "Text much shorter than the shelf's titles is a scrap unless it is sure",
        arguments: [(0.55, true), (0.6, false)])
    func label(confidence: Double, expected: Bool) { #expect(isScrap(confidence, 60) == expected) }

    @Test("The same text may be a title on a shelf of short titles")
    func shortTitles() {
        let short = [120.0, 150, 180].map { ScrapText.Spine(confidence: 0.57, length: $0) }
        #expect(!isScrap(0.3, 150, among: short))
        #expect(isScrap(0.3, 150))
    }

    @Test("Where no title is likely, all lengths are compared")
    func noLikelyTitle() {
        #expect(!isScrap(0.3, 150, among: []))
        let unlikely = Self.titles.map { ScrapText.Spine(confidence: 0.3, length: $0.length) }
        #expect(isScrap(0.3, 150, among: unlikely))
    }
}
