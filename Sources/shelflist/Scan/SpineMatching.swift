import Foundation
import Identification
import ShelflistAPI
import Terminal

/// Answers queries from stdin on stdout, one per line.
struct SpineMatching {
    let matcher: SpineMatcher
    /// Maximum number of matches per query.
    let limit: Int

    /// Longer lines are rejected: 256 kB, a hundred times the text of any spine.
    static let lineLimit = 256 * 1024

    /// Answers queries until the input ends.
    ///
    /// - Returns: the number of lines that could not be answered; each was reported on stderr.
    /// - Throws: errors of the catalog.
    func run() throws -> Int {
        var failures = 0
        var number = 0
        var rest = Data()
        var isTooLong = false
        func answer(_ line: Data) throws {
            number += 1
            defer { isTooLong = false }
            do {
                if isTooLong || line.count > Self.lineLimit {
                    throw SpineQueryError(
                        "The line is longer than \(Self.lineLimit / 1024) kB. Send one spine's text per line.")
                }
                guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { return }
                try print(try query(line))
            } catch let error as SpineQueryError {
                failures += 1
                StandardStream.errors.write(Failure.line(for: "line \(number)", error))
            }
        }
        while let chunk = try Self.piece(of: .standardInput) {
            rest.append(chunk)
            while let end = rest.firstIndex(of: 0x0A) {
                try answer(Data(rest[..<end]))
                rest = Data(rest[(end + 1)...])
            }
            if rest.count > Self.lineLimit {
                isTooLong = true
                rest = Data()
            }
        }
        if !rest.isEmpty || isTooLong { try answer(rest) }
        return failures
    }

    /// Returns available input as soon as there is some; nil at the end.
    ///
    /// `FileHandle.read(upToCount:)` waits until all bytes are available, so a client that sends one query at a time
    /// would wait forever.
    private static func piece(of input: FileHandle) throws -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = bytes.withUnsafeMutableBytes { read(input.fileDescriptor, $0.baseAddress, $0.count) }
            if count > 0 { return Data(bytes[..<count]) }
            if count == 0 { return nil }
            if errno != EINTR { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    private func query(_ line: Data) throws(SpineQueryError) -> SpineQuery {
        do {
            return try JSONDecoder().decode(SpineQuery.self, from: line)
        } catch let error as SpineQueryError {
            throw error
        } catch DecodingError.keyNotFound(let key, _) {
            throw .missing(key.stringValue)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let field = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw SpineQueryError(form: "The field “\(field)” is of another type than expected.")
        } catch {
            throw SpineQueryError(form: "This is not a JSON object.")
        }
    }

    private func print(_ query: SpineQuery) throws {
        let answer = Answer(id: query.id, matches: try matcher.matches(for: query.lines, limit: limit))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        StandardStream.output.write(String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n")
    }

    private struct Answer: Encodable {
        var id: SpineQuery.ID
        var matches: [BookMatch]
    }
}

/// The text of one spine, as a whole or in lines.
private struct SpineQuery: Decodable {
    /// Identifies the query in its answer: text or an integer.
    enum ID: Codable {
        case text(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            do {
                self = .number(try value.decode(Int.self))
            } catch DecodingError.typeMismatch {
                self = .text(try value.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .text(let text): try value.encode(text)
            case .number(let number): try value.encode(number)
            }
        }
    }

    var id: ID
    var lines: [ReadText]

    private enum Key: String, CodingKey {
        case id, text, lines
    }

    private struct Line: Decodable {
        var text: String
        var score: Double?
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        id = try fields.decode(ID.self, forKey: .id)
        if let lines = try fields.decodeIfPresent([Line].self, forKey: .lines) {
            self.lines = try lines.map { line in
                let score = line.score ?? 1
                guard (0...1).contains(score) else { throw SpineQueryError("A score is from 0 to 1, not \(score).") }
                return ReadText(text: line.text, score: score)
            }
        } else if let text = try fields.decodeIfPresent(String.self, forKey: .text) {
            lines = [ReadText(text: text, score: 1)]
        } else {
            throw SpineQueryError.missing("text")
        }
    }
}

/// Why a line of the input cannot be answered.
private struct SpineQueryError: ReportedError {
    var problemCode: String { "invalid_query" }

    let description: String

    init(_ description: String) { self.description = description }

    /// For a query of another form.
    init(form problem: String) {
        description = problem + #" Write {"id": "1", "text": "KUANG BABEL"} on one line."#
    }

    static func missing(_ field: String) -> SpineQueryError {
        SpineQueryError(form: "The field “\(field)” is missing.")
    }
}
