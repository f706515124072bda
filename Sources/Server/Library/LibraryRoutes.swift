import Bibliography
import Foundation
import Hummingbird
import Library
import Lookup
import ShelflistAPI

/// The routes for the copies in the library: list, show, edit, lend.
struct LibraryRoutes: Sendable {
    let library: LibraryStore
    let online: OnlineCatalogs
    let covers: CoverQueue

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/library", needs: .viewer, list)
        table.add(.post, "api/v1/library", needs: .editor, create)
        table.add(.post, "api/v1/library/bulk", needs: .editor, bulk)
        table.add(.get, "api/v1/library/:entry", needs: .viewer) { _, context in
            try await message(try context.row("entry"))
        }
        table.add(.patch, "api/v1/library/:entry", needs: .editor, change)
        table.add(.delete, "api/v1/library/:entry", needs: .editor) { request, context in
            let entry: RowID<LibraryEntry> = try context.row("entry")
            let revision = try RevisionTag.optional(request)
            let (_, token) = try await library.undoable { try await $0.remove(entry, ifRevision: revision) }
            return ActionOutcome(changed: 1, undoToken: token)
        }
        table.add(.put, "api/v1/library/:entry/loan", needs: .editor, lend)
        table.add(.delete, "api/v1/library/:entry/loan", needs: .editor) { _, context in
            try await setLoan(context) {
                if $0.ownership == .lent { $0.comesBack() }
            }
        }
        table.add(.get, "api/v1/library/:entry/position", needs: .viewer) { _, context in
            let detail = try await library.entry(try context.row("entry"))
            return PlaceMessage(
                shelf: detail.shelf.map { ShelfReference(id: "\($0.id)", name: $0.name) },
                position: detail.shownDetection.map(SpinePosition.init))
        }
        table.add(.get, "api/v1/find", needs: .viewer) { request, _ in
            let query = Query(request)
            guard let text = try query.text("q"), !text.trimmingCharacters(in: .whitespaces).isEmpty else {
                throw Problem.invalidField("q", "The query has no search text. Send it as ?q=…", status: 400)
            }
            return LocatedBooks(books: try await library.find(text).map(LocatedBook.init))
        }
        table.add(.get, "api/v1/changes", needs: .viewer) { _, _ in
            LibraryVersion(version: try await library.version())
        }
        table.add(.get, "api/v1/tags", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            return paging.page(of: try await library.tags()) { CountMessage(key: $0.name, count: $0.entries) }
        }
    }

    // MARK: The list

    private enum WireReading: String, CaseIterable { case toRead, reading, read }

    private func list(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let query = Query(request)
        let paging = try Paging(query)
        var wanted = EntryQuery(
            text: try query.text("q"), sort: try query.choice("sort") ?? .title, limit: paging.limit)
        wanted.offset = paging.offset
        wanted.shelf = try query.row("shelf")
        wanted.tag = try query.text("tag")
        wanted.ownership = try query.choice("ownership")
        wanted.isOverdue = try query.flag("overdue") ?? false
        wanted.reading = try query.choice("readingStatus", WireReading.self).map {
            try ReadingStatus.named($0.rawValue)
        }
        wanted.reviewStatus = try query.flag("needsReview") == true ? .needsReview : nil
        wanted.descending = try query.flag("descending") ?? false
        let message: Page<LibraryBook>
        if try query.flag("missingCover") == true {
            // The store has no such filter, and the list is short enough to filter in memory.
            (wanted.limit, wanted.offset) = (nil, 0)
            let missing = try await library.entries(wanted).entries.filter { $0.cover == nil }
            message = paging.page(of: missing, LibraryBook.init)
        } else {
            let found = try await library.entries(wanted)
            message = paging.page(found.entries.map(LibraryBook.init), total: found.total)
        }
        return try message.tagged()
    }

    // MARK: One copy

    private func message(_ id: RowID<LibraryEntry>, undoToken: String? = nil) async throws -> LibraryBook {
        var message = LibraryBook(try await library.entry(id))
        message.undoToken = undoToken
        return message
    }

    private func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let new: NewBook = try await request.json()
        let book = try new.book()
        let details = try new.copy()
        switch new.duplicates ?? "ask" {
        case "addCopy": break
        case "skip", "ask":
            // What is only wished for becomes this copy.
            let same = try await library.copies(sameAs: book).filter {
                $0.ownership != .wishlist || details.ownership == .wishlist
            }
            guard same.isEmpty else {
                return try ExistingBooks(bookId: "", certainty: "same", existing: same.map(LibraryBook.init))
                    .response(from: request, context: context)
            }
        default: throw Problem.invalidField("duplicates", "'duplicates' must be skip, addCopy or ask.")
        }
        let (added, token) = try await library.undoable { try await $0.add(book, entry: details) }
        let entry = added.id
        if let name = new.record?.coverName, let url = online.coverURL(named: name) {
            await covers.fetch(url, for: entry)
        }
        return try await message(entry, undoToken: token).created(at: "/api/v1/library/\(entry)")
            .response(from: request, context: context)
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> LibraryBook {
        let id: RowID<LibraryEntry> = try context.row("entry")
        let revision = try RevisionTag.required(request)
        let change: BookChange = try await request.json()
        var details = try await library.entry(id).entry.details
        try change.apply(to: &details)
        let edition: RowID<Edition>? = try change.editionId.map(RowID.named)
        let (_, token) = try await library.undoable { [details] in
            try await $0.update(id, to: details, edition: edition, ifRevision: revision)
        }
        return try await message(id, undoToken: token)
    }

    private func bulk(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let bulk: BulkMessage = try await request.json()
        guard (1...10_000).contains(bulk.ids.count) else {
            throw Problem.invalidField("ids", "'ids' must have 1 to 10,000 entries.")
        }
        let ids: [RowID<LibraryEntry>] = try bulk.ids.map(RowID.named)
        let (count, token) = try await library.undoable { library in
            bulk.delete == true
                ? try await library.removeAll(ids)
                : try await library.updateAll(ids) { try bulk.apply(to: &$0) }
        }
        return ActionOutcome(changed: count, undoToken: token)
    }

    private func edit(
        _ id: RowID<LibraryEntry>, in library: LibraryStore, _ change: (inout EntryDetails) throws -> Void
    ) async throws {
        let entry = try await library.entry(id).entry
        var details = entry.details
        try change(&details)
        _ = try await library.update(id, to: details, ifRevision: entry.revision)
    }

    // MARK: Loans and positions

    private func lend(_ request: Request, _ context: AppContext) async throws -> LibraryBook {
        let loan: Loan = try await request.json()
        return try await setLoan(context) { try loan.apply(to: &$0) }
    }

    private func setLoan(_ context: AppContext, _ set: (inout EntryDetails) throws -> Void) async throws -> LibraryBook
    {
        let id: RowID<LibraryEntry> = try context.row("entry")
        let (_, token) = try await library.undoable { try await edit(id, in: $0, set) }
        return try await message(id, undoToken: token)
    }
}

private struct PlaceMessage: ResponseEncodable {
    @Null var shelf: ShelfReference?
    @Null var position: SpinePosition?

    init(shelf: ShelfReference?, position: SpinePosition?) {
        self.shelf = shelf
        self.position = position
    }
}

struct CountMessage: Codable {
    var key: String
    var count: Int
}
