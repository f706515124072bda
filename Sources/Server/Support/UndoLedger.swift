import Foundation
import Library
import ShelflistAPI

/// Which actions the tokens of `POST /undo` stand for.
///
/// The library takes back its last action, one after the other; a token is good while its action is the last.
actor UndoLedger {
    private let library: LibraryStore
    private var actions: [(token: String, count: Int)] = []
    private static let kept = 100

    init(library: LibraryStore) { self.library = library }

    /// - Parameter count: how many of the library's actions it was.
    func note(_ count: Int = 1) -> String? {
        guard count > 0 else { return nil }
        let token = UUID().uuidString.lowercased()
        actions.append((token, count))
        if actions.count > Self.kept { actions.removeFirst() }
        return token
    }

    /// - Returns: how many works are as they were.
    /// - Throws: `Problem`, `LibraryError`.
    func undo(_ token: String) async throws -> Int {
        guard let index = actions.lastIndex(where: { $0.token == token }) else {
            throw Problem(
                "not_possible", status: 409, title: "Cannot be undone",
                detail: "This was undone already, or too long ago. Change it by hand.")
        }
        guard index == actions.indices.last else {
            throw Problem(
                "not_possible", status: 409, title: "Cannot be undone yet",
                detail: "Other actions came after this one. Undo them first.")
        }
        let action = actions.removeLast()
        var works = 0
        for _ in 0..<action.count { works += try await library.undo()?.works.count ?? 0 }
        return works
    }
}
