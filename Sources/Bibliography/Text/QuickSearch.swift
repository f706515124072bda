extension String {
    /// Whether a text may occur in this one; if not, it certainly does not.
    ///
    /// Compares bytes, and answers at once for ASCII, in which most searches end without a find: `firstRange(of:)` and
    /// `split(separator:)` compare characters, which takes many times as long.
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
}
