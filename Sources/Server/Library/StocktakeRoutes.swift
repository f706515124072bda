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
            let copies = try await copies(query, context)
            return try Paging(query).page(of: copies) { $0 }
        }
        table.add(.get, "api/v1/stocktakes/:stocktake/spines", needs: .viewer) { request, context in
            let query = Query(request)
            let paging = try Paging(query)
            let (spines, total) = try await library.unsureSpines(
                of: try context.row("stocktake"), on: try query.row("shelf"), limit: paging.limit,
                offset: paging.offset)
            return paging.page(spines, total: total)
        }
        table.add(.post, "api/v1/stocktakes/:stocktake/seen", needs: .editor, see)
        table.add(.post, "api/v1/stocktakes/:stocktake/close", needs: .editor) { _, context in
            let id: RowID<Stocktake> = try context.row("stocktake")
            let (missing, token) = try await library.undoable { try await $0.closeStocktake(id) }
            return ActionOutcome(changed: missing, undoToken: token)
        }
        table.add(.get, "api/v1/stocktakes/:stocktake/report.csv", needs: .viewer) { request, context in
            let copies = try await copies(Query(request), context)
            return Response(
                status: .ok, headers: .download("stocktake.csv", type: "text/csv; charset=utf-8"),
                body: .init(byteBuffer: ByteBuffer(string: StocktakeList.csv(copies))))
        }
        table.add(.get, "api/v1/stocktakes/:stocktake/report", needs: .viewer, report)
    }

    private func start(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let new: NewStocktake = try await request.json()
        try Problem.check(ids: new.copies ?? [], atLeast: 0)
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

    /// Returns the copies with the state and of the shelf in the query; those inside the shelf count.
    private func copies(_ query: Query, _ context: AppContext) async throws -> [StocktakeCopy] {
        let state: StocktakeCopy.State? = try query.choice("state")
        let shelf: RowID<Shelf>? = try query.row("shelf")
        let stocktake: RowID<Stocktake> = try context.row("stocktake")
        var copies = try await library.copies(of: stocktake)
        if let state { copies.removeAll { $0.state != state } }
        if let shelf {
            let inside = Set(try await library.shelves(inside: shelf).map { "\($0)" })
            copies.removeAll { copy in copy.shelf.map { !inside.contains($0.id) } ?? true }
        }
        return copies
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
            try Problem.check(ids: seen.copies ?? [], atLeast: 1)
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

    private func report(_ request: Request, _ context: AppContext) async throws -> Response {
        let language = try Query(request).choice("language", StocktakePage.Language.self) ?? .en
        let id: RowID<Stocktake> = try context.row("stocktake")
        let page = StocktakePage(
            stocktake: try await library.stocktake(id), copies: try await library.copies(of: id), language: language)
        return PrintedPage.response(page.html)
    }
}
