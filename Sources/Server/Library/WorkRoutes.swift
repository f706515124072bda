import Bibliography
import Foundation
import Hummingbird
import Library
import Lookup
import ShelflistAPI

/// The routes for works with their editions and copies, and for manual matching.
struct WorkRoutes: Sendable {
    let library: LibraryStore
    let matching: Matching

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/works/:work", needs: .viewer) { _, context in
            try await message(try context.row("work"))
        }
        table.add(.patch, "api/v1/works/:work", needs: .editor, change)
        table.add(.get, "api/v1/works/:work/history", needs: .viewer) { request, context in
            let id: RowID<Work> = try context.row("work")
            let paging = try Paging(Query(request))
            _ = try await library.work(id)
            let (events, total) = try await library.reviewHistory(of: id, limit: paging.limit, offset: paging.offset)
            return paging.page(events, total: total)
        }
        table.add(.post, "api/v1/works/:work/match", needs: .editor) { request, context in
            let id: RowID<Work> = try context.row("work")
            _ = try await library.work(id)
            guard let copy = try await library.copies(of: id).first else { throw Problem.notFound }
            return try await matching.respond(to: request, entry: copy.entry.id)
        }
    }

    private func message(_ id: RowID<Work>, undoToken: String? = nil) async throws -> LibraryWork {
        var message = LibraryWork(try await library.work(id), copies: try await library.copies(of: id))
        message.undoToken = undoToken
        return message
    }

    /// Changes the work, and the edition of the copy in the parameter `entry`, or of its first copy.
    private func change(_ request: Request, _ context: AppContext) async throws -> LibraryWork {
        let id: RowID<Work> = try context.row("work")
        let revision = try RevisionTag.required(request)
        let change: BookCorrection = try await request.json()
        _ = try await library.work(id)
        let edited: RowID<LibraryEntry>? = try Query(request).row("entry")
        let copies = try await library.copies(of: id)
        guard let copy = copies.first(where: { edited == nil || $0.entry.id == edited }) else {
            throw Problem.notFound
        }
        let (_, token) = try await library.undoable {
            try await $0.correct(copy.entry.id, ifRevision: revision, change.apply)
        }
        return try await message(id, undoToken: token)
    }
}

/// Previews and applies the match of a copy with a chosen record.
struct Matching: Sendable {
    let library: LibraryStore
    let online: OnlineServices
    let covers: CoverQueue

    func respond(to request: Request, entry: RowID<LibraryEntry>) async throws -> MatchChanges {
        let wanted: MatchRequestMessage = try await request.json()
        var changes = try await library.previewMatch(entry, with: wanted.record.received)
        guard wanted.confirm else { return changes }
        let revision = try RevisionTag.optional(request) ?? RevisionTag.revision(changes.etag)
        let (work, token) = try await library.undoable {
            try await $0.applyMatch(entry, with: wanted.record.received, ifRevision: revision)
        }
        // In the background, because the match does not depend on the cover.
        if let name = wanted.record.coverName, let url = online.coverURL(named: name) {
            await covers.fetch(url, for: entry, onlyMissing: false)
        }
        changes.applied = true
        changes.workId = "\(work.id)"
        changes.undoToken = token
        changes.etag = RevisionTag.of(work.revision)
        return changes
    }
}

private struct MatchRequestMessage: Decodable {
    var record: SearchRecord
    var confirm: Bool
}
