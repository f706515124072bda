import Foundation
import Hummingbird
import Library
import ShelflistAPI

/// The routes for series: list, show, change, and wish for what is missing.
struct SeriesRoutes: Sendable {
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/series", needs: .viewer) { request, _ in
            let query = Query(request)
            let paging = try Paging(query)
            let (series, total) = try await library.series(
                containing: try query.text("q"), withGaps: try query.flag("gaps") ?? false, limit: paging.limit,
                offset: paging.offset)
            return paging.page(series, total: total)
        }
        table.add(.get, "api/v1/series/:series", needs: .viewer) { _, context in
            try await library.series(try context.row("series"))
        }
        table.add(.patch, "api/v1/series/:series", needs: .editor) { request, context in
            let change: SeriesChange = try await request.json()
            let id: RowID<Series> = try context.row("series")
            let (now, token) = try await library.undoable { try await $0.change(series: id, change) }
            var series = try await library.series(now)
            series.undoToken = token
            return series
        }
        table.add(.post, "api/v1/series/:series/wishes", needs: .editor) { request, context in
            let wanted: WishedVolumes = try await request.json()
            let id: RowID<Series> = try context.row("series")
            let (count, token) = try await library.undoable {
                try await $0.wish(forVolumes: wanted.numbers, ofSeries: id)
            }
            return ActionOutcome(changed: count, undoToken: token)
        }
    }
}
