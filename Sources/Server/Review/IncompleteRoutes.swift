import Hummingbird
import Library
import Lookup
import ShelflistAPI

/// The routes that ask sources for books without a record or cover, or for chosen ones.
struct IncompleteRoutes: Sendable {
    let search: IncompleteSearch

    func add(to table: inout RouteTable) {
        let path = "api/v1/review/incomplete/find"
        table.add(.get, path, needs: .viewer) { _, _ in try await search.state() }
        table.add(.post, path, needs: .editor) { request, _ in
            let chosen = try await Self.chosen(request)
            guard !search.isOff else {
                throw Problem(
                    "not_ready", status: 409, title: "No source is on",
                    detail: "No source of records is on. Turn one on in the settings, or download the catalog.")
            }
            // The state of another run would look like that of the chosen books.
            guard try await search.start(chosen) || chosen == nil else {
                throw Problem(
                    "not_possible", status: 409, title: "A search is running",
                    detail: "Another search is running. Wait until it has ended, or stop it.")
            }
            return try await search.state()
        }
        table.add(.delete, path, needs: .editor) { _, _ in
            await search.stop()
            return try await search.state()
        }
    }

    private struct Chosen: Decodable {
        var ids: [String]
    }

    /// Returns the copies that a request names; nil without a body.
    private static func chosen(_ request: Request) async throws -> [RowID<LibraryEntry>]? {
        guard request.mediaType != nil else { return nil }
        let wanted: Chosen = try await request.json()
        try Problem.check(ids: wanted.ids, atLeast: 1)
        return try wanted.ids.map(RowID.named)
    }
}
