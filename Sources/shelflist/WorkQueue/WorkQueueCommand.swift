import ArgumentParser
import Bounds
import Foundation
import Terminal
import WorkQueue

struct WorkQueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work-queue",
        abstract: "Set up and watch the queue from which workers read photos.",
        discussion: """
            The queue is a schema 'shelflist_work' in a PostgreSQL database. Servers offer photos to it (serve --work-queue), \
            workers read them (worker). Servers connect as the role that owns the schema. Workers need a role that may only \
            call its functions (init --worker-role).
            """,
        subcommands: [Initialise.self, Status.self, Purge.self])

    struct Initialise: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Create the tables, or bring them up to date.",
            discussion: """
                Needs a role that may create a schema in the database; no superuser. Can be repeated, also while servers and \
                workers run.

                --worker-role lets an existing role work: it can claim photos, read these and return their text. It has no \
                right on the tables.

                Examples:
                  shelflist work-queue init --worker-role shelflist_worker
                """)

        @OptionGroup var queue: WorkQueueOptions
        @Option(help: ArgumentHelp("The role with which workers connect.", valueName: "role")) var workerRole: String?

        func run() async throws {
            try await withConnection(queue) { connection in
                let isChanged = try await QueueSchema.create(connection)
                StandardStream.output.write(
                    isChanged ? "The work queue's tables are ready.\n" : "The work queue's tables are up to date.\n")
                guard let workerRole else { return }
                try await QueueFunctions.grant(to: workerRole, connection)
                StandardStream.output.write(TerminalText.safe("Workers may connect as \(workerRole).") + "\n")
            }
        }
    }

    struct Status: AsyncParsableCommand, PrintsDocuments {
        static let configuration = CommandConfiguration(
            abstract: "Show waiting photos, servers and workers.")

        @OptionGroup var queue: WorkQueueOptions
        @Option(help: "table or json.") var format = OutputFormat.table

        func run() async throws {
            try await withConnection(queue) { connection in
                let status = try await QueueStatus(connection)
                show(status) { QueueStatusText.lines(status) }
            }
        }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete photos and results from the queue.",
            discussion: """
                Deletes those of servers that were not seen for an hour. Nothing is lost: servers keep their photos, and offer \
                them again when they run.
                """)

        @OptionGroup var queue: WorkQueueOptions
        @Flag(help: "Also those of servers that are running, which offer their photos again.") var all = false

        func run() async throws {
            try await withConnection(queue) { connection in
                let count = try await QueueSchema.purge(connection, unseenFor: all ? nil : .seconds(3600))
                StandardStream.output.write(count == 1 ? "Deleted 1 photo.\n" : "Deleted \(count) photos.\n")
            }
        }
    }
}

/// Runs `body` with a connection of its own, and reports errors.
private func withConnection(
    _ queue: WorkQueueOptions, _ body: (PostgresConnection) async throws -> Void
) async throws {
    try await reportingErrors {
        let connection = PostgresConnection(try queue.address())
        try await body(connection)
        await connection.close()
    }
}

/// The status as text.
enum QueueStatusText {
    static func lines(_ status: QueueStatus) -> [String] {
        var lines = [
            "Waiting   \(count(status.waiting, "photo")), \(megabytes(status.waitingBytes)) MB"
                + (status.oldest.map { ", the oldest for \(duration($0))" } ?? ""),
            "Running   \(count(status.running, "photo"))",
            "Finished  \(count(status.finished, "photo")) to be collected",
            "Read      \(status.readInLastMinute) in the last minute, \(status.readInLastHour) in the last hour, "
                + "\(status.failedInLastHour) failed",
            "",
        ]
        let servers = TerminalTable(
            columns: [
                .init("server", atLeast: 12), .init("waiting", isRightAligned: true),
                .init("running", isRightAligned: true), .init("finished", isRightAligned: true),
                .init("seen", isRightAligned: true),
            ],
            rows: status.servers.map { server in
                [
                    .init(server.name), .init("\(server.waiting)"), .init("\(server.running)"),
                    .init("\(server.finished)"), .init(duration(server.seen)),
                ]
            })
        let workers = TerminalTable(
            columns: [
                .init("worker", atLeast: 12), .init("version"), .init("running", isRightAligned: true),
                .init("read", isRightAligned: true), .init("failed", isRightAligned: true),
                .init("late", isRightAligned: true), .init("a photo", isRightAligned: true),
                .init("seen", isRightAligned: true),
            ],
            rows: status.workers.map { worker in
                [
                    .init(worker.name), .init(worker.version),
                    .init("\(worker.running) of \(worker.jobs)"), .init("\(worker.read)"), .init("\(worker.failed)"),
                    .init("\(worker.late)"),
                    .init(worker.seconds.map { String(format: "%.2f s", $0) } ?? "–"), .init(duration(worker.seen)),
                ]
            })
        let (width, colors) = (StandardStream.output.columns, StandardStream.output.showsColors)
        lines += status.servers.isEmpty ? ["No server uses the queue."] : servers.lines(width: width, colors: colors)
        lines.append("")
        lines += status.workers.isEmpty ? ["No worker is running."] : workers.lines(width: width, colors: colors)
        for worker in status.workers {
            if let refusal = worker.refusal { lines.append(TerminalText.safe("\(worker.name): \(refusal)")) }
        }
        return lines
    }

    private static func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

    private static func megabytes(_ bytes: Int) -> String { String(format: "%.1f", Double(bytes) / 1_000_000) }

    private static func duration(_ seconds: Double) -> String {
        switch seconds {
        case ..<120: "\(Int(saturating: max(0, seconds).rounded())) s"
        case ..<7200: "\(Int(saturating: (seconds / 60).rounded())) min"
        default: "\(Int(saturating: (seconds / 3600).rounded())) h"
        }
    }
}
