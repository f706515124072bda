import ArgumentParser
import Foundation
import Imaging
import Logging
import Reading
import Terminal
import WorkQueue

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Read photos for the servers of a work queue.",
        discussion: """
            Reads photos that servers with the same --work-queue offer, until it is stopped. It needs neither library nor \
            catalog: it returns the text of the photos, and the servers identify the books.

            On SIGTERM and Ctrl-C it finishes the photos that it is reading, or gives them back after 10 seconds.

            Examples:
              shelflist worker --work-queue postgresql://shelflist@db.example.org/shelflist
              shelflist worker --jobs 4
            """)

    @OptionGroup var queue: WorkQueueOptions

    @Option(help: ArgumentHelp("How many photos to read at once, sharing the cores. (default: 1)", valueName: "number"))
    var jobs = 1

    @Option(help: ArgumentHelp("Name of the worker in 'work-queue status'. (default: the host's)", valueName: "name"))
    var name: String?

    @Flag(
        help: """
            Start only where the system confines the process that decodes photos completely. \
            (default: $SHELFLIST_REQUIRE_CONFINEMENT)
            """)
    var requireConfinement = false

    @Option(help: "trace, debug, info, notice, warning or error.")
    var logLevel = "info"

    @Option(help: "text or json.")
    var logFormat = "text"

    func validate() throws {
        guard (1...64).contains(jobs) else {
            throw ValidationError("--jobs is a number of photos from 1 to 64, not \(jobs).")
        }
    }

    func run() async throws {
        try await reportingErrors {
            let logger = ServiceLog.logger(level: logLevel, format: logFormat)
            let address = try queue.address()
            try await QueueSession.check(address, waits: true) { logger.warning("\($0)") }
            let isRequired = try await ConfigurationReader.ofEnvironment().flag("requireConfinement") ?? false
            let decoders = try ServiceLog.confineDecoding(logger, required: requireConfinement || isRequired)
            defer { decoders.close() }
            let installation = try Installation.locate()
            let cores = ProcessInfo.processInfo.activeProcessorCount
            let scanner = try PhotoScanner(
                installation: installation, options: ReadingOptions(threads: max(1, cores / jobs)),
                cache: installation.cache(for: URL(filePath: DataFolder.current)), concurrentPhotos: jobs)
            let reading = ReadingWorker(scanner)
            let work = QueueWork(
                address,
                worker: QueueWorkerName(
                    name: name ?? ProcessInfo.processInfo.hostName, version: Shelflist.currentVersion,
                    models: try ModelFingerprint.of(installation)),
                jobs: jobs, onEvent: { QueueSession.log($0, to: logger) }
            ) { try await reading.read($0, report: $1) }
            let running = Task { await work.run() }
            let interruption = Interruption { _ in
                logger.info("Stopping: photos that are being read are finished or given back")
                running.cancel()
            }
            logger.info("Reading photos of the work queue", metadata: ["jobs": "\(jobs)"])
            await running.value
            withExtendedLifetime(interruption) {}
        }
    }
}
