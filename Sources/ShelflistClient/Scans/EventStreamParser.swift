package import Foundation

/// Splits a stream of server-sent events into the data of each.
package struct EventStreamParser: Sendable {
    private var line = Data()
    private var data = Data()

    package init() {}

    package mutating func append(_ piece: Data) -> [Data] {
        var messages: [Data] = []
        for byte in piece {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty {
                if !data.isEmpty { messages.append(data) }
                data = Data()
            } else if line.starts(with: Self.field) {
                let value = line.dropFirst(Self.field.count)
                data += value.first == UInt8(ascii: " ") ? value.dropFirst() : value
            }
            line = Data()
        }
        return messages
    }

    private static let field = Data("data:".utf8)
}
