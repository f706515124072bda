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
}
