import Testing
import shelflist

@Suite struct `Terminal text` {
    @Test(arguments: [
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
    func `width counts columns, not characters`(text: String, width: Int) {
        #expect(TerminalText.width(text) == width)
    }

    @Test(arguments: [
        ("Moby-Dick", 9, "Moby-Dick"),
        ("Moby-Dick", 8, "Moby-Di…"),
        ("War and Peace", 9, "War and…"),
        ("三体三部曲", 7, "三体三…"),
        ("三体三部曲", 6, "三体…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ])
    func `fitting keeps the start and says that it cut`(text: String, columns: Int, fitted: String) {
        #expect(TerminalText.fitted(text, to: columns) == fitted)
        #expect(TerminalText.width(TerminalText.fitted(text, to: columns)) <= columns)
    }

    @Test(arguments: [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("\u{1B}[2Jgone", "\u{FFFD}[2Jgone"),
        ("\u{9B}31mred", "\u{FFFD}31mred"),  // CSI as one C1 character
        ("\u{07}bell\u{7F}", "\u{FFFD}bell\u{FFFD}"),
        ("safe\u{202E}fdp.exe", "safefdp.exe"),  // right-to-left override
        ("\u{2066}a\u{2069}", "a"),
        ("क्\u{200D}ष", "क्\u{200D}ष"),  // joiners belong to the script
    ])
    func `nothing that steers a terminal passes`(text: String, safe: String) {
        #expect(TerminalText.safe(text) == safe)
    }

    @Test func `wrapping breaks at spaces and cuts only what has none`() {
        #expect(TerminalText.wrapped("hold the camera level", to: 10) == ["hold the", "camera", "level"])
        #expect(TerminalText.wrapped("donaudampfschiff ahoi", to: 8) == ["donauda…", "ahoi"])
        #expect(TerminalText.wrapped("as it is", to: nil) == ["as it is"])
    }
}
