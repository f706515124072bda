import Library
import Testing

@Suite struct BoardOrderTests {
    /// Returns the copies out of order, each as the one it stands after, itself and the one it belongs after.
    private func strays(_ board: String) -> [String] {
        let copies = board.split(separator: " ").map(String.init)
        func name(_ place: Int?) -> String { place.map { copies[$0] } ?? "^" }
        return BoardOrder.strays(copies.map { $0 == "?" ? nil : $0 }).map {
            "\(name($0.standsAfter)) \(name($0.place)) \(name($0.belongsAfter))"
        }
    }

    @Test(
        "The fewest copies are out of order",
        arguments: [
            ("", []), ("a", []), ("a b c", []), ("a a b b", []),
            // Two neighbours that were exchanged.
            ("b a c d", ["^ b a"]), ("a c b d", ["a c b"]), ("a b d c", ["b d c"]),
            // One copy far from its place, in both directions.
            ("b c d e a", ["e a ^"]), ("e a b c d", ["^ e d"]), ("a z b c d", ["a z d"]),
            // Copies without a value to sort by do not count.
            ("a ? c b ? d", ["? c b"]), ("? ?", []),
            // A block of two is moved, not the three after it.
            ("d e a b c", ["^ d c", "d e c"]),
        ])
    func fewest(board: String, expected: [String]) {
        #expect(strays(board) == expected)
    }

    @Test("What is in order is the longest possible, compared with all subsequences")
    func longest() {
        for seed in 0..<400 {
            let keys = (0..<8).map { (seed * 7_919 + $0 * $0 * 104_729 + $0 * seed) % 9 }
            let longest =
                (0..<256).map { mask in
                    let chosen = keys.indices.filter { mask >> $0 & 1 == 1 }.map { keys[$0] }
                    return zip(chosen, chosen.dropFirst()).allSatisfy(<=) ? chosen.count : 0
                }.max() ?? 0
            #expect(BoardOrder.strays(keys).count == keys.count - longest, "\(keys)")
        }
    }
}
