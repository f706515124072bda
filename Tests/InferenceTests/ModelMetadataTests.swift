import Foundation
import Inference
import Testing

@Suite("Model metadata")
struct ModelMetadataTests {
    @Test("The recognizer's character list has 18,708 entries of one character each")
    func characters() throws {
        let list = try #require(try ModelMetadata.value(of: "character", in: file("recognition.onnx")))
        var characters = list.split(separator: "\n", omittingEmptySubsequences: false)
        if characters.last == "" { characters.removeLast() }
        #expect(characters.count == 18_708)
        #expect(characters.allSatisfy { !$0.isEmpty })
        for letter in ["A", "z", "0", "é", "ß", "ñ", "Ω", "本"] { #expect(characters.contains { $0 == letter }) }
    }

    @Test("A key that the model does not have has no value")
    func absent() throws {
        #expect(try ModelMetadata.value(of: "no such key", in: file("recognition.onnx")) == nil)
    }

    @Test("Values are found anywhere in the message")
    func values() throws {
        try withTemporaryFile(ModelMetadataTests.message) { (copy: URL) throws in
            #expect(try ModelMetadata.value(of: "character", in: copy) == "a\nb")
            #expect(try ModelMetadata.value(of: "shape", in: copy) == "48")
            #expect(try ModelMetadata.value(of: "a\nb", in: copy) == nil)
        }
    }

    @Test("A missing file is an error")
    func missing() {
        #expect(throws: (any Error).self) {
            try ModelMetadata.value(of: "character", in: URL(filePath: "/nowhere/recognition.onnx"))
        }
    }

    /// One field of each kind, as ONNX writes them: version (varint), a fixed64, a fixed32, two metadata entries.
    private static let message =
        Data([0x08, 0x96, 0x01]) + Data([0x11, 1, 2, 3, 4, 5, 6, 7, 8]) + Data([0x1D, 9, 9, 9, 9])
        + field(14, field(1, "shape") + field(2, "48")) + field(7, "graph")
        + field(14, field(2, "a\nb") + field(1, "character"))

    @Test("Fields are visited in their order")
    func fields() {
        #expect(walk(Array(ModelMetadataTests.message)) == [1, 2, 3, 14, 7, 14])
    }

    @Test("A truncated message gives its whole fields")
    func truncated() {
        let whole = Array(ModelMetadataTests.message)
        let ends = [3, 12, 17, 17 + 13, 17 + 13 + 7, whole.count]
        for length in 0...whole.count {
            let complete = ends.prefix { $0 <= length }.count
            #expect(
                walk(Array(whole.prefix(length))) == Array([1, 2, 3, 14, 7, 14].prefix(complete)), "cut at \(length)")
        }
    }

    @Test("A truncated file gives the value only if it is complete")
    func truncatedFile() throws {
        for length in 0..<ModelMetadataTests.message.count {
            try withTemporaryFile(ModelMetadataTests.message.prefix(length)) { (copy: URL) throws in
                #expect(try ModelMetadata.value(of: "character", in: copy) == nil)
            }
        }
    }

    @Test("A message with any byte changed is read to an end")
    func changed() {
        let whole = Array(ModelMetadataTests.message)
        for place in whole.indices {
            for value in UInt8.min...UInt8.max {
                var bytes = whole
                bytes[place] = value
                #expect(walk(bytes).count <= whole.count)
            }
        }
    }

    @Test(
        "Bytes that are not a message end the reading",
        arguments: [
            [UInt8](repeating: 0x80, count: 30),  // a number without an end
            [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [0x01],  // a length of 2^64 - 1
            [0x0A, 0x05, 1, 2],  // a length beyond the end
            [0x0B], [0x0C], [0x0E], [0x0F],  // wire types that are groups, or none
        ])
    func noMessage(_ bytes: [UInt8]) {
        #expect(walk(bytes).isEmpty)
    }

    /// The numbers of the fields.
    private func walk(_ bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { buffer in
            var reader = ProtobufReader(buffer[...])
            var numbers: [Int] = []
            while let field = reader.nextField() { numbers.append(field.number) }
            return numbers
        }
    }

    private static func field(_ number: UInt8, _ text: String) -> Data { field(number, Data(text.utf8)) }

    /// A length-delimited field of fewer than 128 bytes.
    private static func field(_ number: UInt8, _ content: Data) -> Data {
        Data([number << 3 | 2, UInt8(content.count)]) + content
    }
}
