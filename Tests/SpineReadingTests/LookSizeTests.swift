import Imaging
import SpineReading
import Testing

@Suite("The sizes of the looks")
struct LookSizeTests {
    /// Text of this height, in pixels of the coarse picture, is 57 pixels high in a photo of four times its size.
    static let photo = PixelSize(width: 4 * LookSize.coarse, height: 3 * LookSize.coarse)

    @Test(
        "Tall text is looked at coarsely, and small text finely",
        arguments: [(60.0, true), (58, true), (56, false), (20, false)])
    func uniform(_ height: Double, _ isCoarse: Bool) {
        let areas = (0..<20).map { text(height: height, length: 500, at: $0) }
        #expect(LookSize.turned(after: areas, in: Self.photo) == (isCoarse ? LookSize.coarse : LookSize.fine))
    }

    @Test(
        "A tenth of the text's length may be small", arguments: [(90.0, true), (99, true), (101, false), (400, false)])
    func mixed(_ lengthOfSmall: Double, _ isCoarse: Bool) {
        let areas =
            (0..<9).map { text(height: 80, length: 100, at: $0) } + [text(height: 20, length: lengthOfSmall, at: 9)]
        #expect(LookSize.turned(after: areas, in: Self.photo) == (isCoarse ? LookSize.coarse : LookSize.fine))
    }

    @Test(
        "Few areas do not say how tall the text is",
        arguments: [(0, LookSize.fine), (4, LookSize.fine), (5, LookSize.coarse)])
    func few(_ count: Int, _ longSide: Int) {
        let areas = (0..<count).map { text(height: 100, length: 500, at: $0) }
        #expect(LookSize.turned(after: areas, in: Self.photo) == longSide)
    }

    @Test("A photo that is not larger than the coarse picture is not enlarged")
    func smallPhoto() {
        let photo = PixelSize(width: LookSize.coarse, height: 400)
        #expect(LookSize.turned(after: [], in: photo) == LookSize.coarse)
        let areas = (0..<9).map { text(height: 8, length: 100, at: $0) }
        #expect(LookSize.turned(after: areas, in: photo) == LookSize.coarse)
    }

    @Test(
        "The turned picture of small text fits the photo",
        arguments: [
            (LookSize.coarse + 1, LookSize.upright), (LookSize.upright, LookSize.upright),
            (LookSize.upright + 1, LookSize.fine),
        ])
    func middlePhoto(_ height: Int, _ longSide: Int) {
        let areas = (0..<9).map { text(height: 8, length: 100, at: $0) }
        #expect(LookSize.turned(after: areas, in: PixelSize(width: 400, height: height)) == longSide)
        #expect(LookSize.turned(after: [], in: PixelSize(width: 400, height: height)) == longSide)
    }

    /// Text of 14.25 pixels in the first look is 42.75 pixels high in a photo of three times its size.
    @Test(
        "Small horizontal text gets a fine upright look",
        arguments: [(60.0, false), (43, false), (42, true), (20, true)])
    func upright(_ height: Double, _ isFine: Bool) {
        let areas = (0..<20).map { text(height: height, length: 500, at: $0) }
        #expect(LookSize.needsFineUpright(after: areas, in: Self.photo) == isFine)
    }

    @Test("Small vertical text gets no fine upright look")
    func vertical() {
        #expect(!LookSize.needsFineUpright(after: (0..<20).map { spine(at: $0) }, in: Self.photo))
    }

    @Test(
        "Small words across standing spines get a fine upright look from a tenth of all text on",
        arguments: [(99.0, false), (101, true)])
    func words(_ lengthOfSmall: Double, _ isFine: Bool) {
        let areas = (0..<9).map { spine(at: $0) } + [text(height: 20, length: lengthOfSmall, at: 9)]
        #expect(LookSize.needsFineUpright(after: areas, in: Self.photo) == isFine)
    }

    @Test("Few areas, and photos that the first look shows in full size, get no fine upright look")
    func notFine() {
        let areas = (0..<5).map { text(height: 5, length: 100, at: $0) }
        #expect(LookSize.needsFineUpright(after: areas, in: Self.photo))
        #expect(!LookSize.needsFineUpright(after: Array(areas.dropLast()), in: Self.photo))
        #expect(!LookSize.needsFineUpright(after: areas, in: PixelSize(width: LookSize.upright, height: 900)))
    }

    private func text(height: Double, length: Double, at row: Int) -> Quad {
        Quad(PixelRect(x: 100, y: 100 + 120 * Double(row), width: length, height: height))
    }

    /// Small text that is read from top to bottom, 100 pixels long.
    private func spine(at column: Int) -> Quad {
        let (left, right) = (100 + 60 * Double(column), 110 + 60 * Double(column))
        return Quad(
            PixelPoint(x: right, y: 100), PixelPoint(x: right, y: 200), PixelPoint(x: left, y: 200),
            PixelPoint(x: left, y: 100))
    }
}
