import ArgumentParser
import Catalog
import Foundation
import Logging
import Scanning
import Server

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the web app and the HTTP API.",
        discussion: """
            Until an owner is created in the browser on this machine, only this machine is served.

            Examples:
              shelflist serve
              shelflist serve --host 0.0.0.0 --port 8080 --data ~/shelflist
            """)

    @Option(help: "Address to listen on; 0.0.0.0 for all.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 lets the system choose.")
    var port = 8080

    @Option(
        help: ArgumentHelp(
            "Folder with everything that is kept. (default: $SHELFLIST_DATA, else shelflist in the XDG data home)",
            valueName: "folder"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("Folder with the web app. (default: the installed one)", valueName: "folder"),
        completion: .directory)
    var webRoot: String?

    @Option(help: ArgumentHelp("How many photos to read at once, sharing the cores.", valueName: "number"))
    var photosAtOnce = 1

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
        guard (1...64).contains(photosAtOnce) else {
            throw ValidationError("--photos-at-once is a number from 1 to 64.")
        }
    }

    func run() async throws {
        do {
            try await serve()
        } catch let error as ExitCode {
            throw error
        } catch {
            StandardStream.errors.write("shelflist serve: \(error)\n")
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        let installation = try Installation.locate()
        let folder = try ServeFolder.data(data)
        var settings = ServerSettings()
        settings.host = host
        settings.port = port
        settings.version = Shelflist.currentVersion
        settings.webRoot =
            webRoot.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? ServeFolder.web(installation)
        settings.apiDocument = ServeFolder.apiDocument(installation)

        var limits = JobLimits()
        limits.photosAtOnce = photosAtOnce
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let scanner = try PhotoScanner(
            installation: installation, options: ScanOptions(threads: max(1, cores / photosAtOnce)),
            concurrentPhotos: photosAtOnce)
        let jobs = ScanJobs(
            store: try JobStore(file: folder.appending(path: "jobs.sqlite")),
            files: try JobFiles(folder: folder.appending(path: "jobs")), reader: LocalPhotoReading(scanner: scanner),
            limits: limits)
        let accounts = try AccountBook(file: folder.appending(path: "accounts.json"))
        var logger = Logger(label: "shelflist")
        logger.logLevel = .info
        let server = try ShelflistServer(
            settings: settings, jobs: jobs, accounts: accounts, labelFont: installation.labelFont, logger: logger)
        let host = host
        try await server.run { port in
            StandardStream.errors.write("Shelflist is at http://\(host == "0.0.0.0" ? "localhost" : host):\(port)\n")
        }
    }
}

/// Where the server's files lie.
enum ServeFolder {
    /// The data folder, made where it is missing, for its owner's eyes only.
    static func data(_ named: String?) throws -> URL {
        let folder = named ?? DataFolder.path(environment: ProcessInfo.processInfo.environment)
        let url = URL(filePath: folder, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return url
    }

    /// Beside the models of an installation, or in the checkout.
    static func web(_ installation: Installation) -> URL? {
        existing(["web/index.html", "../Web/index.html"], installation)?.deletingLastPathComponent()
    }

    static func apiDocument(_ installation: Installation) -> URL? {
        existing(["openapi.json", "../docs/api/openapi.json"], installation)
    }

    private static func existing(_ paths: [String], _ installation: Installation) -> URL? {
        let resources = installation.models.deletingLastPathComponent()
        return paths.map { resources.appending(path: $0).standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }
}
