import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ShelflistAPI

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws
        -> Response
    {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = headers[.cacheControl] ?? "no-store"
        let body = ByteBuffer(bytes: try WireJSON.encode(value))
        return Response(status: status, headers: headers, body: .init(byteBuffer: body))
    }

    static func problem(_ problem: Problem, to request: Request) -> Response {
        let problem = problem.told(at: request.uri.path)
        var headers: HTTPFields = [.contentType: Problem.contentType, .cacheControl: "no-store"]
        if let wait = problem.retryAfterMs { headers[.retryAfter] = "\(max(1, (wait + 999) / 1000))" }
        if problem.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        // Texts and numbers are always encoded.
        let body = (try? WireJSON.encode(problem)) ?? Data()
        return Response(
            status: .init(code: problem.status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }

    static let noContent = Response(status: .noContent)

    /// Content that never changes under its tag; 304 where the client has it.
    static func cacheable(
        _ bytes: [UInt8], type: String, tag: String, maxAge: Int, request: Request
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .eTag: "\"\(tag)\"", .cacheControl: "private, max-age=\(maxAge)",
        ]
        if request.headers[.ifNoneMatch].map({ $0.contains("\"\(tag)\"") || $0 == "*" }) ?? false {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        // Pictures come from outside: whatever they hold, no browser may run it.
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Tags that change when what they stand for changes.
enum EntityTag {
    /// A tag of a value's JSON, without quotes.
    static func of(_ value: some Encodable) throws -> String { of(bytes: try WireJSON.encode(value)) }

    static func of(bytes: some DataProtocol) -> String { Data(SHA256.hash(data: bytes).prefix(12)).base64URL }

    /// Holds an edit to what its sender last saw.
    ///
    /// - Throws: `Problem`: 428 where the header is missing, 409 where it is another tag.
    static func check(_ request: Request, current tag: String) throws {
        guard let expected = request.headers[.ifMatch] else { throw Problem.preconditionRequired }
        let tags = expected.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard tags.contains("\"\(tag)\"") || tags.contains(tag) || tags.contains("*") else {
            throw Problem.editConflict
        }
    }
}

extension HTTPField.Name {
    static let deviceID = HTTPField.Name("X-Device-ID") ?? .userAgent
    static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .userAgent
    static let fileName = HTTPField.Name("X-File-Name") ?? .userAgent
    static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? .userAgent
    static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .userAgent
    static let forwardedHost = HTTPField.Name("X-Forwarded-Host") ?? .userAgent
    static let forwarded = HTTPField.Name("Forwarded") ?? .userAgent
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .userAgent
    static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .userAgent
    static let requestID = HTTPField.Name("X-Request-ID") ?? .userAgent
    static let permissionsPolicy = HTTPField.Name("Permissions-Policy") ?? .userAgent
    static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .userAgent
    static let openerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy") ?? .userAgent
    static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy") ?? .userAgent
    static let frameOptions = HTTPField.Name("X-Frame-Options") ?? .userAgent
}
