import ArgumentParser
import Foundation
import Logging
import Storage
import Terminal
import WorkQueue

/// Which work queue a command uses.
struct WorkQueueOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database with the work queue: postgresql://user@host/database. Passwords belong in ~/.pgpass or "
                + "in SHELFLIST_WORK_QUEUE, because other users of the machine see command lines. "
                + "(default: $SHELFLIST_WORK_QUEUE)", valueName: "url"))
    var workQueue: String?

    /// - Throws: `CommandError` without an address, `PostgresError`.
    func address() throws -> PostgresAddress {
        guard let text = workQueue ?? ProcessInfo.processInfo.environment["SHELFLIST_WORK_QUEUE"], !text.isEmpty else {
            throw CommandError("There is no work queue. Name it with --work-queue or SHELFLIST_WORK_QUEUE.")
        }
        return try PostgresAddress(text)
    }
}

/// The server's or the command's side of a work queue.
enum QueueSession {
    /// Connects once, so that an address or tables that cannot work are reported at once.
    ///
    /// - Parameters:
    ///   - waits: whether the database may be unreachable for now.
    ///   - warn: is called with one sentence where photos cross the network unprotected.
    /// - Throws: `PostgresError`, `WorkQueueError`; not for a database that does not answer where `waits`.
    static func check(_ address: PostgresAddress, waits: Bool, warn: (String) -> Void) async throws {
        let connection = PostgresConnection(address)
        do {
            try await QueueSchema.check(connection)
        } catch PostgresError.unreachable where waits {
            // It is tried again.
        }
        if let warning = await connection.transport?.warning { warn(warning) }
        await connection.close()
    }

    /// The identifier of the server with this data folder.
    ///
    /// - Throws: errors of the file.
    static func owner(in folder: URL) throws -> UUID {
        let file = folder.appending(path: "work-queue-id", directoryHint: .notDirectory)
        if FileManager.default.fileExists(atPath: file.path),
            let id = UUID(uuidString: try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines))
        {
            return id
        }
        let id = UUID()
        try DurableFile.write(Data("\(id.uuidString)\n".utf8), to: file)
        return id
    }

    /// Writes what happens in a queue to a log.
    static func log(_ event: QueueEvent, to logger: Logger) {
        switch event {
        case .connected: logger.info("The work queue is connected")
        case .unreachable(let reason):
            logger.warning(
                "The work queue cannot be reached; it is tried again", metadata: ["reason": "\(reason)"])
        case .refused(let reason): logger.error("\(reason)")
        case .late(let photo):
            logger.warning(
                "A result came too late and was refused: another worker has the photo", metadata: ["photo": "\(photo)"])
        case .full: logger.notice("The work queue is full; photos wait on the server")
        case .failed(let reason): logger.error("The work queue failed", metadata: ["reason": "\(reason)"])
        }
    }
}
