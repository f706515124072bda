import Foundation
import ShelflistAPI

/// Parses a `multipart/form-data` body (RFC 7578) incrementally, without keeping parts in memory.
package struct MultipartParser {
    private let delimiter: [UInt8]
    private var buffer: [UInt8] = []
    private var state = State.preamble
    private var parts = 0

    /// The maximum size of a part's headers; a longer block is an attack or a bug.
    package static let maxHeaderBytes = 8 * 1024
    package static let maxParts = 32

    private enum State { case preamble, headers, body, done }

    package enum Event: Equatable {
        case part(MultipartHeader)
        case body([UInt8])
        case endOfPart
    }

    /// - Parameter contentType: the request's `Content-Type`.
    /// - Throws: `MultipartError.noBoundary`.
    package init(contentType: String) throws(MultipartError) {
        guard let boundary = HeaderParameters(contentType)["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw .noBoundary
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may be at the start of the body, without a line break before it.
        buffer = [13, 10]
    }

    /// Parses the next bytes of the body.
    ///
    /// - Throws: `MultipartError` if the body is malformed or exceeds a limit.
    package mutating func receive(_ bytes: some Sequence<UInt8>) throws(MultipartError) -> [Event] {
        buffer.append(contentsOf: bytes)
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Checks that the body is complete.
    ///
    /// - Throws: `MultipartError.cutShort` if the last delimiter is missing.
    package func finish() throws(MultipartError) { guard state == .done else { throw .cutShort } }

    private mutating func step(_ events: inout [Event]) throws(MultipartError) -> Bool {
        switch state {
        case .preamble:
            guard let found = buffer.place(of: delimiter) else {
                buffer.removeFirst(max(0, buffer.count - delimiter.count))
                return false
            }
            return try pass(delimiterAt: found)
        case .headers:
            guard let end = buffer.place(of: Self.headersEnd) else {
                guard buffer.count <= Self.maxHeaderBytes else { throw .headersTooLarge }
                return false
            }
            guard end.lowerBound <= Self.maxHeaderBytes else { throw .headersTooLarge }
            parts += 1
            guard parts <= Self.maxParts else { throw .tooManyParts(limit: Self.maxParts) }
            events.append(.part(try MultipartHeader(buffer[..<end.lowerBound])))
            buffer.removeFirst(end.upperBound)
            state = .body
            return true
        case .body:
            if let found = buffer.place(of: delimiter) {
                if found.lowerBound > 0 { events.append(.body(Array(buffer[..<found.lowerBound]))) }
                guard try pass(delimiterAt: found) else { return false }
                events.append(.endOfPart)
                return true
            }
            // The last bytes may be the start of a delimiter.
            let sure = buffer.count - delimiter.count
            if sure > 0 {
                events.append(.body(Array(buffer[..<sure])))
                buffer.removeFirst(sure)
            }
            return false
        case .done:
            buffer = []
            return false
        }
    }

    private static let headersEnd = Array("\r\n\r\n".utf8)

    /// Removes everything up to the end of the delimiter.
    ///
    /// - Returns: `false` if the two bytes after the delimiter have not arrived; the buffer then begins with it.
    private mutating func pass(delimiterAt range: Range<Int>) throws(MultipartError) -> Bool {
        buffer.removeFirst(range.lowerBound)
        guard buffer.count >= delimiter.count + 2 else { return false }
        let next = buffer[delimiter.count..<delimiter.count + 2]
        if next.elementsEqual([45, 45]) {
            state = .done
        } else if next.elementsEqual([13, 10]) {
            // Keep the line break, because an empty header block is two in a row.
            state = .headers
        } else {
            throw .malformed
        }
        buffer.removeFirst(delimiter.count)
        return true
    }
}

extension [UInt8] {
    /// Returns the first range of `needle`.
    ///
    /// Uses `memchr`, which is several times faster than a generic search; photos have millions of bytes.
    fileprivate func place(of needle: [UInt8]) -> Range<Int>? {
        withUnsafeBytes { hay in
            guard let base = hay.baseAddress else { return nil }
            var start = 0
            while hay.count - start >= needle.count {
                guard let found = memchr(base + start, Int32(needle[0]), hay.count - start - needle.count + 1) else {
                    return nil
                }
                start = base.distance(to: UnsafeRawPointer(found))
                if memcmp(base + start, needle, needle.count) == 0 { return start..<start + needle.count }
                start += 1
            }
            return nil
        }
    }
}

/// The name and file name of a part, from its `Content-Disposition`.
package struct MultipartHeader: Equatable {
    package var name: String
    package var fileName: String?

    /// - Parameter block: `\r\nName: value\r\nName: value`, without the empty line.
    package init(_ block: some Collection<UInt8>) throws(MultipartError) {
        let lines = String(decoding: block, as: UTF8.self).components(separatedBy: "\r\n")
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        guard let disposition else { throw .malformed }
        let parameters = HeaderParameters(String(disposition.dropFirst("content-disposition:".count)))
        guard parameters.value.lowercased() == "form-data", let name = parameters["name"] else { throw .malformed }
        self.name = name
        fileName = parameters["filename"]
    }
}

/// A header value with parameters: `value; name=token; name="quoted string"`.
struct HeaderParameters {
    let value: String
    private var parameters: [String: String] = [:]

    /// Compares scalars: a quotation mark before U+0301 is part of a longer character.
    init(_ text: String) {
        var rest = Substring(text).unicodeScalars
        func plain(_ part: Substring.UnicodeScalarView) -> String {
            String(String.UnicodeScalarView(part)).trimmingCharacters(in: .whitespaces)
        }
        value = plain(rest.prefix { $0 != ";" })
        rest = rest.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            var content = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let scalar = rest.first, scalar != "\"" {
                    rest = rest.dropFirst()
                    // Browsers escape quotes as %22. Older clients use a backslash.
                    if scalar == "\\", let escaped = rest.first, escaped == "\"" || escaped == "\\" {
                        content.unicodeScalars.append(escaped)
                        rest = rest.dropFirst()
                    } else {
                        content.unicodeScalars.append(scalar)
                    }
                }
                rest = rest.dropFirst().drop { $0 != ";" }
            } else {
                content = plain(rest.prefix { $0 != ";" })
                rest = rest.drop { $0 != ";" }
            }
            parameters[plain(name).lowercased()] = content
        }
    }

    subscript(name: String) -> String? { parameters[name] }
}

package enum MultipartError: ReportedError, Hashable {
    case noBoundary
    case malformed
    case headersTooLarge
    case tooManyParts(limit: Int)
    case cutShort

    package var problemCode: String { "bad_request" }

    package var description: String {
        switch self {
        case .noBoundary:
            "Content-Type must be multipart/form-data with a boundary. Let the client's HTTP library set it."
        case .malformed: "The multipart body is malformed. Let the client's HTTP library build it."
        case .headersTooLarge:
            "The headers of a part exceed \(MultipartParser.maxHeaderBytes) bytes. Send shorter headers."
        case .tooManyParts(let limit): "The form has more than \(limit) parts. Send only the photos and the options."
        case .cutShort: "The upload is incomplete. Send it again."
        }
    }
}
