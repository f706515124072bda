package import Foundation

/// Reads the `metadata_props` of an ONNX file: strings stored beside the network, such as the recogniser's character
/// list.
package enum ModelMetadata {
    /// Returns the value of `key`, or `nil` if the file does not contain it.
    ///
    /// An ONNX file is a protobuf `ModelProto`; field 14 is `metadata_props`, a list of `StringStringEntryProto` with
    /// `key` = 1 and `value` = 2 (onnx.proto).
    ///
    /// - Throws: a Foundation error if the file cannot be read.
    package static func value(of key: String, in file: URL) throws -> String? {
        let data = try Data(contentsOf: file, options: .mappedIfSafe)
        return data.withUnsafeBytes { bytes in
            var message = ProtobufReader(bytes[...])
            while let field = message.nextField() {
                guard field.number == 14, let entry = field.bytes else { continue }
                var fields: [Int: String] = [:]
                var entryReader = ProtobufReader(entry)
                while let part = entryReader.nextField() {
                    fields[part.number] = part.bytes.map { String(decoding: $0, as: UTF8.self) }
                }
                if fields[1] == key { return fields[2] }
            }
            return nil
        }
    }
}

/// Iterates over the fields of one protobuf message; stops at the end or at malformed data.
package struct ProtobufReader {
    package struct Field {
        package let number: Int
        /// Content of a length-delimited field.
        package let bytes: Slice<UnsafeRawBufferPointer>?
    }

    private var rest: Slice<UnsafeRawBufferPointer>

    package init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    package mutating func nextField() -> Field? {
        guard let tag = varint() else { return nil }
        let number = Int(truncatingIfNeeded: tag >> 3)
        switch tag & 7 {
        case 0: return varint().map { _ in Field(number: number, bytes: nil) }
        case 1: return take(8).map { _ in Field(number: number, bytes: nil) }
        case 5: return take(4).map { _ in Field(number: number, bytes: nil) }
        case 2:
            guard let length = varint(), let content = take(length) else { return nil }
            return Field(number: number, bytes: content)
        default: return nil
        }
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private mutating func take(_ count: UInt64) -> Slice<UnsafeRawBufferPointer>? {
        guard count <= UInt64(rest.count) else { return nil }
        let content = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return content
    }
}
