package import Foundation
import Providers

/// Where the dumps of Open Library are downloaded from: its own server, or a mirror.
package struct DumpServer: Sendable {
    /// The folder of the dumps.
    package let url: URL
    let transport: HTTPTransport
    let userAgent: String

    package static let openLibrary = ServiceSettings.url("https://openlibrary.org/data/")
    /// A download with a filter needs the editions first.
    private static let names = ["editions", "works", "authors"].map { "ol_dump_\($0)_latest.txt.gz" }
    /// A connection on which nothing arrives for this time in seconds is closed, and the download resumed.
    private static let idleSeconds = 60.0

    /// - Parameters:
    ///   - version, contact: for the User-Agent; see `ServiceSettings`.
    ///   - idleSeconds: how long a download may pause; tests pass a longer time.
    package init(url: URL, version: String, contact: String?, idleSeconds: Double? = nil) {
        self.url = url
        userAgent = ServiceSettings.userAgent(version: version, contact: contact)
        transport = HTTPTransport(idleSeconds: idleSeconds ?? Self.idleSeconds)
    }

    /// Returns the current dumps: editions, works, authors.
    ///
    /// - Throws: `DownloadError`, `CancellationError`.
    package func files() async throws -> [RemoteFile] {
        var files: [RemoteFile] = []
        for name in Self.names {
            files.append(
                try await RemoteFile.find(url.appending(path: name), transport: transport, userAgent: userAgent))
        }
        return files
    }

    package func close() async { await transport.close() }
}
