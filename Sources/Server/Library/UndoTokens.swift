import Foundation
import Library
import ShelflistAPI

/// The actions that the tokens of `POST /undo` take back.
///
/// The library undoes its actions in reverse order, so a token is valid while its action is the last one.
actor UndoTokens {
    private let library: LibraryStore
    private var actions: [(token: String, count: Int)] = []
    private static let kept = 100

    init(library: LibraryStore) { self.library = library }

    /// - Parameter count: of the library's actions that the token takes back together.
    func note(_ count: Int = 1) -> String? {
        guard count > 0 else { return nil }
        let token = UUID().uuidString.lowercased()
        actions.append((token, count))
        if actions.count > Self.kept { actions.removeFirst() }
        return token
    }

    /// - Returns: the number of works that were restored.
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
