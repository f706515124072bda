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
        #expect(UnknownLetters.found(in: read) == .cyrillic)
        let kept = UnknownLetters.cyrillic.withoutLookAlikes(read)
        #expect(kept.map(\.text) == read.map { _ in "" })
        #expect(kept.map(\.quad) == read.map(\.quad))
    }

    @Test("A title in Latin letters among them is read, where the score and its letters are sure")
    func mixed() {
        let latin = lines(["FIELD GUIDE TO RIVERS"])
        func last(_ read: [TextLine]) -> String? {
            let read = lines(Self.lookAlikes) + read
            return UnknownLetters.found(in: read)?.withoutLookAlikes(read).last?.text
        }
        #expect(last(latin) == latin[0].text)
        #expect(last(lines(["FIELD GUIDE TO RIVERS"], score: 0.8))?.isEmpty == true)
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
        #expect(UnknownLetters.found(in: lines(texts, heights: 5)) == nil)
    }

    @Test("Long lines of which a few letters are left are of unknown letters, and short ones are dropped")
    func other() {
        let read = lines(["A O", "i", "", "H", "o l", "Winter light"], heights: 12) + lines([""], heights: 1)
        #expect(UnknownLetters.found(in: read) == .other)
        #expect(UnknownLetters.other.withoutLookAlikes(read).map(\.text) == ["", "", "", "", "", "Winter light"])
    }

    @Test("A few such lines on a shelf say nothing")
    func few() {
        let texts = ["A O", "i", "Winter Light", "The Orchard at Dusk", "Bees in the Orchard", "Harbour of Glass"]
        #expect(UnknownLetters.found(in: lines(texts)) == nil)
    }

    /// What a Latin recogniser makes of Thai and Hebrew titles.
    @Test("Long lines of which most score low are of unknown letters", arguments: [(0.8, true), (0.85, false)])
    func scores(score: Double, areUnknown: Bool) {
        let texts = ["NNLS SUBUY UUAU", "ASY5W7 MLUAEUALR", "LONLC AALO ALL", "LURCCIU ULQ", "QIQ XUL CTQ 4CL"]
        #expect(UnknownLetters.found(in: lines(texts, score: score)) == (areUnknown ? .other : nil))
    }
}
