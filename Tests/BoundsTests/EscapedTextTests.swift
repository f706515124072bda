import Bounds
import Testing

/// Each special character of each format, between marks that make it a part of a longer character, is read back by a reader that
/// shares no code with what escaped it.
///
/// `Scripts/check_exports.sh` does the same through the program, with the readers of other projects.
@Suite("Escaped texts")
struct EscapedTextTests {
    struct Format: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let specials: String
        let escape: @Sendable (String) -> String
        /// Returns nil for what a program would not read as one text.
        let read: @Sendable (String) -> String?
    }

    /// Two that join what follows, one of them a letter, and three that join what is before.
    private static let marks = ["", "\u{600}", "\u{D4E}", "\u{301}", "\u{200D}", "\u{FE0F}"]

    private static let formats = [
        Format(testDescription: "HTML", specials: "&<>\"'", escape: EscapedText.html, read: TextReaders.html),
        Format(testDescription: "XML", specials: "&<>", escape: EscapedText.xml, read: TextReaders.xml),
        Format(testDescription: "CSV", specials: ",\"\n\r ", escape: EscapedText.csv, read: TextReaders.csv),
        Format(testDescription: "TeX", specials: "\\{}~^$&#_%", escape: EscapedText.tex, read: TextReaders.tex),
        Format(
            testDescription: "Prometheus", specials: "\\\"\n", escape: EscapedText.prometheus,
            read: TextReaders.prometheus),
        Format(testDescription: "SQL", specials: "\"", escape: EscapedText.sqlName, read: TextReaders.sqlName),
        Format(
            testDescription: "lists", specials: "\\;", escape: { EscapedText.list([$0, $0]) }, read: TextReaders.list),
    ]

    /// The texts of a special character between marks, alone and in a word.
    private static func texts(_ special: Unicode.Scalar) -> [String] {
        marks.flatMap { before in
            marks.flatMap { after in
                let text = "\(before)\(special)\(after)"
                return [text, "a\(text)b", text + text]
            }
        }
    }

    @Test("A special character is read back, whatever marks are beside it", arguments: formats)
    func readsBack(format: Format) {
        for special in format.specials.unicodeScalars {
            for text in Self.texts(special) {
                let read = format.read(format.escape(text))
                #expect(read.map { Array($0.utf8) } == Array(text.utf8), "\(text.debugDescription)")
            }
        }
    }

    @Test("Text without special characters stays as it is", arguments: formats)
    func keeps(format: Format) {
        for text in ["Emma", "戦争と平和", "e\u{301}", "👨‍👩‍👧‍👦", "الأيام \u{600}12"] {
            #expect(format.read(format.escape(text)) == text)
        }
        #expect([EscapedText.html, EscapedText.csv, EscapedText.tex].allSatisfy { $0("L’été 2") == "L’été 2" })
    }

    @Test("A cell of a spreadsheet that would be a formula is guarded, whatever marks are beside what divides cells")
    func guardsFormulas() {
        for divider in ";\t\n\r\u{2028}\u{2029}\u{85}".unicodeScalars {
            for text in Self.texts(divider) {
                for formula in ["=1", "+1", "-1", "@SUM(A1)", "＝1", " \"=1"] {
                    let field = "x" + text + formula
                    let guarded = EscapedText.guardingFormulas(field)
                    #expect(TextReaders.cells(guarded).allSatisfy { !$0.isFormula }, "\(field.debugDescription)")
                    #expect(Array(EscapedText.withoutGuards(guarded).utf8) == Array(field.utf8))
                }
            }
        }
    }

    @Test("XML has no characters that it does not allow")
    func xml() { #expect(EscapedText.xml("a\u{0}\u{1B}b\u{FFFE}\u{FFFF}\n") == "ab\n") }

    @Test("A value of RIS is one line, and only CR and LF end lines")
    func ris() {
        #expect(EscapedText.ris("a\r\nb\rc\n\nd") == "a b c  d")
        let text = "a\u{2028}b\u{85}c\u{2029}d\u{B}e\u{C}f"
        #expect(EscapedText.ris(text) == text)
        for end in ["\n", "\r", "\r\n"] {
            let lines = EscapedText.lines(ofRIS: "a\(end)\u{301}b\(end)\(end)c".utf8).map { String(Substring($0)) }
            #expect(lines == ["a", "\u{301}b", "", "c"])
        }
        #expect(EscapedText.lines(ofRIS: "".utf8).count == 1)
    }

    @Test("A key is replaced wherever it is, whatever marks are beside it")
    func redacts() {
        for before in Self.marks {
            for after in Self.marks {
                let shown = EscapedText.redacted("s3cret", in: "key=\(before)s3cret\(after)s3cret")
                #expect(Array(shown.utf8) == Array("key=\(before)•••\(after)•••".utf8))
            }
        }
        #expect(EscapedText.redacted("", in: "abc") == "abc")
    }

    @Test("A scalar is replaced, and divides texts, whatever marks are beside it")
    func scalars() {
        for text in Self.texts(",") {
            #expect(!text.replacing(scalar: ",", with: " ").utf8.contains(UInt8(ascii: ",")))
            #expect(text.parts(betweenScalars: { $0 == "," }).allSatisfy { !$0.utf8.contains(UInt8(ascii: ",")) })
        }
        #expect(
            "a,b".replacing(scalar: ",", with: "") == "ab" && "a,,b".parts(betweenScalars: { $0 == "," }) == ["a", "b"])
    }
}

@Suite("Texts in one line")
struct OneLineTests {
    @Test("A line has no line breaks, control or format characters")
    func line() {
        #expect(BoundedText.line("a\nb\tc\u{2028}d\u{2029}e\u{85}f") == "a b c d e f")
        #expect(BoundedText.line("a\r\n\u{1B}[31mb\u{9B}c\u{202E}d\u{200D}e\u{E000}f") == "a [31mbcdef")
        for scalar in (UInt32(0)...0x10_FFFF).lazy.compactMap(Unicode.Scalar.init) where scalar.isPrependedMark {
            #expect(BoundedText.line("a\(scalar)<").unicodeScalars.elementsEqual("a<".unicodeScalars))
        }
    }

    @Test("The marks before numbers are those of Unicode")
    func prependedMarks() {
        let marks = (UInt32(0)...0x10_FFFF).compactMap(Unicode.Scalar.init).filter(\.isPrependedMark).map(\.value)
        #expect(
            marks == [
                0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD,
            ])
        #expect(marks.compactMap(Unicode.Scalar.init).allSatisfy { "\($0)<".count == 1 })
    }
}
