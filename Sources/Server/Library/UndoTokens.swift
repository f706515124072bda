import Foundation
import Library
import ShelflistAPI

/// Creates and redeems the tokens of `POST /undo`.
///
/// The library undoes its actions in reverse order, so a token is valid only while its action is the last one.
actor UndoTokens {
    private let library: LibraryStore
    private var actions: [(token: String, count: Int)] = []
    private static let kept = 100

    init(library: LibraryStore) { self.library = library }

    /// Creates a token for the last actions.
    ///
    /// - Parameter count: the number of library actions that the token undoes together.
    /// - Returns: `nil` if `count` is 0.
    func note(_ count: Int = 1) -> String? {
        guard count > 0 else { return nil }
        let token = UUID().uuidString.lowercased()
        actions.append((token, count))
        if actions.count > Self.kept { actions.removeFirst() }
        return token
    }

    /// Undoes the actions of a token.
    ///
    /// - Returns: the number of restored works.
    /// - Throws: `Problem` if the token has expired or is not the last one; `LibraryError`.
    func undo(_ token: String) async throws -> Int {
        guard let index = actions.lastIndex(where: { $0.token == token }) else {
            throw Problem(
                "not_possible", status: 409, title: "Cannot be undone",
                detail: "This action has already been undone or is too old. Edit the book instead.")
        }
        guard index == actions.indices.last else {
            throw Problem(
                "not_possible", status: 409, title: "Cannot be undone yet",
                detail: "There are later actions. Undo them first.")
        }
        let action = actions.removeLast()
        var works = 0
        for _ in 0..<action.count { works += try await library.undo()?.works.count ?? 0 }
        return works
    }
}
