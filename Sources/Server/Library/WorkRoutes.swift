import Bibliography
import Foundation
import Hummingbird
package import Library
import Lookup
package import ShelflistAPI

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
            return paging.page(of: try await library.reviewHistory(of: id, limit: .max), WorkEvent.init)
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
        let preview = try await library.previewMatch(entry, with: wanted.record.received)
        var message = MatchChanges(
            applied: false,
            changes: preview.changes.map { .init(field: $0.field, from: $0.before, to: $0.after) },
            keeps: preview.stays,
            workId: nil, undoToken: nil, etag: RevisionTag.of(preview.revision))
        guard wanted.confirm else { return message }
        let revision = try RevisionTag.optional(request) ?? preview.revision
        let (work, token) = try await library.undoable {
            try await $0.applyMatch(entry, with: wanted.record.received, ifRevision: revision)
        }
        // In the background, because the match does not depend on the cover.
        if let name = wanted.record.coverName, let url = online.coverURL(named: name) {
            await covers.fetch(url, for: entry, onlyMissing: false)
        }
        message.applied = true
        message.workId = "\(work.id)"
        message.undoToken = token
        message.etag = RevisionTag.of(work.revision)
        return message
    }
}

private struct MatchRequestMessage: Decodable {
    var record: SearchRecord
    var confirm: Bool
}

extension BookCorrection {
    /// - Throws: `Problem` for an ISBN that is not valid.
    package func apply(to book: inout BookDetails) throws {
        if let title { book.title = title }
        if let authors {
            // Authors who are already credited keep their roles.
            book.authors = authors.map { name in
                book.authors.first { $0.name == name } ?? AuthorCredit(name: name)
            }
        }
        subtitle.apply(to: &book.subtitle)
        publisher.apply(to: &book.publisher)
        year.apply(to: &book.year)
        pages.apply(to: &book.pages)
        series.apply(to: &book.series)
        language.apply(to: &book.language)
        book.isbn = try isbn.value(from: book.isbn, ISBN.named)
    }
}
