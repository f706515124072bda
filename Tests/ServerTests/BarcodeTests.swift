import Testing

import Server

@Suite struct BarcodeTests {
    @Test("Every symbol has eleven modules, and the stop symbol thirteen", arguments: [0, 7, 42, 123, 99_999_999])
    func widths(number: Int64) {
        let bars = Barcode(number).widths
        let pairs = (String(number).count + 1) / 2
        #expect(bars.reduce(0, +) == 11 * (pairs + 2) + 13)
        #expect(bars.allSatisfy { (1...4).contains($0) })
        #expect(Array(bars.prefix(6)) == [2, 1, 1, 2, 3, 2], "it starts code set C")
    }

    @Test("The check symbol is that of the standard's example")
    func check() {
        // 105 + 1 · 12 + 2 · 34 = 185, and 185 - 103 = 82, which is 121241.
        #expect(Array(Barcode(1_234).widths.dropFirst(18).prefix(6)) == [1, 2, 1, 2, 4, 1])
    }

    @Test(
        "A text is encoded one character to a symbol, digits two to a symbol",
        arguments: [
            ("1234", "105 12 34"), ("12345", "104 17 99 23 45"), ("7", "104 23"), ("0042", "105 0 42"),
            ("B-1 ~", "104 34 13 17 0 94"),
        ])
    func text(text: String, symbols: String) throws {
        let numbers = symbols.split(separator: " ").compactMap { Int($0) }
        let bars = try #require(Barcode(text: text)).widths
        #expect(bars.reduce(0, +) == 11 * (numbers.count + 1) + 13)
        let sum = numbers.enumerated().reduce(0) { $0 + max(1, $1.offset) * $1.element }
        // Which symbol has which widths is tested by numbers of two digits, of which each is one symbol.
        let expected = (numbers + [sum % 103]).map { symbol in
            symbol < 100
                ? Array(Barcode(Int64(100 + symbol / 10) * 10 + Int64(symbol % 10)).widths.dropFirst(12).prefix(6)) : []
        }
        for (place, widths) in expected.enumerated() where !widths.isEmpty {
            #expect(Array(bars.dropFirst(6 * place).prefix(6)) == widths, "symbol \(place)")
        }
        #expect(Array(bars.prefix(6)) == (numbers[0] == 104 ? [2, 1, 1, 2, 1, 4] : [2, 1, 1, 2, 3, 2]))
    }

    @Test("What Code 128 cannot encode has no barcode", arguments: ["", "Ä1", "a\tb", "１２"])
    func unencodable(text: String) { #expect(Barcode(text: text) == nil) }
}
