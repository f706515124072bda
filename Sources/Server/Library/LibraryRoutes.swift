import Bibliography
import Foundation
import Hummingbird
import Library
import Lookup
import ShelflistAPI

/// The routes for the copies in the library: list, show, edit, lend.
struct LibraryRoutes: Sendable {
    let library: LibraryStore
    let online: OnlineServices
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
                shelf: detail.shelf.map(ShelfReference.init),
                position: detail.shownDetection.map(SpinePosition.init))
        }
        table.add(.get, "api/v1/find", needs: .viewer) { request, _ in
            let query = Query(request)
            guard let text = try query.text("q"), !text.trimmingCharacters(in: .whitespaces).isEmpty else {
                throw Problem.invalidField("q", "The query has no search text. Send it as ?q=…", status: 400)
            }
            var found = LocatedBooks(books: try await library.find(text))
            let known = Set(found.books.map(\.book.id))
            let read = try await library.findSpines(text)
            found.spines = read.spines.filter { !known.contains($0.entryId ?? "") }
            found.lines = read.lines
            return found
        }
        table.add(.get, "api/v1/find/words", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            let (words, total) = try await library.spineWords(limit: paging.limit, offset: paging.offset)
            return paging.page(words, total: total)
        }
        table.add(.get, "api/v1/changes", needs: .viewer) { _, _ in
            LibraryVersion(version: try await library.version())
        }
        table.add(.get, "api/v1/tags", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            let (tags, total) = try await library.tags(limit: paging.limit, offset: paging.offset)
            return paging.page(tags, total: total)
        }
    }

    // MARK: The list

    private func list(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let query = Query(request)
        let paging = try Paging(query)
        var wanted = EntryQuery(
            text: try query.text("q"), sort: try query.choice("sort") ?? .title, limit: paging.limit)
        wanted.offset = paging.offset
        wanted.shelf = try query.row("shelf")
        wanted.tag = try query.text("tag")
        wanted.series = try query.row("series")
        wanted.ownership = try query.choice("ownership")
        wanted.isOverdue = try query.flag("overdue") ?? false
        wanted.reading = try query.choice("readingStatus")
        wanted.reviewStatus = try query.flag("needsReview") == true ? .needsReview : nil
        wanted.descending = try query.flag("descending") ?? false
        wanted.barcode = try query.text("barcode")
        wanted.condition = try query.choice("condition")
        wanted.isMissing = try query.flag("missing") ?? false
        wanted.isMissingCover = try query.flag("missingCover") ?? false
        let found = try await library.entries(wanted)
        return try paging.page(found.entries, total: found.total).tagged()
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
        guard [nil, "ask", "skip", "addCopy"].contains(new.duplicates) else {
            throw Problem.invalidField("duplicates", "'duplicates' must be skip, addCopy or ask.")
        }
        let source = try new.entrySource()
        let ((added, owned), token) = try await library.undoable { library in
            new.duplicates == "addCopy"
                ? (try await library.add(book, entry: details, from: source), [])
                : try await library.addUnlessOwned(book, entry: details, from: source)
        }
        guard let entry = added?.id else {
            return try ExistingBooks(bookId: "", certainty: "same", existing: owned)
                .response(from: request, context: context)
        }
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
        let edition: RowID<Edition>? = try change.editionId.map(RowID.named)
        let (_, token) = try await library.undoable {
            try await $0.update(id, edition: edition, ifRevision: revision, change.apply)
        }
        return try await message(id, undoToken: token)
    }

    private func bulk(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let bulk: BulkMessage = try await request.json()
        try Problem.check(ids: bulk.ids, atLeast: 1)
        let ids: [RowID<LibraryEntry>] = try bulk.ids.map(RowID.named)
        let (count, token) = try await library.undoable { library in
            bulk.delete == true
                ? try await library.removeAll(ids)
                : try await library.updateAll(ids) { try bulk.apply(to: &$0) }
        }
        return ActionOutcome(changed: count, undoToken: token)
    }

    // MARK: Loans and positions

    private func lend(_ request: Request, _ context: AppContext) async throws -> LibraryBook {
        let loan: Loan = try await request.json()
        return try await setLoan(context, loan.apply)
    }

    private func setLoan(
        _ context: AppContext, _ set: @escaping @Sendable (inout EntryDetails) throws -> Void
    ) async throws -> LibraryBook {
        let id: RowID<LibraryEntry> = try context.row("entry")
        let (_, token) = try await library.undoable { try await $0.update(id, set) }
        return try await message(id, undoToken: token)
    }
}

private struct PlaceMessage: ResponseEncodable {
    @Null var shelf: ShelfReference?
    @Null var position: SpinePosition?
}
