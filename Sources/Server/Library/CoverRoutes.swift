import Foundation
import Hummingbird
import Imaging
import Library
import Lookup
import Providers
import ShelflistAPI

/// The routes for covers: show one, and replace a copy's.
struct CoverRoutes: Sendable {
    let library: LibraryStore
    let online: OnlineServices

    /// The size limit of an uploaded cover, in bytes.
    private static let byteLimit = 10_000_000

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/covers/:cover", needs: .picture, show)
        table.add(.put, "api/v1/library/:entry/cover", needs: .editor, costs: .work, replace)
        table.add(.delete, "api/v1/library/:entry/cover", needs: .editor) { _, context in
            try await use(nil, for: try context.row("entry"))
        }
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let name = context.parameters.get("cover"), Self.isValid(name) else { throw Problem.notFound }
        let bytes: [UInt8]
        if library.hasCover(named: name) {
            bytes = [UInt8](try Data(contentsOf: library.folder.cover(name)))
        } else {
            bytes = try await offered(name)
        }
        let type = ImageFormat.sniff(bytes).map { "image/\($0.rawValue)" } ?? "application/octet-stream"
        return .cacheable(bytes, type: type, tag: EntityTag.of(bytes: bytes), maxAge: 7 * 24 * 3600, request: request)
    }

    /// Whether it is a name that the library gives to covers, so that no other file can be read.
    private static func isValid(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 100
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~".contains($0)) }
    }

    /// Fetches the cover of a provider's record.
    private func offered(_ name: String) async throws -> [UInt8] {
        guard let url = online.coverURL(named: name), online.fetchesCover(at: url) else {
            throw Problem.notFound
        }
        guard let picture = try await online.cover(at: url) else { throw Problem.notFound }
        return picture
    }

    /// Replaces the cover of a copy's edition, and nothing else: by an uploaded picture, or by the cover of a search
    /// result or an earlier one.
    private func replace(_ request: Request, _ context: AppContext) async throws -> LibraryBook {
        let id: RowID<LibraryEntry> = try context.row("entry")
        _ = try await library.entry(id)
        if request.mediaType?.hasPrefix("image/") ?? false {
            return try await use(try await stored(try await request.bytes(limit: Self.byteLimit)), for: id)
        }
        let choice: CoverChoiceMessage = try await request.json()
        let name = choice.coverUrl.split(separator: "/").last.map(String.init) ?? ""
        let ownPath = CoverURL.of(name).text
        guard Self.isValid(name), [ownPath, context.base.basePath.text + ownPath].contains(choice.coverUrl) else {
            throw Problem.invalidField(
                "coverUrl", "'coverUrl' is not a cover of this server. Use one from a book or a search result.")
        }
        let file = library.hasCover(named: name) ? name : try await stored(try await offered(name))
        return try await use(file, for: id)
    }

    /// - Parameter file: `nil` removes the cover.
    private func use(_ file: String?, for id: RowID<LibraryEntry>) async throws -> LibraryBook {
        let (_, token) = try await library.undoable { try await $0.setCover(id, toStored: file) }
        var message = LibraryBook(try await library.entry(id))
        message.undoToken = token
        return message
    }

    private func stored(_ picture: [UInt8]) async throws -> String {
        do {
            return try await library.storeCover(picture)
        } catch let error as ImageError {
            switch error.code {
            case .outOfMemory, .notEncodable: throw error  // not caused by the picture
            case .tooManyPixels:
                throw Problem("too_many_pixels", status: 413, title: "Picture too large", detail: error.message)
            default: throw Problem("not_an_image", status: 415, title: "Not a picture", detail: error.message)
            }
        }
    }
}

private struct CoverChoiceMessage: Decodable {
    var coverUrl: String
}
