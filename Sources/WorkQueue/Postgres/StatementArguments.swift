/// Parameters in the form in which libpq takes them.
final class StatementArguments {
    private let buffers: [UnsafeMutableRawBufferPointer?]
    let values: [UnsafePointer<CChar>?]
    let lengths: [Int32]
    let isBinary: [Int32]

    init(_ parameters: [PostgresValue]) {
        buffers = parameters.map { parameter in
            switch parameter {
            case .null: nil
            case .text(let text): Self.copy(Array(text.utf8) + [0])
            case .bytes(let bytes): Self.copy(bytes)
            }
        }
        values = buffers.map { $0.map { UnsafePointer($0.baseAddress?.assumingMemoryBound(to: CChar.self)) } ?? nil }
        lengths = buffers.map { Int32($0?.count ?? 0) }
        isBinary = parameters.map { if case .bytes = $0 { 1 } else { 0 } }
    }

    deinit {
        for buffer in buffers { buffer?.deallocate() }
    }

    /// One byte more, so that an empty value is not NULL.
    private static func copy(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count + 1, alignment: 1)
        buffer.copyBytes(from: bytes)
        return UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count])
    }
}
