package import Foundation
import Crypto
import Library
import Synchronization

/// Stores the accounts in memory and in `accounts.json`, which only its owner can read.
///
/// Every change is on disk before it is acknowledged.
package final class AccountBook: Sendable {
    private let file: URL
    private let state: Mutex<State>

    private struct State: Codable {
        var accounts = Accounts()
        /// Signs job tokens.
        var key: Data
    }

    package let jobTokens: JobTokens

    /// Reads the file, or creates it.
    ///
    /// - Throws: `LibraryError` if the file is not valid or cannot be written; `CocoaError` if it cannot be read.
    package init(file: URL) throws {
        self.file = file
        let state: State
        if FileManager.default.fileExists(atPath: file.path) {
            do {
                state = try JSONDecoder().decode(State.self, from: Data(contentsOf: file))
            } catch is DecodingError {
                throw LibraryError.damaged(
                    "\(file.path) is damaged. Restore it from a backup, or remove it to create a new owner and sign "
                        + "everyone out.")
            }
        } else {
            state = State(key: Data(SymmetricKey(size: .bits256).bytes))
            try Self.write(state, to: file)
        }
        jobTokens = JobTokens(key: state.key)
        self.state = Mutex(state)
    }

    package var hasOwner: Bool { read(\.hasOwner) }

    func read<T>(_ body: (Accounts) throws -> T) rethrows -> T { try state.withLock { try body($0.accounts) } }

    /// Changes the accounts and writes them to disk.
    ///
    /// - Throws: the errors of `body`; `LibraryError` if the file cannot be written. Nothing is changed then.
    func change<T>(_ body: (inout Accounts) throws -> T) throws -> T {
        try state.withLock { state in
            var changed = state
            let value = try body(&changed.accounts)
            try Self.write(changed, to: file)
            state = changed
            return value
        }
    }

    /// Changes values that may be lost in a crash, such as the time of last use, without writing to disk.
    func updateTransient(_ body: (inout Accounts) -> Void) { state.withLock { body(&$0.accounts) } }

    /// Returns the owner's decision about a device.
    ///
    /// New devices are stored, up to `Accounts.maxWaitingDevices`.
    func registerDevice(_ name: String, address: String, at time: Date) throws -> Accounts.Device.State {
        let known = read { $0.devices.first { $0.deviceID == name } }
        if let known {
            updateTransient { accounts in
                guard let index = accounts.devices.firstIndex(where: { $0.id == known.id }) else { return }
                accounts.devices[index].lastSeen = time
                accounts.devices[index].address = address
            }
            return known.state
        }
        try change { accounts in
            guard accounts.devices.count(where: { $0.state == .waiting }) < Accounts.maxWaitingDevices else { return }
            accounts.devices.append(
                .init(
                    id: UUID().uuidString.lowercased(), deviceID: name, state: .waiting, firstSeen: time,
                    lastSeen: time, address: address))
        }
        return .waiting
    }

    private static func write(_ state: State, to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try DurableFile.write(try encoder.encode(state), to: file, permissions: 0o600)
    }
}
