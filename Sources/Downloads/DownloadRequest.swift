import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import Providers

/// Sends requests for downloads and follows their redirects within the allowed hosts.
struct DownloadRequest: Sendable {
    let transport: HTTPTransport
    let userAgent: String

    /// Open Library redirects to the Internet Archive, which redirects to one of its servers.
    static let redirectLimit = 5

    /// Returns the response after all redirects, and its address.
    ///
    /// - Throws: `DownloadError`, `CancellationError`.
    func send(_ method: HTTPMethod, _ url: URL, headers: [String: String] = [:]) async throws
        -> (response: HTTPClientResponse, url: URL)
    {
        var current = url
        for _ in 0...Self.redirectLimit {
            var request = HTTPClientRequest(url: current.absoluteString)
            request.method = method
            request.headers.add(name: "User-Agent", value: userAgent)
            request.headers.add(name: "Accept-Encoding", value: "identity")
            for (name, value) in headers { request.headers.add(name: name, value: value) }
            let response = try await execute(request, current)
            switch response.status.code {
            case 301, 302, 303, 307, 308:
                guard
                    let target = response.headers.first(name: "Location")
                        .flatMap({ URL(string: $0, relativeTo: current)?.absoluteURL })
                else { throw DownloadError.status(Int(response.status.code), url: current) }
                guard DownloadHosts.allow(target, from: url) else {
                    throw DownloadError.foreignHost(target.host() ?? target.absoluteString, from: url)
                }
                current = target
            default:
                return (response, current)
            }
        }
        throw DownloadError.redirectedTooOften(url: url)
    }

    private func execute(_ request: HTTPClientRequest, _ url: URL) async throws -> HTTPClientResponse {
        do {
            return try await transport.client.execute(request, deadline: .distantFuture)
        } catch {
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            throw DownloadError.unreachable(host: url.host() ?? url.absoluteString)
        }
    }
}

/// The hosts that downloads may be redirected to.
package enum DownloadHosts {
    private static let known = ["openlibrary.org", "archive.org"]

    /// Whether a request for `origin` may be redirected to `target`: on the same server, or by HTTPS to its host, Open
    /// Library or the Internet Archive.
    package static func allow(_ target: URL, from origin: URL) -> Bool {
        guard let host = target.host()?.lowercased(), target.user() == nil, target.password() == nil else {
            return false
        }
        let isSameHost = host == origin.host()?.lowercased()
        if isSameHost, target.scheme == origin.scheme, target.port == origin.port { return true }
        guard target.scheme?.lowercased() == "https", [nil, 443].contains(target.port) else { return false }
        return isSameHost || known.contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
