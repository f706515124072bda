import Bibliography
import Testing

@Suite("Text normalisation")
struct TextNormalisationTests {
    @Test(
        "Arabic and Persian spellings of one letter fold alike",
        arguments: [("كتابي", "کتابی"), ("مكتبة", "مکتبه"), ("علىّ", "علی"), ("كـــتاب", "کتاب")])
    func arabic(_ arabic: String, _ persian: String) {
        #expect(TextNormalisation.fold(arabic) == TextNormalisation.fold(persian))
    }

    @Test(
        "Text is folded to letters, digits and single spaces",
        arguments: [
            ("", ""),
            ("   ", ""),
            ("The Stand", "the stand"),
            ("  Nineteen   Eighty-Four. ", "nineteen eighty four"),
            ("Pride & Prejudice", "pride and prejudice"),
            ("AT&T", "at and t"),
            ("Straße", "strasse"),
            ("Œuvres complètes", "oeuvres completes"),
            ("Jørgen Ægir Þór Łódź Đặng", "jorgen aegir thor lodz dang"),
            ("L’étranger", "l etranger"),
            ("Don't", "don t"),
            ("La col·lecció", "la colleccio"),
            ("Mª José 2º", "ma jose 2o"),
            ("ﬁction", "fiction"),
            ("½ way", "1 2 way"),
            ("１９８４", "1984"),
            ("١٩٨٤", "1984"),
            ("Ⅳ", "iv"),
            ("Ἀθῆναι ὈΔΥΣΣΕΎΣ", "αθηναι οδυσσευσ"),
            ("Война и мир. Ёж Й", "воина и мир еж и"),
            ("İstanbul IĞDIR ışık", "istanbul igdir isik"),
            ("村上春樹 1Q84", "村 上 春 樹 1q84"),
            ("ノルウェイ", "ノ ル ウ ェ イ"),
            ("دموع القاتل", "دموع القاتل"),
            ("शिव", "शिव"),
            ("soft\u{AD}hyphen zero\u{200D}width", "softhyphen zerowidth"),
            ("𝔅𝔞𝔟𝔢𝔩", "babel"),
            ("🎉 Party", "party"),
            ("a\u{0}b", "a b"),
        ])
    func folds(_ text: String, to folded: String) {
        #expect(TextNormalisation.fold(text) == folded)
        #expect(TextNormalisation.fold(folded) == folded, "folding is idempotent")
    }

    @Test(
        "Composed and decomposed spellings fold alike",
        arguments: [
            ("caf\u{E9}", "cafe\u{301}"), ("\u{1E69}", "s\u{307}\u{323}"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("が", "か\u{3099}"), ("\u{212B}", "A\u{30A}"),
        ])
    func equivalents(_ composed: String, _ decomposed: String) {
        #expect(TextNormalisation.fold(composed) == TextNormalisation.fold(decomposed))
    }

    @Test("Folding bytes treats invalid UTF-8 as word boundaries")
    func bytes() {
        func fold(_ bytes: [UInt8], after start: String = "") -> String {
            var output = Array(start.utf8)
            bytes.withUnsafeBufferPointer { TextNormalisation.fold($0, into: &output) }
            return String(decoding: output, as: UTF8.self)
        }
        #expect(fold(Array("Sense & Sensibility".utf8), after: "x ") == "x sense and sensibility")
        #expect(fold(Array(" Été".utf8), after: "x ") == "x ete")
        #expect(fold([0x61, 0xFF, 0x62]) == "a b")
        #expect(fold([0x61, 0xC3]) == "a")
        #expect(fold([0xED, 0xA0, 0x80, 0x62]) == "b", "a surrogate is not a character")
        #expect(fold([0xC0, 0xAF, 0xF8, 0x88]) == "")
    }

    @Test("Any bytes fold to folded text", arguments: 0..<200)
    func anyBytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer { TextNormalisation.fold($0, into: &output) }
        let text = String(validating: output, as: UTF8.self)
        #expect(text != nil)
        #expect(text.map { TextNormalisation.fold($0) } == text)
    }

    @Test(
        "Leading articles are removed unless nothing would remain",
        arguments: [
            ("the stand", "stand"), ("los de abajo", "abajo"), ("l etranger", "etranger"), ("the the", "the"),
            ("a", "a"),
            ("stand the", "stand the"), ("", ""),
        ])
    func articles(_ folded: String, _ bare: String) {
        #expect(
            TextNormalisation.withoutLeadingArticles(TextNormalisation.words(folded)).joined(separator: " ") == bare)
    }

    @Test("Text is split into words")
    func words() {
        #expect(TextNormalisation.words("R. F. Kuang: Babel") == ["r", "f", "kuang", "babel"])
        #expect(TextNormalisation.words("—") == [])
    }
}

/// SplitMix64, which generates the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
