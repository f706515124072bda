import Terminal
import Testing
import shelflist

@Suite("Terminal text") struct TerminalTextTests {
    @Test(
        "Width counts columns, not characters",
        arguments: [
            ("Babel", 5),
            ("", 0),
            ("Les Misérables", 14),
            ("Les Mise\u{301}rables", 14),  // é as two scalars
            ("三体", 4),
            ("해리 포터", 9),
            ("ＡＢ", 4),  // full width
            ("ｱｲｳ", 3),  // half width
            ("📚", 2),
            ("👩‍🚀", 2),
            ("a\u{200B}", 1),
        ])
    func width(text: String, width: Int) {
        #expect(TerminalText.width(text) == width)
    }

    @Test(
        "Fitting keeps the start and marks the truncation",
        arguments: [
            ("Moby-Dick", 9, "Moby-Dick"),
            ("Moby-Dick", 8, "Moby-Di…"),
            ("War and Peace", 9, "War and…"),
            ("三体三部曲", 7, "三体三…"),
            ("三体三部曲", 6, "三体…"),
            ("abc", 1, "…"),
            ("abc", 0, ""),
        ])
    func fitting(text: String, columns: Int, fitted: String) {
        #expect(TerminalText.fitted(text, to: columns) == fitted)
        #expect(TerminalText.width(TerminalText.fitted(text, to: columns)) <= columns)
    }

    @Test(
        "Control characters are removed",
        arguments: [
            ("plain", "plain"),
            ("two\nlines\tand a tab", "two lines and a tab"),
            ("\u{1B}[2Jgone", "\u{FFFD}[2Jgone"),
            ("\u{9B}31mred", "\u{FFFD}31mred"),  // CSI as one C1 character
            ("\u{07}bell\u{7F}", "\u{FFFD}bell\u{FFFD}"),
            ("safe\u{202E}fdp.exe", "safefdp.exe"),  // right-to-left override
            ("\u{2066}a\u{2069}", "a"),
            ("क्\u{200D}ष", "क्\u{200D}ष"),  // joiners belong to the script
        ])
    func controls(text: String, safe: String) {
        #expect(TerminalText.safe(text) == safe)
    }

    @Test("Wrapping breaks at spaces and splits only longer words")
    func wrapping() {
        #expect(TerminalText.wrapped("hold the camera level", to: 10) == ["hold the", "camera", "level"])
        #expect(TerminalText.wrapped("donaudampfschiff ahoi", to: 8) == ["donauda…", "ahoi"])
        #expect(TerminalText.wrapped("as it is", to: nil) == ["as it is"])
    }
}
