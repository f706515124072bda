import ShelfScannerCore
import Testing

@Suite struct PictureFrameTests {
    @Test("A picture is fitted into a view and centred")
    func fits() {
        let frame = PictureFrame(width: 400, height: 300, inWidth: 200, height: 200)
        #expect(frame.width == 200 && frame.height == 150 && frame.x == 0 && frame.y == 25)
        let quad = UnitQuad(UnitRect(x: 0.5, y: 0, width: 0.5, height: 1))
        #expect(frame.corners(of: quad).map(\.x) == [100, 200, 200, 100])
        #expect(frame.corners(of: quad).map(\.y) == [25, 25, 175, 175])
    }

    @Test("A tap hits the outline under it, and nothing beside the picture")
    func hits() throws {
        let frame = PictureFrame(width: 400, height: 300, inWidth: 200, height: 200)
        let quad = UnitQuad(UnitRect(x: 0.5, y: 0, width: 0.5, height: 1))
        #expect(quad.contains(try #require(frame.point(atX: 150, y: 100))))
        #expect(!quad.contains(try #require(frame.point(atX: 50, y: 100))))
        #expect(frame.point(atX: 150, y: 10) == nil)
        #expect(PictureFrame(width: 0, height: 0, inWidth: 200, height: 200).point(atX: 0, y: 0) == nil)
    }

    @Test("An outline grows and shrinks within the photo")
    func grows() {
        let quad = UnitQuad(UnitRect(x: 0.25, y: 0, width: 0.5, height: 1))
        #expect(quad.grown(by: 0.125) == UnitQuad(UnitRect(x: 0.125, y: 0, width: 0.75, height: 1)))
        #expect(quad.grown(by: -0.125) == UnitQuad(UnitRect(x: 0.375, y: 0.125, width: 0.25, height: 0.75)))
    }
}

@Suite struct ValueTests {
    @Test("The viewfinder says what to do first")
    func guidance() {
        func hint(_ brightness: Double, _ rotation: Double, _ tilt: Double, _ spines: Int?) -> CameraGuidance {
            CameraGuidance(brightness: brightness, rotation: rotation, tilt: tilt, spines: spines)
        }
        #expect(hint(0.1, 2, 30, 0) == .tooDark)
        #expect(hint(0.5, 2, 30, 0) == .holdStill)
        #expect(hint(0.5, 0, -30, 0) == .level)
        #expect(hint(0.5, 0, 2, 0) == .findShelf)
        #expect(hint(0.5, 0, 2, 12) == .ready && hint(0.5, 0, 2, nil) == .ready)
    }

    @Test("Large photos are scaled to their long side, small ones are not")
    func sizes() {
        #expect(PhotoSize.scaled(width: 6144, height: 4096) == (3072, 2048))
        #expect(PhotoSize.scaled(width: 1000, height: 3072) == (1000, 3072))
        #expect(PhotoSize.scaled(width: 1, height: 100_000) == (1, 3072))
    }

    @Test("The accents of all themes can be read on their background", arguments: Theme.allCases, [false, true])
    func contrast(theme: Theme, dark: Bool) {
        let accent = theme.accent(dark: dark)
        #expect(accent.contrast(with: theme.background(dark: dark)) >= 4.5)
        #expect(accent.contrast(with: RGB(dark ? 0 : 0xFF_FFFF)) >= 4.5)
    }

    @Test("Rows are read out as sentences")
    func words() {
        #expect(Words.book("Emma", by: "Jane Austen", confidence: 0.876) == "Emma, by Jane Austen, 87 % sure")
        #expect(Words.book("", by: nil, confidence: nil) == "Book without a title")
        #expect(Words.percent(.nan) == "0 %" && Words.percent(2) == "100 %")
        #expect(Words.countdown(.seconds(65)) == "1:05" && Words.countdown(.seconds(-1)) == "0:00")
        #expect(Words.state(.refused("Too large.")) == "Too large." && Words.fraction(.waiting) == nil)
    }
}
