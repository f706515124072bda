package import Foundation
import ShelflistAPI
import Storage

/// Fetches cover images once and stores them in `covers/`.
///
/// Sends requests, redirects included, only to the providers' own hosts over HTTPS, so that records cannot cause
/// requests to other machines. Stores only responses within the size limit that start like an image.
package struct CoverStore: Sendable {
    private let folder: URL
    private let transport: HTTPTransport
    private let hosts: CoverHosts
    private let userAgent: String

    /// The maximum size of an image in bytes: 5 MB.
    package static let sizeLimit = 5_000_000
    /// Some hosts return an image of at most this size, in bytes, instead of status 404.
    private static let placeholderSize = 100
    /// Open Library redirects to the Internet Archive, which redirects once more.
    private static let redirectLimit = 3
    private static let timeout: TimeInterval = 10
    /// The maximum total size in bytes; the oldest files are deleted to stay within it.
    private static let byteLimit = 200_000_000

    /// - Parameter folder: created on first use.
    package init(folder: URL, transport: HTTPTransport, userAgent: String, hosts: CoverHosts = .known) {
        (self.folder, self.transport, self.userAgent, self.hosts) = (folder, transport, userAgent, hosts)
    }

    /// Returns the bytes of a cover; see `file(for:)`.
    package func picture(at url: URL) async throws(CoverError) -> [UInt8]? {
        guard let file = try await file(for: url) else { return nil }
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch {
            throw .cannotStore(reason: error.localizedDescription)
        }
    }

    /// Returns whether a cover may be requested from this address.
    package func allows(_ url: URL) -> Bool { hosts.begin(url) }

    /// Returns the file of a cover, fetched if it is not stored yet; nil if the provider does not have the cover.
    ///
    /// - Throws: `CoverError`.
    package func file(for url: URL) async throws(CoverError) -> URL? {
        guard allows(url) else { throw .forbidden(host: url.host() ?? "") }
        let name = ContentName.of(url.absoluteString)
        // A file that a power failure left empty is fetched again.
        let known = PictureType.allCases.map { folder.appending(path: "\(name).\($0.rawValue)") }
            .first { Self.size(of: $0) > Self.placeholderSize }
        if let known { return known }
        guard let (bytes, type) = try await fetch(url) else { return nil }
        let file = folder.appending(path: "\(name).\(type.rawValue)")
        do {
            try DurableFile.createFolder(of: file)
            try DurableFile.write(bytes, to: file, as: .cache)
        } catch {
            throw .cannotStore(reason: error.description)
        }
        if Int.random(in: 0..<64) == 0 { CacheFolder.trim(folder, to: Self.byteLimit) }
        return file
    }

    /// Returns the size in bytes; 0 for a file that does not exist.
    private static func size(of file: URL) -> Int {
        (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    }

    private func fetch(_ url: URL) async throws(CoverError) -> ([UInt8], PictureType)? {
        var url = url
        for _ in 0...Self.redirectLimit {
            let response: HTTPTransport.Response
            do {
                response = try await transport.get(
                    url, headers: ["User-Agent": userAgent, "Accept": "image/*"], seconds: Self.timeout,
                    limit: Self.sizeLimit)
            } catch HTTPTransport.Failure.bodyTooLarge {
                throw .tooLarge(limit: Self.sizeLimit)
            } catch {
                throw .unreachable(host: url.host() ?? "")
            }
            switch response.status {
            case 200:
                guard response.body.count > Self.placeholderSize else { return nil }
                guard let type = PictureType(start: response.body) else { throw .noPicture }
                return (response.body, type)
            case 301, 302, 303, 307, 308:
                guard let target = response["Location"].flatMap({ URL(string: $0, relativeTo: url)?.absoluteURL })
                else { throw .status(response.status) }
                guard hosts.allow(target) else { throw .forbidden(host: target.host() ?? "") }
                url = target
            case 404, 410: return nil
            default: throw .status(response.status)
            }
        }
        throw .redirectedTooOften
    }
}

package enum CoverError: ReportedError, Equatable {
    case forbidden(host: String)
    case tooLarge(limit: Int)
    case noPicture
    case status(Int)
    case redirectedTooOften
    case unreachable(host: String)
    case cannotStore(reason: String)

    package var problemCode: String { "cover_unavailable" }

    package var description: String {
        switch self {
        case .forbidden(let host): "The cover was not fetched: “\(host)” is not a host of a known provider."
        case .tooLarge(let limit): "The cover was not used: it has more than \(limit / 1_000_000) MB."
        case .noPicture: "The cover was not used: it is not a JPEG, PNG, WebP or GIF file."
        case .status(let status): "Could not fetch the cover (status \(status))."
        case .redirectedTooOften: "Could not fetch the cover: its address redirects too often."
        case .unreachable(let host): "Could not fetch the cover: \(host) cannot be reached."
        case .cannotStore(let reason): "The cover cannot be stored: \(reason)"
        }
    }
}

package struct CoverHosts: Sendable {
    /// Replaces all known hosts; for the stub servers of the tests.
    private var origin: String?

    private static let providers: [String: ProviderName] = [
        "covers.openlibrary.org": .openLibrary, "books.google.com": .googleBooks,
        "books.googleusercontent.com": .googleBooks, "images.isbndb.com": .isbndb,
    ]

    /// Open Library with the Internet Archive, which stores its covers, Google Books and ISBNdb.
    package static let known = CoverHosts()

    /// Returns a list of one origin, for example `http://127.0.0.1:8080`.
    package static func only(origin: String) -> CoverHosts { CoverHosts(origin: origin) }

    /// Returns whether a cover may be fetched from this address, directly or after a redirect.
    package func allow(_ url: URL) -> Bool {
        begin(url) || has(url) { $0 == "archive.org" || $0.hasSuffix(".us.archive.org") }
    }

    /// Returns whether a record may contain this address; false for hosts that are allowed only after a redirect.
    func begin(_ url: URL) -> Bool { has(url) { Self.providers[$0] != nil } }

    /// Returns the provider whose covers are at this host; nil for a stub.
    package static func provider(of url: URL) -> ProviderName? { url.host().flatMap { providers[$0.lowercased()] } }

    private func has(_ url: URL, _ isKnown: (String) -> Bool) -> Bool {
        guard let host = url.host()?.lowercased(), url.user() == nil, url.password() == nil else { return false }
        if let origin { return "\(url.scheme ?? "")://\(host):\(url.port ?? 80)" == origin }
        return url.scheme?.lowercased() == "https" && [nil, 443].contains(url.port) && isKnown(host)
    }
}

/// Image types that browsers support, detected by their first bytes.
private enum PictureType: String, CaseIterable {
    case jpg, png, webp, gif

    init?(start: [UInt8]) {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if start.starts(with: "GIF8".utf8) {
            self = .gif
        } else {
            return nil
        }
    }
}
