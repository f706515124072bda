import ClientInput
import Testing

@Suite struct MultipartParserTests {
    private static let body =
        "preamble\r\n--b\r\nContent-Disposition: form-data; name=\"threshold\"\r\n\r\n0.7\r\n--b\r\n"
        + "Content-Disposition: form-data; name=\"photo\"; filename=\"a \\\"b\\\".jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
        + "\r\n--not a boundary\r\n--b\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--b--\r\nepilogue"

    private static func parts(_ body: String, pieces size: Int) throws -> [String] {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=b")
        var parts: [String] = []
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            for event in try parser.receive(bytes[start..<min(start + size, bytes.count)]) {
                switch event {
                case .part(let header): parts.append("\(header.name)/\(header.fileName ?? "-")=")
                case .body(let bytes): parts[parts.count - 1] += String(decoding: bytes, as: UTF8.self)
                case .endOfPart: parts[parts.count - 1] += ";"
                }
            }
        }
        try parser.finish()
        return parts
    }

    @Test("The parts do not depend on how the bytes are split", arguments: 1...40) func splitsAnywhere(size: Int) throws
    {
        #expect(
            try Self.parts(Self.body, pieces: size)
                == ["threshold/-=0.7;", "photo/a \"b\".jpg=\r\n--not a boundary;", "empty/-=;"])
    }

    @Test(
        "A truncated body is an error",
        arguments: [
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b\r\n", "",
        ]) func truncatedBody(body: String)
    {
        #expect(throws: MultipartError.cutShort) { try Self.parts(body, pieces: 7) }
    }

    @Test(
        "A body that is not a form is refused",
        arguments: [
            "--b\r\n\r\nx\r\n--b--", "--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n--b--", "--bx\r\n\r\n--b--",
        ]) func refusesOtherBodies(body: String)
    {
        #expect(throws: MultipartError.malformed) { try Self.parts(body, pieces: 9) }
    }

    @Test("The headers and the number of parts are limited")
    func limitsParts() {
        let long = "--b\r\nX: " + String(repeating: "x", count: 9000)
        #expect(throws: MultipartError.headersTooLarge) { try Self.parts(long, pieces: 1000) }
        let many =
            String(repeating: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n", count: 40) + "--b--"
        #expect(throws: MultipartError.tooManyParts(limit: 32)) { try Self.parts(many, pieces: 1000) }
    }

    @Test(
        "A content type without a boundary is refused",
        arguments: ["multipart/form-data", "multipart/form-data; boundary=", "text/plain"])
    func needsBoundary(type: String) {
        #expect(throws: MultipartError.noBoundary) { try MultipartParser(contentType: type) }
    }
}
