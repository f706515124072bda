import Bibliography
import Testing

@Suite("Titles")
struct TitleTests {
    @Test(
        "A title is split into its parts",
        arguments: [
            ("Dune", "Dune", nil as String?, nil as String?, nil as Int?),
            ("Babel: An Arcane History", "Babel", "An Arcane History", nil, nil),
            (
                "Bulos científicos : de la tierra plana al coronavirus ", "Bulos científicos",
                "de la tierra plana al coronavirus", nil, nil
            ),
            ("Viure : jo també : més", "Viure", "jo també : més", nil, nil),
            ("Twilight (Twilight, #1)", "Twilight", nil, "Twilight", 1),
            ("Title (Series Book 3)", "Title", nil, "Series", 3),
            ("Organic Chemistry (2nd ed.)", "Organic Chemistry", nil, nil, nil),
            ("Capital, vol. 2", "Capital", nil, nil, 2),
            ("Historia de España. Tomo 4", "Historia de España", nil, nil, 4),
            ("Emma / Jane Austen", "Emma", nil, nil, nil),
            ("1984", "1984", nil, nil, nil),
            ("Catch-22", "Catch-22", nil, nil, nil),
            ("3:10 to Yuma", "3:10 to Yuma", nil, nil, nil),
            ("Wonder (a novel)", "Wonder (a novel)", nil, nil, nil),
            (": odd", ": odd", nil, nil, nil),
            ("", "", nil, nil, nil),
        ])
    func reads(_ text: String, main: String, subtitle: String?, series: String?, volume: Int?) {
        let title = Title(text)
        #expect(title.main == main)
        #expect(title.subtitle == subtitle)
        #expect(title.series == series)
        #expect(title.volume == volume)
    }

    @Test("A title sorts without its article")
    func sortKey() {
        #expect(Title("The Stand: the complete edition").sortKey == "stand")
        #expect(Title("L'Étranger").sortKey == "etranger")
    }

    @Test(
        "Volume numbers are split off series",
        arguments: [
            ("¡Vaya timo!   14", "¡Vaya timo!", 14 as Int?), ("Harry Potter, #1", "Harry Potter", 1),
            ("Discworld", "Discworld", nil),
        ])
    func series(_ text: String, _ name: String, _ number: Int?) {
        let (gotName, gotNumber) = Title.numbered(text)
        #expect(gotName == name)
        #expect(gotNumber == number)
    }
}
