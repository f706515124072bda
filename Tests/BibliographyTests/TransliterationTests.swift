import Bibliography
import Testing

@Suite struct TransliterationTests {
    @Test(
        "Cyrillic words are written as libraries do, without marks",
        arguments: [
            ("толстои", "tolstoi"), ("чехов", "chekhov"), ("щедрин", "shchedrin"), ("юлия", "iuliia"),
            ("объезд", "obezd"),
            ("шевченко", "shevchenko"), ("київ", "kiiv"), ("њујорк", "njujork"), ("winter", "winter"), ("2", "2"),
            ("", ""),
        ])
    func latin(word: String, expected: String) { #expect(Transliteration.latin(word) == expected) }
}
