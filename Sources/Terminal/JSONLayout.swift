/// Formats a JSON document for reading: values that fit are on one line, others are broken and indented.
package enum JSONLayout {
    /// - Parameter compact: a valid JSON document without white space outside of strings.
    /// - Returns: the same document. DEL and the C1 control characters, which JSON allows as they are, are escaped,
    ///   because a terminal might obey them.
    package static func indented(_ compact: String, width: Int = 110) -> String {
        var layout = Layout(bytes: Array(escapingControls(compact).utf8), width: width)
        layout.writeValue(indentation: 0, reserved: 0)
        return String(decoding: layout.output, as: UTF8.self)
    }

    private static func escapingControls(_ text: String) -> String {
        let controls: ClosedRange<Unicode.Scalar> = "\u{7F}"..."\u{9F}"
        guard text.unicodeScalars.contains(where: controls.contains) else { return text }
        return text.unicodeScalars.reduce(into: "") { escaped, scalar in
            escaped += controls.contains(scalar) ? "\\u00\(String(scalar.value, radix: 16))" : String(scalar)
        }
    }
}

private struct Layout {
    let bytes: [UInt8]
    let width: Int
    var output: [UInt8] = []
    var position = 0

    /// Copies the value at `position`.
    ///
    /// `reserved` columns of the line are already used by a key and a comma.
    mutating func writeValue(indentation: Int, reserved: Int) {
        guard position < bytes.count else { return }
        let end = endOfValue(from: position)
        let isBroken = bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "[")
        if !isBroken || end - position <= 2 || indentation + reserved + (end - position) <= width {
            writeSpaced(until: end)
            return
        }
        output.append(bytes[position])
        position += 1
        repeat {
            newLine(indentation: indentation + 2)
            var key = 0
            if bytes[position] == UInt8(ascii: "\""), bytes[endOfValue(from: position)] == UInt8(ascii: ":") {
                let start = position
                writeSpaced(until: endOfValue(from: position) + 1)
                key = position - start + 1
                output.append(UInt8(ascii: " "))
            }
            writeValue(indentation: indentation + 2, reserved: key + 1)
            if bytes[position] == UInt8(ascii: ",") { output.append(bytes[position]) }
            position += 1
        } while position < end
        newLine(indentation: indentation)
        output.append(bytes[end - 1])
    }

    /// Copies on one line, with a space after each comma and colon outside of strings.
    private mutating func writeSpaced(until end: Int) {
        while position < end {
            let start = position
            if bytes[position] == UInt8(ascii: "\"") {
                position = endOfString(from: position)
            } else {
                position += 1
            }
            output.append(contentsOf: bytes[start..<position])
            let last = bytes[position - 1]
            if position < end, last == UInt8(ascii: ",") || last == UInt8(ascii: ":") {
                output.append(UInt8(ascii: " "))
            }
        }
    }

    private mutating func newLine(indentation: Int) {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation))
    }

    /// The index after the value that starts at `start`.
    private func endOfValue(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = endOfString(from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ",") where depth == 0:
                return index
            default:
                break
            }
            index += 1
        }
        return index
    }

    private func endOfString(from quote: Int) -> Int {
        var index = quote + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}
