package import Foundation
import Crypto
import Scans
import Storage
import Synchronization

/// Stores the accounts in memory and in `accounts.json`, which only its owner can read.
///
/// Every change is on disk before it is acknowledged.
package final class AccountBook: Sendable {
    private let file: JSONFile<State>
    private let state: Mutex<State>
    /// Held while a change is written, so that requests, which read the state, do not wait for the disk.
    private let writing = Mutex(())

    private struct State: Codable, Equatable {
        var accounts = Accounts()
        /// Signs job tokens and the cookies of known browsers.
        var key: Data
    }

    package let jobTokens: JobTokens
    let knownBrowsers: KnownBrowsers

    /// Reads the file, or creates it.
    ///
    /// - Throws: `StorageError`.
    package init(file url: URL) throws {
        file = Self.stored(url)
        let state: State
        if let stored = try file.load() {
            state = stored
        } else {
            state = State(key: Data(SymmetricKey(size: .bits256).bytes))
            try file.save(state)
        }
        jobTokens = JobTokens(key: state.key)
        knownBrowsers = KnownBrowsers(key: state.key)
        self.state = Mutex(state)
    }

    private static func stored(_ url: URL) -> JSONFile<State> {
        JSONFile(
            url, as: .secret,
            fix: "Restore it from a backup, or remove it to create a new owner and sign everyone out.")
    }

    /// A member as the command line names it.
    package struct Name: Hashable, Sendable {
        package let id: String
        package let name: String
        package let isOwner: Bool
    }

    package static let fileName = "accounts.json"

    /// Returns the members without creating or changing the file; empty if it does not exist.
    ///
    /// - Throws: `StorageError`.
    package static func members(in folder: URL) throws -> [Name] {
        let members = try stored(folder.appending(path: fileName)).load()?.accounts.members ?? []
        return members.map { Name(id: $0.id, name: $0.name, isOwner: $0.role == .owner) }
    }

    package var hasOwner: Bool { read(\.hasOwner) }

    func read<T>(_ body: (Accounts) throws -> T) rethrows -> T { try state.withLock { try body($0.accounts) } }

    /// Changes the accounts and writes them to disk, unless nothing has changed.
    ///
    /// Transient values that are updated during the write may be lost.
    ///
    /// - Throws: the errors of `body`; `StorageError` if the file cannot be written. Nothing is changed then.
    func change<T>(_ body: (inout Accounts) throws -> T) throws -> T {
        try writing.withLock { _ in
            let current = state.withLock { $0 }
            var changed = current
            let value = try body(&changed.accounts)
            guard changed != current else { return value }
            try file.save(changed)
            state.withLock { $0 = changed }
            return value
        }
    }

    /// Changes values that may be lost in a crash, such as the time of last use, without writing to disk.
    func updateTransient(_ body: (inout Accounts) -> Void) { state.withLock { body(&$0.accounts) } }

    /// Whether a caller may see a scan job: its token's holder, its client, and the owner.
    ///
    /// The token of a job gives no access once the member who started the job was removed.
    func allows(_ caller: Caller, toSee job: ScanJob) -> Bool {
        if caller.jobTokenSubject == job.id {
            guard job.client.hasPrefix(Caller.memberPrefix) else { return true }
            let member = job.client.dropFirst(Caller.memberPrefix.count).prefix { $0 != " " }
            return read { $0.member(String(member)) != nil }
        }
        return caller.role == .owner || job.client == caller.client || job.client.hasPrefix(caller.client + " ")
    }
}
