import Fixtures
import Foundation
import TestSupport
import Testing
import WorkQueue

/// A PostgreSQL server of the tests' own, from Debian's packages: in a temporary folder, reachable by a socket in it.
final class PostgresServer: Sendable {
    /// Whether it can run here; CI has to be able to.
    static let isAvailable = programs != nil || ProcessInfo.processInfo.environment["CI"] != nil

    private static let programs: URL? = {
        let versions = URL(filePath: "/usr/lib/postgresql")
        let found = (try? FileManager.default.contentsOfDirectory(at: versions, includingPropertiesForKeys: nil)) ?? []
        return found.map { $0.appending(path: "bin") }
            .filter { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
            .max { $0.path < $1.path }
    }()

    private let folder: TemporaryFolder
    private let programs: URL

    /// The socket's path is short: the system's limit is 107 characters.
    init() throws {
        programs = try #require(Self.programs, "PostgreSQL is missing. Install it: apt install postgresql")
        folder = try TemporaryFolder()
        // The server's user has to reach it, because PostgreSQL does not run as root.
        if geteuid() == 0 {
            try Self.run(["chown", "postgres", folder.url.path])
        }
        try run(
            "initdb", "-D", data, "-A", "trust", "-U", "shelflist", "--no-sync", "-E", "UTF8", "--locale=C")
        try start()
    }

    deinit { stop("immediate") }

    private static let longestWait = "\(TestSupport.longestWait.components.seconds)"

    private var data: String { folder.url.appending(path: "data").path }

    /// - Parameters:
    ///   - role: `shelflist` is a superuser.
    ///   - database: of the server; it has `postgres` from the start.
    func address(role: String = "shelflist", database: String = "postgres") throws -> PostgresAddress {
        let host = folder.url.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try PostgresAddress("postgresql://\(role)@/\(database)?host=\(host)")
    }

    /// The role of workers, which may only call the functions of the queue.
    static let workerRole = "worker"

    /// A database with the tables of a work queue, empty.
    ///
    /// - Returns: its addresses for servers and for workers.
    func newQueue() async throws -> (server: PostgresAddress, worker: PostgresAddress) {
        let name = "queue_\(UUID().uuidString.prefix(8).lowercased())"
        let connection = PostgresConnection(try address())
        try await connection.run("CREATE DATABASE \(name)")
        // Another test may create it at the same time.
        try await connection.run(
            """
            DO $$ BEGIN CREATE ROLE \(Self.workerRole) LOGIN;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$
            """)
        await connection.close()
        let address = try address(database: name)
        let queue = PostgresConnection(address)
        _ = try await QueueSchema.create(queue)
        try await QueueFunctions.grant(to: Self.workerRole, queue)
        await queue.close()
        return (address, try self.address(role: Self.workerRole, database: name))
    }

    func start() throws {
        try run(
            "pg_ctl", "-D", data, "-w", "-t", Self.longestWait, "-l", folder.url.appending(path: "log").path, "-o",
            "-c listen_addresses='' -c fsync=off -c unix_socket_directories='\(folder.url.path)'", "start")
    }

    /// - Parameter mode: of `pg_ctl`; `immediate` is a crash.
    func stop(_ mode: String) {
        do { try run("pg_ctl", "-D", data, "-m", mode, "-w", "-t", Self.longestWait, "stop") } catch {
            Issue.record(error)
        }
    }

    private func run(_ program: String, _ arguments: String...) throws {
        let user = geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        try Self.run(user + [programs.appending(path: program).path] + arguments)
    }

    private static func run(_ words: [String]) throws {
        let status = try ChildProcess(words, in: URL(filePath: "/")).waitUntilExit()
        guard status == 0 else {
            throw PostgresError.unreachable("\(words.joined(separator: " ")) ended with \(status)")
        }
    }
}
