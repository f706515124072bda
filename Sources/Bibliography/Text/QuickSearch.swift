extension String {
    /// Returns false if a text certainly does not occur in this one.
    ///
    /// Most marks occur in few titles and names. `firstRange(of:)` and `split(separator:)` compare characters, which takes
    /// many times as long as comparing the bytes of ASCII text.
    ///
    /// - Parameter text: not empty.
    func mayContain(_ text: String) -> Bool {
        let (own, wanted) = (utf8, text.utf8)
        guard own.allSatisfy({ $0 < 0x80 }) else { return true }
        var start = own.startIndex
        while let index = own[start...].firstIndex(of: wanted[wanted.startIndex]) {
            if own[index...].starts(with: wanted) { return true }
            start = own.index(after: index)
        }
        return false
    }

    /// The same as `firstRange(of:)`.
    func quickRange(of text: String) -> Range<Index>? { mayContain(text) ? firstRange(of: text) : nil }
}
