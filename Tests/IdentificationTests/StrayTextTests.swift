import Identification
import Imaging
import Testing

@Suite("Text of one spine that was detected as two")
struct StrayTextTests {
    private func spine(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Quad {
        Quad(PixelRect(x: x, y: y, width: width, height: height))
    }

    private func owners(_ outlines: [Quad], _ confidences: [Double], _ works: [String?]) throws -> [Int: Int] {
        try StrayText(texts: outlines.map { [$0] }, outlines: outlines).owners(confidences: confidences, works: works)
    }

    @Test("Title and author that one record explains in one place are one book, the surer or the larger")
    func oneRecord() throws {
        let (title, author) = (spine(100, 100, 40, 600), spine(104, 400, 40, 300))
        #expect(try owners([title, author], [0.8, 0.45], ["Eclogues", "Eclogues"]) == [1: 0])
        #expect(try owners([author, title], [0.9, 0.9], ["Eclogues", "Eclogues"]) == [0: 1])
        #expect(try owners([title, author], [0.8, 0.65], ["Eclogues", "Aeneid"]).isEmpty)
        #expect(try owners([title, author], [0.55, 0.45], ["Eclogues", "Eclogues"]).isEmpty)
        #expect(try owners([title, author], [0.8, 0.65], [nil, nil]).isEmpty)
    }

    @Test("Three parts of one book all belong to the first")
    func threeParts() throws {
        let outlines = [spine(100, 100, 40, 600), spine(102, 120, 40, 200), spine(104, 150, 40, 100)]
        #expect(try owners(outlines, [0.9, 0.8, 0.7], ["Emma", "Emma", "Emma"]) == [1: 0, 2: 0])
    }

    @Test(
        "Text inside the spine of a sure book is its rest, and of a book that is only read where it is a scrap",
        arguments: [(0.8, 0.55, true), (0.8, 0.65, false), (0.55, 0.2, true), (0.55, 0.45, false), (0.2, 0.25, false)])
    func rests(whole: Double, part: Double, isRest: Bool) throws {
        let outlines = [spine(100, 100, 40, 600), spine(104, 400, 36, 200), spine(200, 100, 40, 600)]
        #expect(try owners(outlines, [whole, part, 0.9], [nil, nil, nil]) == (isRest ? [1: 0] : [:]))
    }

    @Test("Two copies beside each other stay two, also where both lean")
    func copies() throws {
        let upright = [spine(100, 100, 40, 600), spine(140, 100, 40, 600)]
        #expect(try owners(upright, [0.9, 0.9], ["Emma", "Emma"]).isEmpty)
        func leaning(_ x: Double) -> Quad {
            Quad(
                PixelPoint(x: x + 200, y: 100), PixelPoint(x: x + 240, y: 115), PixelPoint(x: x + 40, y: 700),
                PixelPoint(x: x, y: 685))
        }
        #expect(try owners([leaning(100), leaning(145)], [0.9, 0.9], ["Emma", "Emma"]).isEmpty)
    }
}
