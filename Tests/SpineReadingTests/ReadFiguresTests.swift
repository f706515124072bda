import SpineReading
import Testing

@Suite struct ReadFiguresTests {
    @Test(
        "A capital O after a figure is a zero, unless a letter follows",
        arguments: [
            ("5O WALKS", "50 WALKS"), ("1OO", "100"), ("THE 1OO DAYS", "THE 100 DAYS"), ("2O5", "205"),
            ("19O0", "1900"),
            ("5OTH", "5OTH"), ("O2", "O2"), ("H2O", "H2O"), ("B12O", "B12O"), ("MOON", "MOON"), ("4o", "4o"), ("", ""),
        ])
    func figures(read: String, text: String) { #expect(ReadFigures.corrected(read) == text) }
}
