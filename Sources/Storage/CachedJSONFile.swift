import Foundation
import Synchronization

/// A JSON file whose value is kept in memory, and that other processes may change.
///
/// Changes are made one at a time, also between processes (`NAME.lock`), and to the value that the file has: a file that
/// another process has replaced is read again before it is written.
package final class CachedJSONFile<Content: Codable & Equatable & Sendable>: Sendable {
    private struct State {
        var content: Content
        /// Identifies the file from which `content` was read, or to which it was written.
        var stamp: FileStamp?
        /// The changes that `content` has and the file does not, because they could not be stored.
        var unsaved: [@Sendable (inout Content) throws -> Void] = []

        /// Takes the value of a file that another process has changed, and makes the unsaved changes to it.
        mutating func replace(with value: Content) {
            content = value
            for change in unsaved {
                var changed = content
                // What the change is about may be gone from the file.
                if (try? change(&changed)) != nil { content = changed }
            }
        }
    }

    private let file: JSONFile<Content>
    private let missing: Content?
    private let state: Mutex<State>
    /// Held while a change is written, so that readers do not wait for the disk.
    private let writing = Mutex(())

    /// - Parameters:
    ///   - content: the value until the file is read.
    ///   - missing: the value of a file that does not exist; nil if the one in memory stays when the file is removed.
    package init(_ file: JSONFile<Content>, content: Content, missing: Content? = nil) {
        self.file = file
        self.missing = missing
        state = Mutex(State(content: content))
    }

    /// Reads the file, or creates it with the value in memory.
    ///
    /// - Throws: `StorageError`.
    package func prepare() throws {
        try writing.withLock { _ in
            let lock = try file.lock()
            defer { withExtendedLifetime(lock) {} }
            let content = try current()
            if FileStamp(file.url) == nil { try save(content) }
        }
    }

    /// Returns the value in memory, which another process may have changed on disk.
    package func read<T>(_ body: (Content) throws -> T) rethrows -> T { try state.withLock { try body($0.content) } }

    /// Returns the value, after reading the file again if another process has changed it.
    ///
    /// - Throws: `StorageError` if the file has changed and is damaged or cannot be read.
    package func current() throws -> Content {
        try state.withLock { state in
            let stamp = FileStamp(file.url)
            guard stamp != state.stamp else { return state.content }
            if let content = try file.load() ?? missing { state.replace(with: content) }
            state.stamp = stamp
            return state.content
        }
    }

    /// Changes the value and stores it, unless nothing has changed.
    ///
    /// Transient values that are updated during the write may be lost.
    ///
    /// - Throws: the errors of `body`; `StorageError` if the file cannot be read or written. Nothing is changed then.
    package func change<T>(_ body: (inout Content) throws -> T) throws -> T {
        try writing.withLock { _ in
            let lock = try file.lock()
            defer { withExtendedLifetime(lock) {} }
            let current = try current()
            var changed = current
            let value = try body(&changed)
            if changed != current { try save(changed) }
            return value
        }
    }

    /// Changes the value in memory at once, also if the file cannot be locked, read or written now: for what must not wait
    /// for room on the disk, such as revocations.
    ///
    /// A change that could not be stored is stored with the next one, or by `store`, which throws the reason if it fails
    /// again. It is lost if the process ends before. If another process changes the file before, `body` runs again on
    /// the file's value; where it throws then, the other process's value stays.
    ///
    /// - Parameter body: has no effects but on the value.
    /// - Throws: the errors of `body` on the value in memory, or why the file could not be read before; nothing is changed
    ///   then.
    package func changeAtOnce<T>(_ body: @escaping @Sendable (inout Content) throws -> T) throws -> T {
        try writing.withLock { _ in
            let lock = try? file.lock()
            defer { withExtendedLifetime(lock) {} }
            // `saveUnsaved` reads the file again and writes nothing if that fails.
            let unread: (any Error)?
            do {
                _ = try current()
                unread = nil
            } catch { unread = error }
            let value = try state.withLock { state in
                var changed = state.content
                let value: T
                do { value = try body(&changed) } catch { throw unread ?? error }
                // The file may have what the value in memory lacks.
                if changed != state.content || unread != nil {
                    state.content = changed
                    state.unsaved.append { _ = try body(&$0) }
                }
                return value
            }
            if lock != nil { do { try saveUnsaved() } catch {} }
            return value
        }
    }

    /// Changes values that may be lost in a crash, such as the time of last use, without writing to disk.
    package func updateTransient(_ body: (inout Content) -> Void) { state.withLock { body(&$0.content) } }

    /// Whether there is a change that could not be stored yet.
    package var isUnsaved: Bool { state.withLock { !$0.unsaved.isEmpty } }

    /// Stores the change that could not be stored before, if there is one.
    ///
    /// - Throws: `StorageError`.
    package func store() throws {
        guard isUnsaved else { return }
        try writing.withLock { _ in
            let lock = try file.lock()
            defer { withExtendedLifetime(lock) {} }
            try saveUnsaved()
        }
    }

    /// Requires the file's lock.
    private func saveUnsaved() throws {
        let content = try current()
        guard isUnsaved else { return }
        do { try save(content) } catch {
            // The file may have the value already, and only the folder was not synced.
            state.withLock { $0.stamp = FileStamp(file.url) }
            throw error
        }
    }

    private func save(_ content: Content) throws {
        try file.save(content)
        let stamp = FileStamp(file.url)
        state.withLock { $0 = State(content: content, stamp: stamp) }
    }
}
