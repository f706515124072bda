import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ShelflistAPI

/// The web app, read into memory at the start: some dozen small files, each with a tag of its content.
struct StaticFiles: RouterMiddleware {
    private let files: [String: File]

    private struct File: Sendable {
        var bytes: [UInt8]
        /// The same, smaller; `nil` for pictures.
        var compressed: [UInt8]?
        var type: String
        var tag: String
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon",
        "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    /// - Parameter root: `nil` for a server without a web app.
    /// - Throws: `CocoaError` where the folder cannot be read.
    init(root: URL?) throws {
        guard let root else {
            files = [:]
            return
        }
        var files: [String: File] = [:]
        let base = root.resolvingSymlinksInPath().path
        let keys: [URLResourceKey] = [.isRegularFileKey]
        guard
            let found = FileManager.default.enumerator(
                at: root.resolvingSymlinksInPath(), includingPropertiesForKeys: keys, options: [.skipsHiddenFiles])
        else { throw CocoaError(.fileReadNoSuchFile) }
        for case let url as URL in found {
            guard let type = Self.types[url.pathExtension.lowercased()],
                try url.resourceValues(forKeys: Set(keys)).isRegularFile ?? false, url.path.hasPrefix(base + "/")
            else { continue }
            let bytes = [UInt8](try Data(contentsOf: url))
            files["/" + url.path.dropFirst(base.count + 1)] = File(
                bytes: bytes,
                compressed: type.hasPrefix("image/") && type != "image/svg+xml" ? nil : Gzip.compressed(bytes),
                type: type, tag: EntityTag.of(bytes: bytes))
        }
        self.files = files
    }

    /// Answers requests for which there is no route.
    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && [.get, .head].contains(request.method) {
            guard let response = response(to: request) else { throw error }
            return response
        }
    }

    /// - Returns: the file, or the app's page for an address that the app's own navigation made; `nil` where there is
    ///   neither.
    private func response(to request: Request) -> Response? {
        let path = request.uri.path.removingPercentEncoding ?? request.uri.path
        if let file = files[path] { return response(file, to: request) }
        let isPage =
            !path.dropFirst().contains(".") && !path.hasPrefix("/api/") && !path.hasPrefix("/v3/")
            && request.headers[.accept]?.contains("text/html") ?? false
        guard path == "/" || isPage, let page = files["/index.html"] else { return nil }
        return response(page, to: request)
    }

    private func response(_ file: File, to request: Request) -> Response {
        // Always asked for again, answered with 304: an update of the server is seen at once.
        var headers: HTTPFields = [
            .contentType: file.type, .eTag: "\"\(file.tag)\"", .cacheControl: "no-cache",
        ]
        if request.headers[.ifNoneMatch]?.contains("\"\(file.tag)\"") ?? false {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        var bytes = file.bytes
        if let compressed = file.compressed {
            headers[.vary] = "Accept-Encoding"
            if request.headers[.acceptEncoding]?.contains("gzip") ?? false {
                headers[.contentEncoding] = "gzip"
                bytes = compressed
            }
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
