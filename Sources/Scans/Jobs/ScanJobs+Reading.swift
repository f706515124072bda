import Bibliography
import Concurrency
import Foundation
import Imaging
package import Reading
import ShelflistAPI

/// Reading photos.
extension ScanJobs {
    /// Starts reading waiting photos, as many as may be read at once.
    func pump() {
        while !isStopping, !isHolding, let key = runs.startNext(includingAgain: questions.count < limits.textsKept) {
            tasks[key] = Task(executorPreference: BlockingExecutor.interactive) { await self.run(key) }
        }
    }

    private func run(_ key: PhotoKey) async {
        await retriedBySweep { try await process(key) }
        tasks[key] = nil
        runs.end(key)
        pump()
        await finishIfRead(key.job)
        pumpQuestions()
    }

    /// Reads a photo, stores its result and imports it; then sources may be asked about it.
    ///
    /// - Throws: errors of the database; those of the photo are stored with it.
    private func process(_ key: PhotoKey) async throws {
        guard let job = try await begin(key) else { return try await readAgain(key) }
        let photo: ScannedPhoto
        do {
            var result = try await read(key, of: job)
            try Task.checkCancellation()
            if let threshold = job.options.threshold { result.apply(threshold: threshold) }
            guard try await store(result, key) else { return }
            statistics.add(result)
            photo = result
        } catch is CancellationError {
            // This task is cancelled, so the database would refuse its write.
            return try await Task { try await requeue(key) }.value
        } catch JobError.diskFull {
            throw JobError.diskFull
        } catch {
            return try await fail(key, with: JobProblem(error, photo: key.photo))
        }
        await importPhoto(key.photo, of: job)
        if identifier != nil { ask(about: photo, key, client: job.client) }
    }

    /// Marks a photo as being read.
    ///
    /// - Returns: its job; nil where the photo is not to be read.
    private func begin(_ key: PhotoKey) async throws -> ScanJob? {
        let attempts = limits.attempts
        return try await change(key.job) { change in
            guard try change.status(photo: key.photo) == .queued, !change.job.isFinished else { return nil }
            guard try change.attempts(photo: key.photo) < attempts else {
                let problem = JobProblem(
                    code: "reading_failed",
                    message: "The server stopped \(attempts) times while it read this photo. "
                        + "Save it in another format, or take it again.", retryable: true, photo: key.photo)
                try change.set(.failed, photo: key.photo, problem: problem)
                return nil
            }
            try change.set(.running)
            try change.set(.reading, photo: key.photo)
            return try change.currentJob()
        }
    }

    private func read(_ key: PhotoKey, of job: ScanJob) async throws -> ScannedPhoto {
        let bytes = [UInt8](try Data(contentsOf: files.photo(key.photo, of: key.job)))
        let (reports, continuation) = AsyncStream<ReadingProgress>.makeStream()
        async let logging: Void = log(reports, of: key, photos: job.photosExpected)
        do {
            let result = try await reader.read(
                bytes, name: job.photo(key.photo)?.name ?? "photo \(key.photo)",
                preprocessing: job.options.preprocessing
            ) { continuation.yield($0) }
            // The next photo can be read while this result is being stored.
            runs.endReading(key)
            pump()
            continuation.finish()
            try await logging
            return result
        } catch {
            continuation.finish()
            try await logging
            throw error
        }
    }

    private func log(_ reports: AsyncStream<ReadingProgress>, of key: PhotoKey, photos: Int) async throws {
        var count = SpineCount()
        for await report in reports {
            switch report {
            case .stage(let stage):
                try await emit(for: key) { job in
                    let settled = job.photos.count { $0.status.isFinal }
                    let share = (Double(settled) + stage.share) / Double(max(photos, 1))
                    return .progress(
                        .init(
                            stage: .analyzing, progress: (0.1 + 0.4 * share).thousandths,
                            message: stage.message(photo: key.photo, of: photos), photo: key.photo))
                }
            case .spines(let spines):
                count.total = spines.count
                try await emit(for: key) { _ in .segmented(.init(photo: key.photo, spines: spines)) }
            case .text(let share):
                guard let current = count.read(share) else { continue }
                let read = JobEvent.BookProgress(
                    photo: key.photo, current: current, total: count.total, stage: "reading")
                try await emit(for: key) { _ in .bookProgress(read) }
            }
        }
    }

    /// Logs an event of a job that is not finished.
    private func emit(
        for key: PhotoKey, _ content: @escaping @Sendable (ScanJob) -> JobEvent.Content
    ) async throws {
        try await change(key.job) { change in
            guard !change.job.isFinished else { return }
            try change.emit(content(change.job))
        }
    }

    /// Stores a result together with its events.
    ///
    /// - Returns: false where the job was cancelled.
    private func store(_ result: ScannedPhoto, _ key: PhotoKey) async throws -> Bool {
        try await change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return false }
            let books = try change.store(result, photo: key.photo, asks: self.asks(change.job.options))
            try change.emit(.segmented(.init(photo: key.photo, spines: result.books.map(\.outline))))
            for (index, book) in books.enumerated() {
                try change.emit(
                    .bookProgress(
                        .init(photo: key.photo, current: index + 1, total: books.count, stage: "identified")))
                try change.emit(.result(book))
            }
            try change.set(.done, photo: key.photo, books: result.books.count)
            return true
        } ?? false
    }

    private func fail(_ key: PhotoKey, with problem: JobProblem) async throws {
        statistics.photosFailed += 1
        try await change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return }
            try change.set(.failed, photo: key.photo, problem: problem)
            try change.emit(.error(problem))
        }
    }

    /// Queues a photo again whose reading was stopped with the server.
    ///
    /// Photos of a cancelled job stay cancelled.
    private func requeue(_ key: PhotoKey) async throws {
        try await change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return }
            try change.resetAttempts(photo: key.photo)
            try change.set(.queued, photo: key.photo)
        }
    }
}

/// How many spines of a photo are read.
private struct SpineCount {
    /// The time between two events, because each is synced to disk.
    private static let pace = Duration.milliseconds(200)

    var total = 0
    private var logged = 0
    private var due = ContinuousClock.now

    /// Returns the number to log once a share of the text is read, 0...1; nil if it is not due.
    mutating func read(_ share: Double) -> Int? {
        let current = min(total, Int(Double(total) * share))
        let now = ContinuousClock.now
        guard current > logged, now >= due else { return nil }
        (logged, due) = (current, now.advanced(by: Self.pace))
        return current
    }
}

extension ScannedPhoto {
    /// Marks the books below `threshold`, and those that were not checked, for review.
    package mutating func apply(threshold: Double) {
        for index in books.indices {
            books[index].reviewStatus = books[index].status(threshold: threshold)
        }
    }
}

extension ScanStage {
    /// The share of a photo's time that has passed when the stage begins, 0...1.
    fileprivate var share: Double {
        switch self {
        case .decode: 0.05
        case .read: 0.15
        case .identify: 0.9
        }
    }

    fileprivate func message(photo: Int, of count: Int) -> String {
        let which = count == 1 ? "the photo" : "photo \(photo) of \(count)"
        return switch self {
        case .decode: "Opening \(which)."
        case .read: "Reading the spines in \(which)."
        case .identify: "Naming the books in \(which)."
        }
    }
}
