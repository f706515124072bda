/// The code of a shelf, as its label shows it: `SL-` and five characters, of which the last checks the others.
///
/// The alphabet has no two characters that are easily confused in print (O and 0, I and 1, S and 5, B and 8, Z and 2, G and
/// 6). With the values 0...18 of the characters, the sum of value times position (1...5) is divisible by 19. Because 19 is a
/// prime, every single wrong character and every exchange of two neighbours is detected.
package struct PlaceCode: Hashable, Sendable, CustomStringConvertible {
    private static let alphabet = Array("ACDEFHJKNPRTVXY3479")
    private static let prefix = "SL"
    private static let dashes: Set<Character> = ["-", "–", "—", "−", " "]
    /// The number of codes: 19⁴.
    package static let count = 130_321

    /// As it is printed: `SL-9C4JV`.
    package let description: String

    /// Reads a code as people type it: in any case, with any dash or none.
    ///
    /// - Returns: nil if the text is not a code, or a character of it is wrong.
    package init?(_ text: some StringProtocol) {
        let text = text.uppercased().filter { !$0.isNewline }
        guard text.hasPrefix(Self.prefix) else { return nil }
        var rest = text.dropFirst(Self.prefix.count)
        if let first = rest.first, Self.dashes.contains(first) { rest = rest.dropFirst() }
        let values = rest.compactMap { Self.alphabet.firstIndex(of: $0) }
        guard values.count == 5, rest.count == 5, Self.weightedSum(values).isMultiple(of: 19) else { return nil }
        description = "\(Self.prefix)-\(String(rest))"
    }

    /// - Parameter number: 0..<`count`; each has a code of its own. Other numbers are counted on from there.
    package init(number: Int) {
        var (values, rest) = ([Int](), number)
        for _ in 0..<4 {
            values.append(((rest % 19) + 19) % 19)
            rest /= 19
        }
        // The fifth value v makes the sum s + 5v divisible by 19; 4 is the inverse of 5, because 4 · 5 = 19 + 1.
        values.append((19 - Self.weightedSum(values) % 19) * 4 % 19)
        description = "\(Self.prefix)-\(String(values.map { Self.alphabet[$0] }))"
    }

    private static func weightedSum(_ values: [Int]) -> Int {
        values.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
    }
}
