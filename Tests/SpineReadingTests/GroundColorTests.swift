import Imaging
import SpineReading
import Testing

@Suite("The ground on which text is printed")
struct GroundColorTests {
    private static let (blue, white) = (RGBColor(0x2038A0), RGBColor(0xF0F0F0))

    /// Blue, with white letters in the middle of a line of 400 × 60 pixels at (100, 100).
    private func edges() -> ShelfEdges {
        var picture = RGBImage(size: PixelSize(width: 1200, height: 900), filledWith: Self.blue)
        for y in 112..<148 {
            for x in 100..<500 where x % 20 < 15 { picture[x, y] = Self.white }
        }
        return ShelfEdges(of: ImagePyramid(picture), turn: .none)
    }

    @Test("Letters do not count, however wide they are")
    func letters() throws {
        let ground = try #require(edges().ground(of: rectangle(400, 60, at: PixelPoint(x: 300, y: 130))))
        #expect(ground.difference(from: Self.blue) <= 6, "\(ground)")
    }

    @Test("There is no ground outside of the photo")
    func outside() {
        #expect(edges().ground(of: rectangle(400, 60, at: PixelPoint(x: -900, y: 130))) == nil)
        #expect(edges().ground(of: rectangle(400, 60, at: PixelPoint(x: 1e12, y: -.infinity))) == nil)
    }

    @Test("The difference of two colours is the sum over their channels")
    func difference() {
        #expect(RGBColor.black.difference(from: .white) == 765)
        #expect(RGBColor(0x102030).difference(from: RGBColor(0x0F2232)) == 5)
    }
}
