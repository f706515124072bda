import Terminal
import Testing
import shelflist

@Suite("Terminal table") struct TerminalTableTests {
    private let table = TerminalTable(
        columns: [
            .init("#", isRightAligned: true),
            .init("title", atLeast: 10),
            .init("author", atLeast: 8, dropped: 1),
            .init("sure"),
            .init("place", dropped: 2),
        ],
        rows: [
            [
                .init("9"), .init("The Hitchhiker's Guide to the Galaxy"), .init("Douglas Adams"), .init("97 %"),
                .init("→ 10 %"),
            ],
            [.init("10"), .init("三体"), .init("刘慈欣"), .init("61 %"), .init("→ 25 %")],
        ])

    @Test("A table without a width is not truncated")
    func unlimited() {
        #expect(
            table.lines(width: nil, colors: false) == [
                " #  title                                 author         sure  place",
                " 9  The Hitchhiker's Guide to the Galaxy  Douglas Adams  97 %  → 10 %",
                "10  三体                                  刘慈欣         61 %  → 25 %",
            ])
    }

    @Test("The widest column is truncated first")
    func widestColumn() {
        #expect(
            table.lines(width: 50, colors: false) == [
                " #  title              author         sure  place",
                " 9  The Hitchhiker's…  Douglas Adams  97 %  → 10 %",
                "10  三体               刘慈欣         61 %  → 25 %",
            ])
    }

    @Test("Columns that do not fit are omitted")
    func omitsColumns() {
        #expect(
            table.lines(width: 32, colors: false) == [
                " #  title       author      sure",
                " 9  The Hitch…  Douglas A…  97 %",
                "10  三体        刘慈欣      61 %",
            ])
        #expect(table.lines(width: 22, colors: false)[1] == " 9  The Hitchhi…  97 %")
    }

    @Test("No line is wider than the terminal", arguments: 1...90)
    func lineWidth(width: Int) {
        for line in table.lines(width: width, colors: false) {
            // Two gaps and a column of each of what can never be left out need seven columns.
            #expect(TerminalText.width(line) <= max(width, 7))
        }
    }

    @Test("Colors take no width")
    func colors() {
        let plain = TerminalTable(columns: [.init("a"), .init("b")], rows: [[.init("x", .green), .init("y")]])
        #expect(
            plain.lines(width: 4, colors: true) == [
                "\u{1B}[2ma\u{1B}[0m  \u{1B}[2mb\u{1B}[0m", "\u{1B}[32mx\u{1B}[0m  y",
            ])
    }

    @Test("Control characters in a cell are not printed")
    func cellControls() {
        let table = TerminalTable(columns: [.init("a")], rows: [[.init("\u{1B}[31mred")]])
        #expect(table.lines(width: nil, colors: false) == ["a", "\u{FFFD}[31mred"])
    }
}

@Suite("Progress bar") struct ProgressBarTests {
    @Test(
        "The progress bar shows eighths of a cell",
        arguments: [
            (0, "Read 0 of 4 ▕                    ▏ a.jpg: opening"),
            (0.5, "Read 0 of 4 ▕██████████          ▏ a.jpg: opening"),
            (0.51, "Read 0 of 4 ▕██████████▎         ▏ a.jpg: opening"),
            (1, "Read 0 of 4 ▕████████████████████▏ a.jpg: opening"),
            (7, "Read 0 of 4 ▕████████████████████▏ a.jpg: opening"),
        ] as [(Double, String)])
    func eighths(fraction: Double, text: String) {
        #expect(ProgressBar(fraction: fraction, label: "Read 0 of 4", note: "a.jpg: opening").text(width: 80) == text)
    }

    @Test("The progress bar leaves the last column free", arguments: [10, 30, 40, 60])
    func lastColumn(width: Int) {
        let bar = ProgressBar(fraction: 0.3, label: "Read 0 of 4", note: "三体三体三体.jpg: opening")
        #expect(TerminalText.width(bar.text(width: width)) < width)
    }
}
