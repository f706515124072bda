import Library

extension LibraryStore {
    /// Runs a change whose actions are undone together.
    ///
    /// - Returns: the value of `change`, and the token of `POST /undo`; nil if nothing was changed.
    func undoable<T>(_ change: (LibraryStore) async throws -> T) async throws -> (value: T, undoToken: String?) {
        let token = UndoToken()
        let value = try await change(actions(as: token))
        return (value, try await shown(token))
    }
}
