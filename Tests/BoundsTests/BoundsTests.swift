import Bounds
import Testing

@Suite("Conversions and ranges")
struct BoundsTests {
    @Test("A number that fits loses its fraction")
    func fits() {
        #expect([2.9, -2.9, 0.5, -0.0].map { Int(saturating: $0) } == [2, -2, 0, 0])
        #expect(UInt8(saturating: 254.99) == 254)
        #expect(Int(saturating: Float(1.5)) == 1)
        #expect(UInt8(level: Float(255.4)) == 255 && Int(pixels: 3.7) == 3)
    }

    @Test("A number that does not fit becomes the nearest, and NaN becomes 0")
    func doesNotFit() {
        #expect(Int(saturating: 1e300) == .max && Int(saturating: -Double.infinity) == .min)
        #expect(Int(saturating: 0x1p63) == .max && Int(saturating: -0x1p63) == .min)
        #expect(Int(saturating: (0x1p63).nextDown) == Int((0x1p63).nextDown))
        #expect(UInt8(saturating: -3.0) == 0 && UInt8(saturating: 256.0) == 255)
        #expect(Int32(saturating: 1e10) == .max && Int32(saturating: -1e10) == .min)
        #expect(Int(saturating: Double.nan) == 0 && UInt8(saturating: Float.nan) == 0)
    }

    @Test("A closed range is between two bounds in any order")
    func ordered() {
        #expect(ClosedRange(ordered: 1, 3) == 1...3 && ClosedRange(ordered: 3, 1) == 1...3)
        #expect(ClosedRange(ordered: 2, 2) == 2...2)
    }

    @Test("A closed range ignores a bound that is not a number")
    func notANumber() {
        #expect(ClosedRange(ordered: Double.nan, 2) == 2...2 && ClosedRange(ordered: 2, Double.nan) == 2...2)
        #expect(ClosedRange(ordered: Double.nan, .nan) == 0...0)
    }

    @Test("A range whose upper bound is lower is empty")
    func empty() {
        #expect(Range(from: 1, upTo: 4) == 1..<4)
        #expect(Range(from: 4, upTo: 1) == 4..<4)
    }
}

@Suite("Texts from outside")
struct BoundedTextTests {
    @Test("A text within its limit is unchanged, with every mark that a script needs")
    func unchanged() {
        for text in ["", "Emma", "Ngũgĩ wa Thiong’o", "Việt Nam", "e\u{301}\u{323}", "שָׁלוֹם", "क्षत्रिय", "👨‍👩‍👧‍👦"] {
            let bounded = BoundedText(text, limit: 100)
            #expect(bounded.text == text && bounded.bytes == text.utf8.count && !bounded.isCut)
        }
    }

    @Test("The limit is in bytes, and a cut leaves whole characters")
    func cut() {
        let bounded = BoundedText("日本語", limit: 7)
        #expect(bounded.text == "日本" && bounded.bytes == 9 && bounded.isCut)
        #expect(BoundedText("ae\u{301}", limit: 2).text == "a")
        #expect(BoundedText("ab", limit: 2).text == "ab")
        #expect(BoundedText("ab", limit: 0).text.isEmpty)
    }

    @Test("A character that is longer than the limit is cut between scalars")
    func longCharacter() {
        let family = "👨‍👩‍👧‍👦"
        let bounded = BoundedText(family, limit: 9)
        #expect(bounded.isCut && bounded.text.utf8.count <= 9)
        #expect(family.unicodeScalars.starts(with: bounded.text.unicodeScalars))
        #expect(!bounded.text.contains("\u{FFFD}"))
    }

    @Test("More than eight combining marks in a row are left out")
    func marks() {
        let accents = { (count: Int) in String(repeating: "\u{301}", count: count) }
        let bounded = BoundedText("e" + accents(400_000) + "f" + accents(9), limit: 100)
        #expect(bounded.text == "e" + accents(8) + "f" + accents(8))
        #expect(bounded.bytes == 34 && !bounded.isCut)
        #expect(BoundedText("e" + accents(8), limit: 100).text == "e" + accents(8))
    }
}
