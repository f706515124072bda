import Bounds
import ClientInput
import Foundation
import Hummingbird
import ShelflistAPI

/// The query of a request, or the text fields of a form.
///
/// Each parameter is validated when it is read.
struct Query {
    private let values: [String: String]
    /// The status of the problem for an invalid value.
    private var status = 400

    /// - Parameter fields: the fields of a form; empty ones count as missing.
    init(fields: [String: String]) {
        values = fields.filter { !$0.value.isEmpty }
        status = 422
    }

    init(_ request: Request) { self.init(request.uri.query ?? "") }

    init(_ query: String) {
        values = Dictionary(
            query.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                func plain(_ text: Substring) -> String {
                    let spaced = text.replacing(scalar: "+", with: " ")
                    return spaced.removingPercentEncoding ?? spaced
                }
                return (plain(parts[0]), parts.count > 1 ? plain(parts[1]) : "")
            }, uniquingKeysWith: { first, _ in first })
    }

    func invalid(_ name: String, _ detail: String) -> Problem { .invalidField(name, detail, status: status) }

    func text(_ name: String, maxLength: Int = 500) throws -> String? {
        guard let value = values[name] else { return nil }
        guard value.unicodeScalars.count <= maxLength else {
            throw invalid(name, "'\(name)' has more than \(maxLength) characters. Shorten it.")
        }
        guard !value.unicodeScalars.contains("\0") else {
            throw invalid(name, "'\(name)' contains a NUL character. Remove it.")
        }
        return value
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try number(name, in: range, kind: "an integer")
    }

    func number<T: LosslessStringConvertible>(
        _ name: String, in range: ClosedRange<T>, kind: String = "a number"
    ) throws -> T? {
        guard let value = values[name] else { return nil }
        guard let number = T(value), range.contains(number) else {
            throw invalid(name, "'\(name)' must be \(kind) from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func flag(_ name: String) throws -> Bool? {
        switch values[name] {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw invalid(name, "'\(name)' must be true or false.")
        }
    }

    func choice<T: RawRepresentable & CaseIterable>(_ name: String, _ type: T.Type = T.self) throws -> T?
    where T.RawValue == String {
        guard let value = values[name] else { return nil }
        guard let choice = T(rawValue: value) else {
            let known = T.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid(name, "'\(name)' must be one of \(known).")
        }
        return choice
    }

    func limit() throws -> Int { try integer("limit", in: 1...RequestBounds.pageSize) ?? 50 }
}

extension Request {
    /// The `Content-Type` in lower case, without parameters.
    var mediaType: String? {
        headers[.contentType].map { $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    var contentLength: Int? { headers[.contentLength].flatMap { Int($0) } }

    /// Decodes the body as JSON of at most `limit` bytes.
    ///
    /// - Throws: `Problem` with status 415, 413, or 400 with the invalid field.
    func json<T: Decodable>(_ type: T.Type = T.self, limit: Int = 1_000_000) async throws -> T {
        guard mediaType == "application/json" else { throw Problem.unsupportedMediaType("application/json") }
        let bytes = try await bytes(limit: limit)
        do {
            return try WireJSON.decode(T.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem.invalid(error)
        } catch is CocoaError {
            // Of Foundation's parser of dates.
            throw Problem.badRequest("A date of the body is not valid. Write it as in 2026-11-26T08:00:00Z.")
        }
    }

    /// Reads a multipart body to its end.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes.
    ///   - allowance: additional bytes for the parts' headers.
    /// - Throws: `Problem`, `MultipartError`, and the errors of `handle`.
    func multipart(
        limit: Int, allowance: Int = 0, _ handle: (MultipartParser.Event) async throws -> Void
    ) async throws {
        guard let type = headers[.contentType], mediaType == "multipart/form-data" else {
            throw Problem.unsupportedMediaType("multipart/form-data")
        }
        guard contentLength ?? 0 <= limit + allowance else { throw Problem.bodyTooLarge(limit: limit) }
        var parser = try MultipartParser(contentType: type)
        var count = 0
        for try await buffer in body {
            count += buffer.readableBytes
            guard count <= limit + allowance else { throw Problem.bodyTooLarge(limit: limit) }
            for event in try parser.receive(buffer.readableBytesView) { try await handle(event) }
        }
        try parser.finish()
    }

    /// Returns the whole body, of at most `limit` bytes.
    func bytes(limit: Int) async throws -> [UInt8] {
        guard contentLength ?? 0 <= limit else { throw Problem.bodyTooLarge(limit: limit) }
        var bytes: [UInt8] = []
        for try await buffer in body {
            guard bytes.count + buffer.readableBytes <= limit else { throw Problem.bodyTooLarge(limit: limit) }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }
}

extension Problem {
    static func invalid(_ error: DecodingError) -> Problem {
        func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String? {
            let keys = (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue)
            return keys.isEmpty ? nil : keys.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            let field = path(context, key) ?? key.stringValue
            return .invalidField(field, "The field '\(field)' is missing.", status: 400)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let field = path(context)
            return .invalidField(
                field ?? "", "\(field.map { "The field '\($0)'" } ?? "The body") has the wrong type.", status: 400)
        case .dataCorrupted(let context):
            guard let field = path(context) else { return .badRequest("The body is not valid JSON.") }
            if let unknown = context.underlyingError as? UnknownChoice {
                return .invalidField(field, "'\(field)' must be one of \(unknown.known).")
            }
            return .invalidField(field, "The field '\(field)' has an invalid value.", status: 400)
        @unknown default: return .badRequest("The body does not have the expected fields.")
        }
    }
}
