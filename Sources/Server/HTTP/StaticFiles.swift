import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves the web app's files, which are read into memory at startup.
struct StaticFiles: RouterMiddleware {
    private let files: [String: File]

    private struct File: Sendable {
        var bytes: [UInt8]
        /// The bytes compressed with gzip; `nil` for images.
        var compressed: [UInt8]?
        var type: String
        var tag: String
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon",
        "woff2": "font/woff2", "wasm": "application/wasm", "txt": "text/plain; charset=utf-8",
    ]

    /// - Parameter root: the folder of the web app; `nil` for a server without one.
    /// - Throws: `CocoaError` if the folder cannot be read.
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

    /// Responds to requests that match no route.
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

    /// - Returns: the file, or `index.html` for a path of the app's client-side navigation; otherwise `nil`.
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
        // Browsers revalidate each time, so that an update of the server takes effect immediately.
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
