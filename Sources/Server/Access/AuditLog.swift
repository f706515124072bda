package import Foundation
package import Logging
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

extension AuditEvent {
    /// What happens often, and what strangers can cause.
    private static let signIns: Set = [signedIn, signInFailed, signedOut, sessionEnded, sessionsEnded]

    /// Whether the event is kept apart from changes of what gives access.
    var isSignIn: Bool { Self.signIns.contains(self) }
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
    /// How many events of this kind, of the same member or network, followed within the minute and have no entry.
    package internal(set) var more: Int?
    /// Increases with each event; `nil` in files of earlier versions.
    var number: Int?
}

/// Stores the audit log in memory and in two files that only their owner can read, and writes it to the server's log.
///
/// Sign-ins are in a file of their own, so that any number of them leaves the changes of members, passwords, tokens and
/// apps. Entries are appended without waiting for the disk: the last ones may be lost when the machine loses power. Those
/// that cannot be written, as on a full disk, are written with the next ones, or when the server stops.
package final class AuditLog: Sendable {
    private let logger: Logger
    private let kept: Int
    private let state: Mutex<State>

    private struct Part {
        /// Oldest first.
        var entries: [AuditEntry] = []
        /// The last of them that are not in the file yet.
        var unwritten: [AuditEntry] = []
        var file: AuditFile

        mutating func add(_ entry: AuditEntry, kept: Int) {
            for list in [\Part.entries, \Part.unwritten] {
                self[keyPath: list].append(entry)
                if self[keyPath: list].count > kept { self[keyPath: list].removeFirst() }
            }
        }

        /// - Throws: `StorageError`, `CocoaError`; the rest is written by the next call.
        mutating func write() throws {
            while let entry = unwritten.first {
                try file.append(entry)
                unwritten.removeFirst()
            }
        }
    }

    private struct State {
        var changes: Part
        var signIns: Part
        var bursts = AuditBursts()
        /// The number of the last event.
        var last = 0
    }

    /// The number of sign-ins that are kept in memory, and of changes; a file has as many before it is rotated.
    package static let maxEntries = 5000
    package static let fileName = "audit.jsonl"
    package static let signInFileName = "sign-ins.jsonl"

    /// Reads the files.
    ///
    /// Lines that are not entries, such as one that was written when power was lost, are skipped.
    ///
    /// - Parameter kept: the number of entries that are kept of each kind.
    package init(folder: URL, logger: Logger, kept: Int = maxEntries) {
        self.logger = logger
        self.kept = kept
        func part(_ name: String) -> Part { Part(file: AuditFile(folder.appending(path: name), maxLines: kept)) }
        var state = State(changes: part(Self.fileName), signIns: part(Self.signInFileName))
        // A file of earlier versions has both.
        for entry in state.changes.file.load() + state.signIns.file.load() {
            state[keyPath: Self.part(of: entry)].entries.append(entry)
            state.last = max(state.last, entry.number ?? 0)
        }
        for part in [\State.changes, \State.signIns] {
            state[keyPath: part].entries = state[keyPath: part].entries.suffix(kept)
        }
        self.state = Mutex(state)
    }

    private static func part(of entry: AuditEntry) -> WritableKeyPath<State, Part> {
        entry.event.isSignIn ? \.signIns : \.changes
    }

    /// Returns all entries, newest first.
    package var entries: [AuditEntry] {
        let all = state.withLock { $0.changes.entries + $0.signIns.entries + $0.bursts.waiting }
        return all.sorted { ($0.number ?? 0) > ($1.number ?? 0) }
    }

    /// Adds an entry, or counts the event if its member or network caused many within a minute.
    package func record(
        _ event: AuditEvent, member: String?, subject: String? = nil, address: String?, at time: Date
    ) {
        var entry = AuditEntry(time: time, event: event, member: member, subject: subject, address: address)
        var metadata: Logger.Metadata = ["event": "\(event.rawValue)"]
        metadata["member"] = member.map { "\($0)" }
        metadata["subject"] = subject.map { "\($0)" }
        metadata["address"] = address.map { "\($0)" }
        logger.notice(event == .signInFailed ? "sign-in failed" : "access changed", metadata: metadata)
        write { state in
            state.last += 1
            entry.number = state.last
            var due = state.bursts.end(at: time)
            if state.bursts.admits(entry) { due.append(entry) }
            return due
        }
    }

    /// Writes what was counted so far, and what could not be written before; called when the server stops.
    package func flush() { write { $0.bursts.end(at: .distantFuture) } }

    private func write(_ due: (inout State) -> [AuditEntry]) {
        let errors = state.withLock { state in
            for entry in due(&state) { state[keyPath: Self.part(of: entry)].add(entry, kept: kept) }
            return [\State.changes, \State.signIns].compactMap { part -> (any Error)? in
                do {
                    try state[keyPath: part].write()
                    return nil
                } catch { return error }
            }
        }
        for error in errors { logger.error("Could not write the audit log", metadata: ["error": "\(error)"]) }
    }
}
