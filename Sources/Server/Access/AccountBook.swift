package import Foundation
import Crypto
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
    /// - Throws: `AccountError.damaged` if the file is not valid; `AccountError` or `CocoaError` if it cannot be
    ///   read or written.
    package init(file: URL) throws {
        self.file = file
        let state: State
        if FileManager.default.fileExists(atPath: file.path) {
            do {
                state = try JSONDecoder().decode(State.self, from: Data(contentsOf: file))
            } catch is DecodingError {
                throw AccountError.damaged(file.path)
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
    /// - Throws: the errors of `body`; `AccountError` if the file cannot be written. Nothing is changed then.
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
        let temporary = file.appendingPathExtension("new")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let data = try encoder.encode(state)
        unlink(temporary.path)
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AccountError(errno: errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch CocoaError.fileWriteOutOfSpace {
            throw AccountError.diskFull
        }
        guard rename(temporary.path, file.path) == 0 else { throw AccountError(errno: errno) }
    }
}

package enum AccountError: Error, Hashable, CustomStringConvertible {
    case damaged(String)
    case notWritten(reason: String)
    case diskFull

    init(errno code: Int32) {
        self = code == ENOSPC || code == EDQUOT ? .diskFull : .notWritten(reason: String(cString: strerror(code)))
    }

    package var description: String {
        switch self {
        case .damaged(let path):
            "\(path) is damaged. Restore it from a backup, or remove it to create a new owner and sign everyone out."
        case .diskFull: "The server's disk is full, so nothing was changed. Free space on it, then try again."
        case .notWritten(let reason): "Could not save the accounts: \(reason). Check the server's disk."
        }
    }
}
