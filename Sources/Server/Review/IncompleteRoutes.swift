import Hummingbird
import Library
import Lookup
import ShelflistAPI

/// The routes that ask sources for books without a record or cover.
struct IncompleteRoutes: Sendable {
    let library: LibraryStore
    let search: IncompleteSearch

    func add(to table: inout RouteTable) {
        let path = "api/v1/review/incomplete/find"
        table.add(.get, path, needs: .viewer) { _, _ in try await message() }
        table.add(.post, path, needs: .editor) { _, _ in
            guard !search.isOff else {
                throw Problem(
                    "not_ready", status: 409, title: "No source is on",
                    detail: "No source of records is on. Turn one on in the settings, or download the catalog.")
            }
            _ = try await search.start()
            return try await message()
        }
        table.add(.delete, path, needs: .editor) { _, _ in
            await search.stop()
            return try await message()
        }
    }

    private func message() async throws -> IncompleteSearchMessage {
        let state = await search.state
        return IncompleteSearchMessage(
            status: state.status.rawValue, sourcesOn: !search.isOff, total: state.total, done: state.done,
            completed: state.completed, failures: state.failures,
            undoToken: try await library.shown(state.undoToken))
    }
}

private struct IncompleteSearchMessage: ResponseEncodable {
    var status: String
    var sourcesOn: Bool
    var total: Int
    var done: Int
    var completed: Int
    var failures: [String]
    @Null var undoToken: String?
}

extension LibraryStore {
    fileprivate func shown(_ token: UndoToken?) async throws -> String? {
        guard let token else { return nil }
        return try await shown(token)
    }
}
