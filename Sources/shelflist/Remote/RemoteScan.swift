import Foundation
import Library
import Reading
import ShelflistAPI
import ShelflistClient
import Synchronization
import Terminal

/// Sends the photos of one command to a server, and prints its results as those of this machine.
final class RemoteScan: Sendable {
    private let client: ShelflistClient
    private let photos: [PhotoFile]
    private let options: ScanOptions
    /// Where the annotated photos are written; nil for none.
    private let pictures: [URL]?
    let report: RunReport
    private let current = Mutex<Current>(.init())

    /// The scan that Ctrl-C ends, and those that are done.
    private struct Current {
        var scan: (session: ScanSession, photos: [Int])?
        var jobs: [ScanStatus] = []
        var isStopped = false
    }

    /// The scans that the server did, oldest first.
    var jobs: [ScanStatus] { current.withLock(\.jobs) }

    /// - Parameter pictures: where the annotated photos are written; nil for none.
    init(
        client: ShelflistClient, photos: [PhotoFile], options: ScanOptions, pictures: [URL]?, report: RunReport
    ) {
        (self.client, self.photos) = (client, photos)
        (self.options, self.pictures, self.report) = (options, pictures, report)
    }

    /// Scans the photos and prints the results; Ctrl-C cancels the scan on the server, prints what is finished and
    /// ends the process.
    ///
    /// - Parameter batch: how many photos a scan of the server may have.
    /// - Throws: `ShelflistError` if the photos cannot be sent or the results cannot be fetched.
    func untilInterrupted(batch: Int) async throws {
        let interruption = Interruption { signal in
            Task {
                await self.stop()
                self.report.interrupt(by: signal)
            }
        }
        defer { withExtendedLifetime(interruption) {} }
        do {
            let readable = photos.indices.filter(check)
            for start in stride(from: 0, to: readable.count, by: max(1, batch)) {
                try await scan(Array(readable[start..<min(start + batch, readable.count)]))
            }
        } catch {
            await waitIfStopped()
            report.close()
            throw error
        }
        await waitIfStopped()
        report.close()
    }

    private func check(_ index: Int) -> Bool {
        do {
            try photos[index].check()
            return true
        } catch {
            report.failed(index, error)
            return false
        }
    }

    /// Scans photos that one scan of the server can have.
    private func scan(_ indices: [Int]) async throws {
        var options = options
        options.idempotencyKey = UUID().uuidString
        let session = client.scan(indices.map { .file(URL(filePath: photos[$0].path)) }, options: options)
        current.withLock { $0.scan = (session, indices) }
        var refused: Set<Int> = []
        do {
            for try await event in session.events {
                if case .photoRefused(let number, let error) = event, indices.indices.contains(number - 1) {
                    refused.insert(number)
                    report.failed(indices[number - 1], error)
                } else {
                    show(event, indices)
                }
            }
        } catch {
            // The last refusal ends the scan.
            guard refused.count < indices.count else { return }
            throw error
        }
        guard let job = session.jobID else { return }
        try await waitForProviders(job)
        let status = try await client.scans.status(job)
        current.withLock { $0.jobs.append(status) }
        for photo in status.photos.map(\.photo) where photo.status != .done && !refused.contains(photo.index) {
            guard indices.indices.contains(photo.index - 1) else { continue }
            report.failed(
                indices[photo.index - 1],
                CommandError(photo.problem?.detail ?? "The server did not read the photo. Scan it again."))
        }
        try await showResults(of: job, indices)
    }

