package import Foundation
package import Logging
import Storage
import Synchronization

/// What the audit log records.
package enum AuditEvent: String, Codable, CaseIterable, Sendable {
    case ownerCreated, signedIn, signInFailed, signedOut, sessionEnded, sessionsEnded
    case passwordChanged, passwordReset, secondFactorOn, secondFactorOff, recoveryCodeUsed, openIDLinked
    case openIDUnlinked, settingsChanged
    case memberAdded, memberRemoved, roleChanged
    case tokenAdded, tokenRevoked, appConnected, appRevoked
    case backupDownloaded
}

/// One sign-in, or one change of members or of what gives access.
package struct AuditEntry: Codable, Hashable, Sendable {
    package let time: Date
    package let event: AuditEvent
    /// The name of the member who acted; `nil` if unknown.
    package let member: String?
    /// What was changed: the name of another member, a token or an app.
    package let subject: String?
    /// The client's IP address.
    package let address: String?
}

/// Stores the audit log in memory and in `audit.jsonl`, which only its owner can read, and writes it to the server's log.
///
/// Entries are appended without waiting for the disk: the last ones may be lost when the machine loses power.
package final class AuditLog: Sendable {
    private let file: URL
    private let logger: Logger
    private let state: Mutex<State>

    private struct State {
        /// Oldest first.
        var entries: [AuditEntry]
        /// The number of lines of the file.
        var lines: Int
    }

    /// The number of entries that are kept.
    package static let maxEntries = 5000
    package static let fileName = "audit.jsonl"

    /// Reads the file.
    ///
    /// Lines that are not entries, such as one that was written when power was lost, are skipped.
    package init(folder: URL, logger: Logger) {
        file = folder.appending(path: Self.fileName)
        self.logger = logger
        let lines = ((try? Data(contentsOf: file)) ?? Data()).split(separator: UInt8(ascii: "\n"))
        let entries = lines.compactMap { try? JSONDecoder().decode(AuditEntry.self, from: Data($0)) }
        state = Mutex(State(entries: entries.suffix(Self.maxEntries), lines: lines.count))
    }

    /// Returns all entries, newest first.
    package var entries: [AuditEntry] { state.withLock { $0.entries.reversed() } }

    /// Adds an entry.
    package func record(
        _ event: AuditEvent, member: String?, subject: String? = nil, address: String?, at time: Date
    ) {
        let entry = AuditEntry(time: time, event: event, member: member, subject: subject, address: address)
        var metadata: Logger.Metadata = ["event": "\(event.rawValue)"]
        metadata["member"] = member.map { "\($0)" }
        metadata["subject"] = subject.map { "\($0)" }
        metadata["address"] = address.map { "\($0)" }
        logger.notice(event == .signInFailed ? "sign-in failed" : "access changed", metadata: metadata)
        do {
            try state.withLock { state in
                state.entries.append(entry)
                if state.entries.count > Self.maxEntries { state.entries.removeFirst() }
                state.lines += 1
                if state.lines > 2 * Self.maxEntries {
                    try rewrite(&state)
                } else {
                    try append(entry)
                }
            }
        } catch {
            logger.error("Could not write the audit log", metadata: ["error": "\(error)"])
        }
    }

    private func append(_ entry: AuditEntry) throws {
        if !FileManager.default.fileExists(atPath: file.path) {
            try DurableFile.write(Data(), to: file, as: .secret)
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        _ = try handle.seekToEnd()
        try handle.write(contentsOf: try Self.line(entry))
    }

    private func rewrite(_ state: inout State) throws {
        let lines = try state.entries.map(Self.line)
        try DurableFile.write(Data(lines.joined()), to: file, as: .secret)
        state.lines = lines.count
    }

    private static func line(_ entry: AuditEntry) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(entry) + [UInt8(ascii: "\n")]
    }
}
