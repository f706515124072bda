import Bounds

/// Splits an array of JSON into the bytes of its items, which are not checked.
struct JSONArrayItems: IteratorProtocol {
    private enum State { case beforeArray, beforeItem, afterArray, invalid }

    private let text: [UInt8]
    private var state = State.beforeArray
    private var index = 0

    init(_ text: [UInt8]) { self.text = text }

    /// Whether the array has ended, and nothing follows it.
    var isComplete: Bool { state == .afterArray }
    /// Whether the text ended within the array.
    var isCut: Bool { state == .beforeItem }

    /// Returns the next item that has ended; nil if there is none.
    mutating func next() -> ArraySlice<UInt8>? {
        if state == .beforeArray {
            // A byte order mark.
            if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
            skipBlanks()
            state = index < text.count && text[index] == UInt8(ascii: "[") ? .beforeItem : .invalid
            index += 1
        }
        guard isCut else { return nil }
        let start = index
        guard let end = endOfItem() else { return nil }
        let isLast = text[end] == UInt8(ascii: "]")
        let item = text[start..<end]
        let isBlank = item.allSatisfy(\.isBlank)
        index = end + 1
        // A comma after the last item is accepted, as Foundation does.
        if isBlank, !isLast {
            state = .invalid
            return nil
        }
        if isLast {
            skipBlanks()
            state = index == text.count ? .afterArray : .invalid
        }
        return isBlank ? nil : item
    }

    private mutating func skipBlanks() {
        while index < text.count, text[index].isBlank { index += 1 }
    }

    /// Returns the position of the comma after the item that begins here, or of the array's end; nil if the text ends
    /// before.
    private func endOfItem() -> Int? {
        var (depth, isInText, isEscaped) = (0, false, false)
        for position in Range(from: index, upTo: text.count) {
            let byte = text[position]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]") where depth == 0: return position
            case UInt8(ascii: ","): if depth == 0 { return position }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