    /// Providers are asked after the scan is completed.
    private func waitForProviders(_ job: String) async throws {
        while case let status = try await client.scans.status(job), status.asking {
            let note = status.lookups.map { "looked up \($0.current) of \($0.total) books" }
            report.reached(1, label: "Reading", note: note ?? "looking up books")
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Prints the photos that were read, once.
    private func showResults(of job: String, _ indices: [Int]) async throws {
        let (done, results) = try await readPhotos(of: job)
        var read: [(index: Int, photo: ScannedPhoto, picture: AnnotatedPicture?)] = []
        for (sent, photo) in zip(done, results.photos) where indices.indices.contains(sent.photo.index - 1) {
            let index = indices[sent.photo.index - 1]
            var photo = photo
            photo.path = photos[index].path
            var picture: AnnotatedPicture?
            if let pictures {
                let jpeg = try await client.picture(sent.annotatedUrl)
                picture = AnnotatedPicture(destination: pictures[index], jpeg: [UInt8](jpeg))
            }
            read.append((index, photo, picture))
        }
        // Ctrl-C may have come while the results were fetched.
        let isFirst = current.withLock { current in
            defer { current.scan = nil }
            return current.scan != nil
        }
        guard isFirst else { return }
        for (index, photo, picture) in read { report.finished(index, photo, picture: picture) }
        if options.addsToLibrary == true {
            report.imported(ScanImportReport(results.books))
            LibrarySignsCommand.report(results.labelQuestions ?? [])
        }
    }

    /// Returns the photos that were read with their results, in the order of their numbers.
    ///
    /// Results do not contain the numbers. If a photo was finished between the requests, they are repeated.
    private func readPhotos(of job: String) async throws -> (done: [ScanPhoto], results: ReadPhotos) {
        func done() async throws -> [ScanPhoto] {
            try await client.scans.status(job).photos.filter { $0.photo.status == .done }
                .sorted { $0.photo.index < $1.photo.index }
        }
        var before = try await done()
        while true {
            let results = try await client.scans.results(job, as: ReadPhotos.self)
            let after = try await done()
            if before.map(\.photo.index) == after.map(\.photo.index) { return (after, results) }
            before = after
        }
    }

    // MARK: Progress

    private func show(_ event: ScanEvent, _ indices: [Int]) {
        let (before, share) = (Double(indices[0]), Double(indices.count))
        func draw(_ fraction: Double, _ label: String, _ note: String) {
            report.reached((before + share * fraction) / Double(photos.count), label: label, note: note)
        }
        switch event {
        case .uploading(let upload):
            draw(upload.fraction, "Sending", photos[indices[min(upload.photo, indices.count) - 1]].path)
        case .connection(.waiting(let time, let error)):
            draw(0, "Waiting", "\(error.message) Retrying in \(time.formatted(.units(allowed: [.seconds]))).")
        case .job(let event):
            switch event.content {
            case .progress(let progress) where progress.stage != .uploading:
                draw(progress.progress, "Reading", progress.message)
            case .enrichmentDegraded(let source): report.unavailable(source)
            default: break
            }
        case .connection, .photoRefused: break
        }
    }

    // MARK: Ctrl-C

    /// How long to wait for the results of the photos that were read; the client limits the cancellation itself.
    private static let patience = Duration.seconds(5)

    private func stop() async {
        let scan = current.withLock { current in
            current.isStopped = true
            return current.scan
        }
        guard let (session, indices) = scan else { return }
        if let job = session.jobID {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // What cannot be fetched is not printed.
                    try? await self.showResults(of: job, indices)
                }
                group.addTask { try? await Task.sleep(for: Self.patience) }
                await group.next()
                group.cancelAll()
            }
        }
        await session.cancel()
    }

    /// Lets `stop` end the process once it has begun.
    private func waitIfStopped() async {
        while current.withLock(\.isStopped) { try? await Task.sleep(for: .seconds(60)) }
    }
}

/// The photos of a scan as they were read, and what became of their books.
private struct ReadPhotos: Decodable, Sendable {
    var photos: [ScannedPhoto]
    var books: [ScanResultBook]
    var labelQuestions: [LabelQuestion]?
}

extension ScanImportReport {
    /// Creates the report of an import by the server.
    fileprivate init(_ books: [ScanResultBook]) {
        self.init(
            books: books.compactMap { book in
                let outcome: ImportedBook.Outcome? =
                    switch book.library.state {
                    case .added: .verified
                    case .review: .needsReview
                    case .question: .needsDecision
                    case .skipped: .skipped
                    case .rejected: .rejectedBefore
                    case .open, .removed, .unknown: nil
                    }
                return outcome.map { ImportedBook(id: book.id, outcome: $0) }
            })
    }
}
