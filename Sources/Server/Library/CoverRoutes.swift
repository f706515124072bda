import Foundation
import Hummingbird
import Imaging
import Library
import Lookup
import Providers
import ShelflistAPI

/// The routes for covers: show one, and replace the cover of a copy alone.
struct CoverRoutes: Sendable {
    let library: LibraryStore
    let online: OnlineCatalogs

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/covers/:cover", needs: .viewer, cover)
        table.add(.put, "api/v1/library/:entry/cover", needs: .editor, replace)
        table.add(.delete, "api/v1/library/:entry/cover", needs: .editor) { _, context in
            let entry: RowID<LibraryEntry> = try context.row("entry")
            try await library.removeCover(entry)
            return EntryMessage(try await library.entry(entry))
        }
    }

    private func cover(_ request: Request, _ context: AppContext) async throws -> Response {
        // Only names that the library gives to covers, so that no other file can be read.
        guard let name = context.parameters.get("cover"), !name.hasPrefix("."), name.count <= 100,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~".contains($0)) })
        else { throw Problem.notFound }
        let file = library.folder.covers.appending(path: name)
        let bytes: [UInt8]
        if FileManager.default.fileExists(atPath: file.path) {
            bytes = [UInt8](try Data(contentsOf: file))
        } else {
            bytes = try await offered(name)
        }
        let type = ImageFormat.sniff(bytes).map { "image/\($0.rawValue)" } ?? "application/octet-stream"
        return .cacheable(bytes, type: type, tag: EntityTag.of(bytes: bytes), maxAge: 7 * 24 * 3600, request: request)
    }

    /// Fetches the cover of a provider's record.
    private func offered(_ name: String) async throws -> [UInt8] {
        guard let url = online.coverURL(named: name), online.fetchesCover(at: url) else {
            throw Problem.notFound
        }
        do {
            guard let picture = try await online.cover(at: url) else { throw Problem.notFound }
            return picture
        } catch let error as CoverError {
            throw Problem(
                "provider_down", status: 503, title: "Cover not available", detail: "\(error)", retryable: true,
                retryAfterMs: 30_000)
        }
    }

    // MARK: Replacing

    /// In bytes, as the library accepts.
    private static let limit = 10_000_000

    /// Replaces the cover by a picture in the body, or by the cover of a search result; title and authors stay.
    private func replace(_ request: Request, _ context: AppContext) async throws -> EntryMessage {
        let entry: RowID<LibraryEntry> = try context.row("entry")
        // The copy has to exist before a provider is asked.
        _ = try await library.entry(entry)
        let picture: [UInt8]
        if request.mediaType == "application/json" {
            let wanted: CoverChoiceMessage = try await request.json()
            guard wanted.coverUrl.hasPrefix(CoverURL.of("")), let name = wanted.coverUrl.split(separator: "/").last
            else {
                throw Problem.invalidField(
                    "coverUrl", "'coverUrl' is not a cover of this server. Use one from a search result.")
            }
            picture = try await offered(String(name))
        } else {
            guard request.mediaType?.hasPrefix("image/") ?? false else {
                throw Problem.unsupportedMediaType("an image or application/json")
            }
            picture = try await request.bytes(limit: Self.limit)
        }
        do {
            try await library.setCover(entry, to: picture)
        } catch let error as ImageError {
            throw Problem.invalidField("cover", "The picture cannot be used: \(error.message)")
        }
        return EntryMessage(try await library.entry(entry))
    }
}

private struct CoverChoiceMessage: Decodable, Sendable {
    var coverUrl: String
}
