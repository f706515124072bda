import Imaging
import SpineReading
import Testing

@Suite struct UnknownLettersTests {
    /// Lines of some heights in length, one below the other.
    private func lines(_ texts: [String], heights: Double = 8, score: Double = 0.97) -> [TextLine] {
        texts.enumerated().map { place, text in
            let quad = Quad(PixelRect(x: 0, y: 60 * Double(place), width: 40 * heights, height: 40))
            return TextLine(text: text, score: score, quad: quad)
        }
    }

    /// What a Latin recogniser makes of Cyrillic titles, invented ones.
    private static let lookAlikes = [
        "TEPEM HA XOAME", "MOPCKOE OKHO", "HOHHAR 3BE3AA", "CEBEPHOE TEHEHNE", "TOPOA KOTOPOTO HET", "CTAPAR CKA3KA",
        "BETEP B OKHE",
    ]

    @Test("Look-alikes of Cyrillic letters are dropped, and their lines keep their place")
    func cyrillic() {
        let read = lines(Self.lookAlikes)
        let found = UnknownLetters.withoutLookAlikes(read)
        #expect(found.letters == .cyrillic)
        #expect(found.lines.map(\.text) == read.map { _ in "" })
        #expect(found.lines.map(\.quad) == read.map(\.quad))
    }

    @Test("A title in Latin letters among them is read, where the score and its letters are sure")
    func mixed() {
        let latin = lines(["FIELD GUIDE TO RIVERS"])
        #expect(UnknownLetters.withoutLookAlikes(lines(Self.lookAlikes) + latin).lines.last?.text == latin[0].text)
        let unsure = lines(["FIELD GUIDE TO RIVERS"], score: 0.8)
        #expect(UnknownLetters.withoutLookAlikes(lines(Self.lookAlikes) + unsure).lines.last?.text == "")
    }

    @Test(
        "Letters that the recognisers know stay as they are",
        arguments: [
            [
                "The Orchard at Dusk", "Winter Light", "A Field Guide to Rivers", "Bees in the Orchard",
                "Harbour of Glass",
            ],
            ["THE TOMB", "MAMA", "TO THE MOON"], ["ノルウェイの海", "山と川の物語", "夜の図書館", "星を見る人", "古い家"], [],
        ])
    func known(texts: [String]) {
        let read = lines(texts, heights: 5)
        let found = UnknownLetters.withoutLookAlikes(read)
        #expect(found.letters == nil && found.lines == read)
    }

    @Test("Long lines of which a few letters are left are of unknown letters, and short ones are dropped")
    func other() {
        let read = lines(["A O", "i", "", "H", "o l", "Winter light"], heights: 12) + lines([""], heights: 1)
        let found = UnknownLetters.withoutLookAlikes(read)
        #expect(found.letters == .other)
        #expect(found.lines.map(\.text) == ["", "", "", "", "", "Winter light"])
    }

    @Test("A few such lines on a shelf say nothing")
    func few() {
        let texts = ["A O", "i", "Winter Light", "The Orchard at Dusk", "Bees in the Orchard", "Harbour of Glass"]
        let found = UnknownLetters.withoutLookAlikes(lines(texts))
        #expect(found.letters == nil && found.lines.count == texts.count)
    }
}
