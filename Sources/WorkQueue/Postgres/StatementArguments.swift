/// Parameters in the form in which libpq takes them, valid while a closure runs: photos are not copied for it.
struct StatementArguments {
    private(set) var values: [UnsafePointer<CChar>?] = []
    private(set) var lengths: [Int32] = []
    private(set) var isBinary: [Int32] = []

    static func with<Value>(_ parameters: [PostgresValue], _ body: (StatementArguments) -> Value) -> Value {
        StatementArguments().adding(parameters[...], body)
    }

    private func adding<Value>(
        _ parameters: ArraySlice<PostgresValue>, _ body: (StatementArguments) -> Value
    ) -> Value {
        guard let parameter = parameters.first else { return body(self) }
        let rest = parameters.dropFirst()
        switch parameter {
        case .null: return appending(nil, count: 0, isBinary: 0).adding(rest, body)
        case .text(let text):
            // Its end is a zero, so libpq needs no count.
            return text.withCString { appending($0, count: 0, isBinary: 0).adding(rest, body) }
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { buffer in
                // No bytes are not NULL, whose address is nil.
                "".withCString { empty in
                    let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
                    return appending(start, count: Int32(buffer.count), isBinary: 1).adding(rest, body)
                }
            }
        }
    }

    private func appending(_ value: UnsafePointer<CChar>?, count: Int32, isBinary: Int32) -> StatementArguments {
        var arguments = self
        arguments.values.append(value)
        arguments.lengths.append(count)
        arguments.isBinary.append(isBinary)
        return arguments
    }
}
