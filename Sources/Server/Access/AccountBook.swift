package import Foundation
import Crypto
import Scans
import Storage

/// Stores the accounts in memory and in `accounts.json`, which only its owner can read.
///
/// Every change is on disk before it is acknowledged, except sign-ins and revocations (`changeAtOnce`).
package final class AccountBook: Sendable {
    private let file: CachedJSONFile<State>

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
        file = CachedJSONFile(
            Self.stored(url), content: State(key: Data(SymmetricKey(size: .bits256).bytes)))
        try file.prepare()
        let key = file.read(\.key)
        jobTokens = JobTokens(key: key)
        knownBrowsers = KnownBrowsers(key: key)
    }

    private static func stored(_ url: URL) -> JSONFile<State> {
        JSONFile(
            url, as: .secret, keepsVersions: true,
            fix: "If you remove it, everyone is signed out, and you create a new owner.")
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

    func read<T>(_ body: (Accounts) throws -> T) rethrows -> T { try file.read { try body($0.accounts) } }

    /// Changes the accounts and writes them to disk, unless nothing has changed.
    ///
    /// Transient values that are updated during the write may be lost.
    ///
    /// - Throws: the errors of `body`; `StorageError` if the file cannot be read or written. Nothing is changed then.
    func change<T>(_ body: (inout Accounts) throws -> T) throws -> T { try file.change { try body(&$0.accounts) } }

    /// Signs in, confirms or revokes at once, also if that cannot be stored now; see `CachedJSONFile.changeAtOnce`.
    ///
    /// - Throws: the errors of `body`; nothing is changed then.
    func changeAtOnce<T>(_ body: @escaping @Sendable (inout Accounts) throws -> T) throws -> T {
        try file.changeAtOnce { try body(&$0.accounts) }
    }

    /// Changes values that may be lost in a crash, such as the time of last use, without writing to disk.
    func updateTransient(_ body: (inout Accounts) -> Void) { file.updateTransient { body(&$0.accounts) } }

    /// Whether something that `changeAtOnce` changed could not be stored yet.
    var isUnsaved: Bool { file.isUnsaved }

    /// Stores what could not be stored before.
    ///
    /// - Throws: `StorageError`.
    func store() throws { try file.store() }

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
