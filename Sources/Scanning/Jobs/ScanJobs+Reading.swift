import Bibliography
import Concurrency
import Foundation
import Imaging
import ShelflistAPI

/// The way of a photo through its job.
extension ScanJobs {
    /// Starts as many waiting photos as may be read at once.
    func pump() {
        while !isStopping, reading.count < limits.photosAtOnce, let key = queue.next() {
            reading.insert(key)
            running[key] = Task(executorPreference: BlockingExecutor.interactive) { await self.read(key) }
        }
    }

    private func read(_ key: PhotoKey) async {
        do {
            try await readThrough(key)
        } catch {
            // Only the database can be at fault here, on a full disk perhaps; the next sweep queues the photo again.
        }
        running[key] = nil
        endReading(key)
        await finishIfRead(key.job)
    }

    /// Lets the next photo be read.
    private func endReading(_ key: PhotoKey) {
        reading.remove(key)
        pump()
    }

    private func readThrough(_ key: PhotoKey) async throws {
        let (id, number) = (key.job, key.photo)
        guard let job = try await begin(key) else { return }
        announce(id)
        do {
            let name = job.photos.first { $0.index == number }?.name ?? "photo \(number)"
            let bytes = [UInt8](try Data(contentsOf: files.photo(number, of: id)))
            var result = try await withReports(of: key, job: job) { report in
                let result = try await self.reader.read(bytes, name: name, options: job.options, report: report)
                // The reader need not wait until the result is on the disk.
                self.endReading(key)
                return result
            }
            try Task.checkCancellation()
            if let threshold = job.options.threshold { result.apply(threshold: threshold) }
            guard try await store(result, key: key) else { return }
            announce(id)
            statistics.add(result)
            await importIfAsked(key)
        } catch is CancellationError {
            // In a task of its own: this one is cancelled, and the store would not write for it.
            try await Task { try await giveBack(key) }.value
        } catch JobError.diskFull {
            throw JobError.diskFull
        } catch {
            try await fail(key, with: JobProblem(error, photo: number))
        }
        announce(id)
    }

    /// Marks a photo as being read.
    ///
    /// - Returns: its job, or `nil` where it is not to be read.
    private func begin(_ key: PhotoKey) async throws -> ScanJob? {
        let (time, attempts) = (clock.now, limits.attempts)
        let job = try await store.change(key.job) { change -> ScanJob? in
            guard try change.status(photo: key.photo) == .queued, !change.job.isFinished else { return nil }
            guard try change.attempts(photo: key.photo) < attempts else {
                let problem = JobProblem(
                    code: "reading_failed",
                    message: "The server stopped \(attempts) times while it read this photo, so it is left alone now. "
                        + "Save it anew, or take it again.", retryable: true, photo: key.photo)
                try change.set(.failed, photo: key.photo, problem: problem, at: time)
                return nil
            }
            try change.set(.running, at: time)
            try change.set(.reading, photo: key.photo, at: time)
            return try change.currentJob()
        }
        return job ?? nil
    }

    /// Runs a reading and writes its reports into the log while it goes on.
    private func withReports(
        of key: PhotoKey, job: ScanJob,
        _ reading: (@escaping @Sendable (ReadingReport) -> Void) async throws -> ScannedPhoto
    ) async throws -> ScannedPhoto {
        let (reports, continuation) = AsyncStream<ReadingReport>.makeStream()
        let writing = Task {
            for await report in reports { try await self.log(report, of: key, job: job) }
        }
        let result: ScannedPhoto
        do {
            result = try await reading { continuation.yield($0) }
        } catch {
            continuation.finish()
            _ = await writing.result
            throw error
        }
        continuation.finish()
        try await writing.value
        return result
    }

    private func log(_ report: ReadingReport, of key: PhotoKey, job: ScanJob) async throws {
        let time = clock.now
        try await store.change(key.job) { change in
            guard !change.job.isFinished else { return }
            switch report {
            case .stage(let stage):
                let here = change.job.photos.filter { $0.status.isFinal }.count
                let share = (Double(here) + stage.share) / Double(max(job.photosExpected, 1))
                try change.emit(
                    .progress(
                        .init(
                            stage: .analyzing, progress: ((0.1 + 0.4 * share) * 1000).rounded() / 1000,
                            message: stage.message(photo: key.photo, of: job.photosExpected), photo: key.photo)),
                    at: time)
            case .spines(let spines):
                try change.emit(.segmented(.init(photo: key.photo, spines: spines)), at: time)
            }
        }
        announce(key.job)
    }

    /// Keeps a result with the events that tell of it.
    ///
    /// - Returns: `false` where the job was cancelled meanwhile.
    private func store(_ result: ScannedPhoto, key: PhotoKey) async throws -> Bool {
        let time = clock.now
        let stored = try await store.change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return false }
            let books = try change.store(result, photo: key.photo)
            try change.emit(.segmented(.init(photo: key.photo, spines: result.books.map(\.outline))), at: time)
            for (index, book) in books.enumerated() {
                try change.emit(
                    .bookProgress(
                        .init(photo: key.photo, current: index + 1, total: books.count, stage: "identified")), at: time)
                try change.emit(.result(book), at: time)
            }
            try change.set(.done, photo: key.photo, books: result.books.count, at: time)
            return true
        }
        return stored ?? false
    }

    private func fail(_ key: PhotoKey, with problem: JobProblem) async throws {
        statistics.photosFailed += 1
        let time = clock.now
        _ = try await store.change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return }
            try change.set(.failed, photo: key.photo, problem: problem, at: time)
            try change.emit(.error(problem), at: time)
        }
    }

    /// A photo whose reading was stopped by the server's own stop waits again; a cancelled job's does not.
    private func giveBack(_ key: PhotoKey) async throws {
        let time = clock.now
        _ = try await store.change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return }
            try change.forgetAttempts(photo: key.photo)
            try change.set(.queued, photo: key.photo, at: time)
        }
    }

    private func importIfAsked(_ key: PhotoKey) async {
        guard let importer else { return }
        do {
            guard let job = try await store.job(key.job), job.options.importsResults else { return }
            try await importPhoto(key.photo, of: job, into: importer)
        } catch {
            await tell(ofFailedImport: error, key)
        }
    }
}

extension ScannedPhoto {
    /// Decides anew which books need review.
    mutating func apply(threshold: Double) {
        for index in books.indices {
            books[index].reviewStatus = books[index].confidence < threshold ? .needsReview : .verified
        }
    }
}

extension ScanStage {
    /// How much of a photo's time has passed when the stage begins, 0...1.
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

extension JobStatistics {
    mutating func add(_ result: ScannedPhoto) {
        photosRead += 1
        seconds += result.seconds
        timings.decode += result.timings.decode
        timings.detect += result.timings.detect
        timings.recognise += result.timings.recognise
        timings.group += result.timings.group
        timings.match += result.timings.match
    }
}
