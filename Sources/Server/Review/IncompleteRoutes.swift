import Hummingbird
import Lookup
import ShelflistAPI

/// The routes that ask sources for books without a record or cover.
struct IncompleteRoutes: Sendable {
    let search: IncompleteSearch

    func add(to table: inout RouteTable) {
        let path = "api/v1/review/incomplete/find"
        table.add(.get, path, needs: .viewer) { _, _ in try await search.state() }
        table.add(.post, path, needs: .editor) { _, _ in
            guard !search.isOff else {
                throw Problem(
                    "not_ready", status: 409, title: "No source is on",
                    detail: "No source of records is on. Turn one on in the settings, or download the catalog.")
            }
            try await search.start()
            return try await search.state()
        }
        table.add(.delete, path, needs: .editor) { _, _ in
            await search.stop()
            return try await search.state()
        }
    }
}
