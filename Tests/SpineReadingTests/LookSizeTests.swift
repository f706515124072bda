import Imaging
import SpineReading
import Testing

@Suite("The size of the turned look")
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
        #expect(LookSize.turned(after: areas, in: PixelSize(width: 400, height: LookSize.coarse + 1)) == LookSize.fine)
    }

    private func text(height: Double, length: Double, at row: Int) -> Quad {
        Quad(PixelRect(x: 100, y: 100 + 120 * Double(row), width: length, height: height))
    }
}
