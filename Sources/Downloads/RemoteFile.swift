package import Foundation
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
package import Providers

/// A file on a web server, as its response headers describe it.
package struct RemoteFile: Codable, Equatable, Sendable {
    /// The address that was requested; its redirects may lead elsewhere later.
    package var url: URL
    /// The last part of the address after redirects: the Internet Archive's names have the date of the dump.
    package var name: String
    /// Bytes; nil if the server does not say.
    package var size: Int?
    package var etag: String?
    package var lastModified: String?

    /// Whether both describe the same content.
    ///
    /// The servers of the Internet Archive may give one file different tags, so dated names outrank these.
    package func isSame(as other: RemoteFile) -> Bool {
        if let size, let otherSize = other.size, size != otherSize { return false }
        if name != url.lastPathComponent || other.name != other.url.lastPathComponent { return name == other.name }
        if let etag, let otherTag = other.etag { return etag == otherTag }
        if let lastModified, let otherDate = other.lastModified { return lastModified == otherDate }
        return size != nil && size == other.size
    }

    /// A validator for `If-Range`; weak tags are not valid there.
    var validator: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? lastModified }

    init(_ response: HTTPClientResponse, url: URL, final: URL) {
        self.url = url
        name = final.lastPathComponent
        etag = response.headers.first(name: "ETag")
        lastModified = response.headers.first(name: "Last-Modified")
        size =
            if response.status == .partialContent {
                response.contentRange?.total
            } else {
                response.headers.first(name: "Content-Length").flatMap { Int($0) }
            }
    }

    /// Asks the server for a file without its content.
    ///
    /// - Throws: `DownloadError`, `CancellationError`.
    package static func find(_ url: URL, transport: HTTPTransport, userAgent: String) async throws -> RemoteFile {
        let request = DownloadRequest(transport: transport, userAgent: userAgent)
        var (response, final) = try await request.send(.HEAD, url)
        if [403, 405, 501].contains(response.status.code) {
            // Some servers do not answer HEAD.
            (response, final) = try await request.send(.GET, url, headers: ["Range": "bytes=0-0"])
        }
        try response.checkIsFile(final)
        return RemoteFile(response, url: url, final: final)
    }
}

extension HTTPClientResponse {
    /// - Throws: `DownloadError` for a failure, or for a web page in place of the file.
    func checkIsFile(_ url: URL) throws(DownloadError) {
        guard status == .ok || status == .partialContent else { throw .status(Int(status.code), url: url) }
        if headers.first(name: "Content-Type")?.lowercased().contains("html") == true { throw .webPage(url: url) }
    }

    /// The first byte and the size of the whole file, by `Content-Range: bytes 5-9/10`.
    var contentRange: (start: Int, total: Int?)? {
        guard let field = headers.first(name: "Content-Range"), field.hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(whereSeparator: { $0 == "-" || $0 == "/" })
        guard parts.count == 3, let start = Int(parts[0]) else { return nil }
        return (start, Int(parts[2]))
    }
}
