import ArgumentParser
import Concurrency
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

/// `scan --server`.
extension ScanCommand {
    func run(at address: URL) async throws {
        let report = try await reportingErrors {
            let (server, about) = try await server.connect(to: address)
            let photos = photos.map(PhotoFile.init(path:))
            let pictures = try annotate.map { try PhotoAnnotation.destinations(in: $0, photos: photos) }
            var options = ScanOptions(
                threshold: threshold, addsToLibrary: check ? nil : isImported, preprocessing: preprocess)
            options.reader = reader
            options.purpose = check ? .check : nil
            let shelves = server.client.shelves
            let shelf = try await shelf.asyncMap {
                try await isAudit ? shelves.existing(named: $0) : shelves.place(named: $0)
            }
            options.shelf = shelf?.id
            let scan = RemoteScan(
                client: server.client, photos: photos, options: options, pictures: pictures,
                report: RunReport(photos: photos, writer: isAudit || check ? nil : format.writer))
            try await scan.untilInterrupted(batch: about.limits.photosPerJob)
            if isAudit, let shelf, let first = scan.jobs.first {
                let inventory =
                    try await scan.jobs.count == 1
                    ? shelves.inventory(shelf.id, scan: first.id)
                    : shelves.inventory(shelf.id, ofScans: nil, since: first.createdAt)
                printAudit(inventory, ofShelf: shelf.path)
            }
            if check {
                var spines: [OwnedSpine] = []
                for job in scan.jobs {
                    spines += try await server.client.scans.results(job.id).books.map {
                        OwnedSpine(title: $0.title, author: $0.author, answer: $0.own ?? OwnAnswer(.unsure))
                    }
                }
                printAnswers(spines)
            }
            return scan.report
        }
        if !report.failures.isEmpty { throw ExitCode.failure }
    }

    /// - Throws: `ValidationError` for an option of scans on this machine.
    func checkOptionsOfServer() throws {
        let options: [(name: String, isGiven: Bool, instead: String)] = [
            ("--catalog", !catalog.isEmpty, "The server uses its own catalog."),
            ("--online", online, "The server asks the providers that are turned on there."),
            ("--offline", offline, "The server asks the providers that are turned on there."),
            ("--compare", compare != nil, "Scan with one --reader after the other."),
            ("--annotate", annotate != nil && check, "The server deletes photos that were only to be checked."),
            ("--jobs", jobs != nil, "The server decides how many photos it reads at once."),
        ]
        if let option = options.first(where: \.isGiven) {
            throw ValidationError("\(option.name) is not available with a server. \(option.instead) Leave it out.")
        }
    }
}
