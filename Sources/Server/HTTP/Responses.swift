import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ShelflistAPI

/// Encodes values as JSON responses that must not be cached.
struct JSONResponses: ResponseEncoder {
    let basePath: BasePath

    func encode(_ value: some Encodable, from request: Request, context: some RequestContext) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(value, below: basePath.text))))
    }
}

extension ResponseEncodable {
    func with(_ status: HTTPResponse.Status) -> EditedResponse<Self> { EditedResponse(status: status, response: self) }

    func created(at address: String) -> EditedResponse<Self> {
        EditedResponse(status: .created, headers: [.location: address], response: self)
    }

    /// Adds an `ETag` that is computed from the message's JSON.
    func tagged() throws -> EditedResponse<Self> {
        EditedResponse(headers: [.eTag: "\"\(try EntityTag.of(self))\""], response: self)
    }
}

/// A message whose tag is also sent as `ETag`.
protocol TaggedMessage: ResponseEncodable {
    var etag: String { get }
}

extension TaggedMessage {
    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try context.responseEncoder.encode(self, from: request, context: context)
        response.headers[.eTag] = "\"\(etag)\""
        return response
    }
}

extension LibraryBook: TaggedMessage {}
extension LibraryShelf: TaggedMessage {}
extension LibraryWork: TaggedMessage {}
extension ReviewQueueItem: TaggedMessage {}

extension Response {
    static func problem(_ problem: Problem, to request: Request) -> Response {
        let problem = problem.adapted(toPath: request.uri.path)
        var headers: HTTPFields = [.contentType: Problem.contentType, .cacheControl: "no-store"]
        if let wait = problem.retryAfterMs { headers[.retryAfter] = "\(max(1, (wait + 999) / 1000))" }
        if problem.status == 401 { headers[.wwwAuthenticate] = "Bearer" }
        // Encoding strings and numbers does not fail.
        let body = (try? problem.json(forPath: request.uri.path)) ?? Data()
        return Response(
            status: .init(code: problem.status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// Returns content that never changes under its tag, or 304 for a client that already has it.
    ///
    /// - Parameter maxAge: in seconds.
    static func cacheable(_ bytes: [UInt8], type: String, tag: String, maxAge: Int, request: Request) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .eTag: "\"\(tag)\"", .cacheControl: "private, max-age=\(maxAge)",
        ]
        if request.headers[.ifNoneMatch].map({ $0.contains("\"\(tag)\"") || $0 == "*" }) ?? false {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        // Images come from outside, so browsers must not execute anything in them.
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Computes and checks entity tags.
enum EntityTag {
    /// Returns the tag of a value's JSON, without quotes.
    static func of(_ value: some Encodable) throws -> String { of(bytes: try WireJSON.encode(value)) }

    static func of(bytes: some DataProtocol) -> String { Data(SHA256.hash(data: bytes).prefix(12)).base64URL }

    /// Checks that an edit is based on the current version.
    ///
    /// - Throws: `Problem` with status 428 if `If-Match` is missing, 409 if it does not match.
    static func check(_ request: Request, current tag: String) throws {
        guard let expected = request.headers[.ifMatch] else { throw Problem.preconditionRequired }
        let tags = expected.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard tags.contains("\"\(tag)\"") || tags.contains(tag) || tags.contains("*") else {
            throw Problem.editConflict
        }
    }
}
