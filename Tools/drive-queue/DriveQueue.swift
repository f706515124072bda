import ArgumentParser
import Foundation
import WorkQueue

/// Drives the work queue without models: Scripts/faults/work_queue.py and Benchmarks/queue.py use it.
@main
struct DriveQueue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drive-queue",
        abstract: "Stand in for the servers and the workers of a work queue.",
        subcommands: [Work.self, Offer.self])
}

struct QueueOptions: ParsableArguments {
    @Option(help: "The database: postgresql://…") var url: String
    @Option(help: "Names the models that servers want and workers have.") var models = "none"
    @Option(help: "Seconds after which a silent worker loses its photos.") var lease = 3.0

    @Option(help: "Seconds between two renewals, and between two looks at what has ended; else parts of the lease.")
    var step: Double?

    /// Workers are killed on purpose.
    var limits: QueueLimits {
        var limits = QueueLimits()
        limits.attempts = 50
        return limits
    }

    var timing: QueueTiming {
        var timing = QueueTiming()
        timing.lease = .seconds(lease)
        timing.renewal = .seconds(step ?? lease / 6)
        timing.upkeep = .seconds(step ?? lease / 3)
        timing.poll = .seconds(step ?? min(2, lease / 3))
        return timing
    }
}

/// What a worker of this tool returns for a photo.
struct DrivenResult: Codable {
    /// As the photo says.
    var number: Int
    /// When the worker had the photo, in seconds since 1970.
    var claimed: Double
    /// When it returned the result.
    var returned: Double
}

/// The current time in seconds since 1970.
func now() -> Double { Date().timeIntervalSince1970 }

/// Writes an event of the queue as a line on stderr.
func log(_ event: QueueEvent) { FileHandle.standardError.write(Data("\(event)\n".utf8)) }
