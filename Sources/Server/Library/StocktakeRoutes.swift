import HTTPTypes
import Hummingbird
import Library
import NIOCore
import ShelflistAPI

/// The routes for stocktakes.
struct StocktakeRoutes: Sendable {
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/stocktakes", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            let (all, total) = try await library.stocktakes(limit: paging.limit, offset: paging.offset)
            return paging.page(all, total: total)
        }
        table.add(.post, "api/v1/stocktakes", needs: .editor, start)
        table.add(.get, "api/v1/stocktakes/:stocktake", needs: .viewer) { _, context in
            try await library.stocktake(try context.row("stocktake"))
        }
        table.add(.delete, "api/v1/stocktakes/:stocktake", needs: .editor) { _, context in
            let id: RowID<Stocktake> = try context.row("stocktake")
            let (_, token) = try await library.undoable { try await $0.removeStocktake(id) }
            return ActionOutcome(changed: 1, undoToken: token)
        }
        table.add(.get, "api/v1/stocktakes/:stocktake/copies", needs: .viewer) { request, context in
            let query = Query(request)
            let (id, filter): (RowID<Stocktake>, StocktakeFilter) = (try context.row("stocktake"), try filter(query))
            let page = try await library.copies(of: id, filter, from: try cursor(query), limit: try query.limit())
            return Page(items: page.copies, nextCursor: page.next?.description, total: page.total)
        }
        table.add(.get, "api/v1/stocktakes/:stocktake/spines", needs: .viewer, costs: .work, isHeavy: true) {
            request, context in
            let query = Query(request)
            let paging = try Paging(query)
            let (spines, total) = try await library.unsureSpines(
                of: try context.row("stocktake"), on: try query.row("shelf"), limit: paging.limit,
                offset: paging.offset)
            return paging.page(spines, total: total)
        }
        table.add(.post, "api/v1/stocktakes/:stocktake/seen", needs: .editor, see)
        table.add(.post, "api/v1/stocktakes/:stocktake/close", needs: .editor, costs: .work, isHeavy: true) {
            _, context in
            let id: RowID<Stocktake> = try context.row("stocktake")
            let (missing, token) = try await library.undoable { try await $0.closeStocktake(id) }
            return ActionOutcome(changed: missing, undoToken: token)
        }
        table.add(
            .get, "api/v1/stocktakes/:stocktake/report.csv", needs: .viewer, costs: .work, isHeavy: true, list)
        table.add(.get, "api/v1/stocktakes/:stocktake/report", needs: .viewer, costs: .work, isHeavy: true, report)
    }

    private func start(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let new: NewStocktake = try await request.json()
        try Problem.check(new.shelves ?? [], "shelves", atMost: RequestBounds.stocktakeShelves)
        try Problem.check(new.tags ?? [], "tags", atMost: RequestBounds.stocktakeTags)
        try Problem.check(new.copies ?? [], "copies", atMost: RequestBounds.ids)
        let shelves: [RowID<Shelf>] = try (new.shelves ?? []).map(RowID.named)
        let copies: [RowID<LibraryEntry>] = try (new.copies ?? []).map(RowID.named)
        let isEverything = new.shelves == nil && new.tags == nil && new.copies == nil
        let scope: StocktakeScope =
            isEverything ? .everything : .some(shelves: shelves, tags: new.tags ?? [], copies: copies)
        let person = context.caller.name
        let (started, token) = try await library.undoable {
            try await $0.startStocktake(named: new.name, of: scope, by: person)
        }
        var stocktake = started
        stocktake.undoToken = token
        return stocktake.created(at: "/api/v1/stocktakes/\(stocktake.id)")
    }

    /// Reads which copies a query asks for; those inside its shelf count.
    private func filter(_ query: Query) throws -> StocktakeFilter {
        let state: StocktakeCopy.State? = try query.choice("state")
        return StocktakeFilter(states: state.map { [$0] }, shelf: try query.row("shelf"))
    }

    private func cursor(_ query: Query) throws -> StocktakeCursor? {
        try query.text("cursor").map { text in
            guard let cursor = StocktakeCursor(text) else { throw Problem.invalidCursor }
            return cursor
        }
    }

    private func see(_ request: Request, _ context: AppContext) async throws -> SeenOutcome {
        let id: RowID<Stocktake> = try context.row("stocktake")
        let seen: SeenCopies = try await request.json()
        guard (seen.copies == nil) != (seen.barcode == nil) else {
            throw Problem.invalidField("copies", "Send either 'copies' or 'barcode'.")
        }
        let shelf: RowID<Shelf>? = try seen.shelf.map(RowID.named)
        let spine: RowID<Detection>? = try seen.detection.map(RowID.named)
        let ids: [RowID<LibraryEntry>]
        if let barcode = seen.barcode {
            ids = [try await library.copy(withBarcode: barcode)]
        } else {
            try Problem.check(seen.copies ?? [], "copies", atLeast: 1, atMost: RequestBounds.ids)
            ids = try (seen.copies ?? []).map(RowID.named)
        }
        let method: StocktakeCopy.Method = seen.barcode == nil ? .hand : .barcode
        let (result, token) = try await library.undoable { library in
            seen.seen == false
                ? try await library.unsee(ids, in: id)
                : try await library.see(ids, in: id, on: shelf, by: method, spine: spine)
        }
        return SeenOutcome(changed: result.changed, copies: result.copies, undoToken: token)
    }

    /// Answers with the list in pieces.
    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let id: RowID<Stocktake> = try context.row("stocktake")
        let export = try await StocktakeExport(of: id, try filter(Query(request)), in: library)
        let body = ResponseBody { writer in
            var export = export
            while let piece = try await export.piece() { try await writer.write(ByteBuffer(string: piece)) }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: .download("stocktake.csv", type: "text/csv; charset=utf-8"), body: body)
    }

    /// Answers with a page of the report: the first one has the totals, each has the copies of its part.
    private func report(_ request: Request, _ context: AppContext) async throws -> Response {
        let query = Query(request)
        let language = try query.choice("language", StocktakePage.Language.self) ?? .en
        let limit = try query.integer("limit", in: 1...RequestBounds.pageSize) ?? RequestBounds.pageSize
        let (id, cursor): (RowID<Stocktake>, StocktakeCursor?) = (try context.row("stocktake"), try cursor(query))
        let (stocktake, part) =
            if let cursor {
                (
                    try await library.stocktakeWithoutCounts(id),
                    try await library.copies(
                        of: id, StocktakeFilter(states: StocktakePage.states), from: cursor, limit: limit)
                )
            } else {
                try await library.stocktake(id, states: StocktakePage.states, limit: limit)
            }
        let next = part.next.map { "?language=\(language.rawValue)&limit=\(limit)&cursor=\($0)" }
        let page = StocktakePage(
            stocktake: stocktake, copies: part.copies, language: language, isFirst: cursor == nil, next: next)
        var response = PrintedPage.response(page.html)
        if let next { response.headers[.link] = "<\(next)>; rel=\"next\"" }
        return response
    }
}
