package import Foundation
import ShelflistAPI
import Storage

/// Stores the keys of apps in `apps.json`, which only its owner can read.
///
/// The command line changes the file while the server runs.
package final class AppKeyBook: Sendable {
    private let file: CachedJSONFile<[AppKey]>

    /// Seconds within which a further use is not written to disk.
    static let usePrecision: TimeInterval = 60

    /// - Parameter folder: the data folder.
    package init(folder: URL) {
        file = CachedJSONFile(
            JSONFile(
                folder.appending(path: "apps.json"), as: .secret, keepsVersions: true,
                fix: "If you remove it, the apps have to be connected again."),
            content: [], missing: [])
    }

    /// Returns all keys, oldest first.
    ///
    /// - Throws: `StorageError` if the file is damaged or cannot be read.
    package func keys() throws -> [AppKey] { try file.current() }

    /// Creates a key.
    ///
    /// - Parameter member: the member to whom it belongs; `nil` for the first owner.
    /// - Returns: the key and its secret, which is not stored.
    /// - Throws: `AppKeyError`; `StorageError` if the file cannot be read or written.
    package func add(_ name: String, member: String?, at time: Date) throws -> (key: AppKey, secret: String) {
        try Self.check(name: name)
        let secret = Secret.appKey()
        let key = AppKey(
            id: UUID().uuidString.lowercased(), name: name, member: member, hash: Secret.hash(secret), createdAt: time)
        try change { keys in
            let own = keys.filter { $0.member == member }
            guard own.count < AppKey.maxKeysPerMember else { throw AppKeyError.tooMany }
            guard !own.contains(where: { $0.name == name }) else { throw AppKeyError.nameTaken(name) }
            keys.append(key)
        }
        return (key, secret)
    }

    /// Changes the keys and writes them to disk.
    ///
    /// - Throws: the errors of `body`; `StorageError` if the file cannot be read or written. Nothing is changed then.
    package func change<T>(_ body: (inout [AppKey]) throws -> T) throws -> T { try file.change(body) }

    /// Revokes keys at once, also if that cannot be stored now; see `CachedJSONFile.changeAtOnce`.
    ///
    /// - Throws: the errors of `body`; nothing is changed then.
    func changeAtOnce<T>(_ body: @escaping @Sendable (inout [AppKey]) throws -> T) throws -> T {
        try file.changeAtOnce(body)
    }

    /// Whether keys were revoked and that could not be stored yet.
    var isUnsaved: Bool { file.isUnsaved }

    /// Stores what could not be stored before.
    ///
    /// - Throws: `StorageError`.
    func store() throws { try file.store() }

    /// Returns the key with that secret, and records its use.
    ///
    /// - Returns: `nil` for a wrong or revoked key.
    /// - Throws: `StorageError` if the file cannot be read or written.
    func use(_ secret: String, device: String?, at time: Date) throws -> AppKey? {
        let hash = Secret.hash(secret.lowercased())
        guard let key = try keys().first(where: { $0.hash.isSame(as: hash) }) else { return nil }
        let isRecent = key.lastUsedAt.map { abs(time.timeIntervalSince($0)) < Self.usePrecision } ?? false
        if isRecent {
            // Devices choose their own names, so a new one must not write to disk at once.
            if let device, !key.devices.contains(where: { $0.name == device }) {
                file.updateTransient { keys in
                    guard let index = keys.firstIndex(where: { $0.id == key.id }) else { return }
                    keys[index].use(at: key.lastUsedAt ?? time, device: device)
                }
            }
            return key
        }
        return try change { keys in
            guard let index = keys.firstIndex(where: { $0.id == key.id }) else { return nil }
            keys[index].use(at: time, device: device)
            return keys[index]
        }
    }

    static func check(name: String) throws {
        guard AccessName.isValid(name) else { throw AppKeyError.invalidName }
    }
}

/// An app that cannot be connected or changed.
package enum AppKeyError: ReportedError, Hashable {
    case invalidName
    case nameTaken(String)
    case tooMany

    package var problemCode: String {
        switch self {
        case .invalidName: "invalid_field"
        case .nameTaken: "name_taken"
        case .tooMany: "too_many_apps"
        }
    }

    package var field: String? { self == .tooMany ? nil : "name" }

    package var description: String {
        switch self {
        case .invalidName: "The name of the app must have 1 to 64 characters and no control characters."
        case .nameTaken(let name): "An app called '\(name)' is already connected. Choose another name, or revoke it."
        case .tooMany: "A member can connect at most \(AppKey.maxKeysPerMember) apps. Revoke one first."
        }
    }
}
