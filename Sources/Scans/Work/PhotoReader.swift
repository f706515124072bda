import Foundation
import Imaging
import Library
import Reading
import ShelflistAPI
import Storage
import Synchronization

/// Reads the photos of jobs, and stores and imports their results.
extension JobWork {
    /// Outlines the spines in a viewfinder's frame.
    func preview(_ frame: [UInt8]) async throws -> FrameOutline {
        try await reader.preview(frame, limits: limits.frame)
    }

    /// Reads a waiting photo, stores its result and imports it; or reads a photo again for its text.
    ///
    /// - Parameter onRead: called when a waiting photo was read and its result is still to be stored.
    /// - Returns: the photo, where sources may be asked about it.
    /// - Throws: errors of the database; those of the photo are stored with it.
    func process(
        _ key: PhotoKey, onRead: @Sendable () async -> Void
    ) async throws -> QuestionQueue.Question? {
        let file = Result { try files.bytes(ofPhoto: key.photo, of: key.job) }
        if case .failure(let error) = file, error.isOfDisk {
            // Without an event: nothing has happened to the photo.
            return try await waitForDisk(key, hasBegun: false, error) ? nil : readAgain(key)
        }
        var hasBegun = false
        do {
            let isQuiet = waits.withLock { $0.isQuiet(key) }
            guard let job = try await begin(key, isQuiet: isQuiet) else { return try await readAgain(key) }
            hasBegun = true
            let question = try await attempt(key, file, of: job, isQuiet: isQuiet, onRead)
            waits.withLock { $0.end(key) }
            return question
        } catch let error where error.isOfDisk {
            // The disk's fault, not the photo's: the sweep queues it again.
            guard try await waitForDisk(key, hasBegun: hasBegun, error) else { throw error }
            return nil
        }
    }

    /// - Parameters:
    ///   - file: the photo's bytes.
    ///   - isQuiet: whether no event reports the progress.
    private func attempt(
        _ key: PhotoKey, _ file: Result<[UInt8], any Error>, of job: ScanJob, isQuiet: Bool,
        _ onRead: @Sendable () async -> Void
    ) async throws -> QuestionQueue.Question? {
        let photo: ScannedPhoto
        do {
            var result = try await read(key, file.get(), of: job, isQuiet: isQuiet, onRead)
            try Task.checkCancellation()
            if let threshold = job.options.threshold { result.apply(threshold: threshold) }
            guard try await store(result, key) else { return nil }
            statistics.withLock { $0.add(result) }
            photo = result
        } catch let error where error is CancellationError || Task.isCancelled {
            // Whatever fails in a cancelled reading, for example because its decoder was ended, is not the photo's fault.
            // The database would refuse a write of this task.
            try await Task { try await requeue(key) }.value
            return nil
        } catch let error where error.isOfStorage {
            throw error
        } catch {
            try await fail(key, with: JobProblem(error, photo: key.photo))
            return nil
        }
        await importPhoto(key.photo, of: job)
        guard identifier != nil else { return nil }
        return QuestionQueue.Question(key: key, photo: photo, client: job.client)
    }

    /// Marks a photo as being read.
    ///
    /// - Parameter isQuiet: whether no event reports it.
    /// - Returns: its job; nil where the photo is not to be read.
    private func begin(_ key: PhotoKey, isQuiet: Bool) async throws -> ScanJob? {
        let (most, attempt) = (mostAttempts, self.attempt)
        return try await log.change(key.job) { change in
            guard try change.status(photo: key.photo) == .queued, !change.job.isFinished else { return nil }
            guard try change.attempts(photo: key.photo) < most else {
                let problem = JobProblem(
                    code: "reading_failed",
                    message: "The server stopped again and again while it read this photo. "
                        + "Save it in another format, or take it again.", retryable: true, photo: key.photo)
                try change.fail(photo: key.photo, with: problem)
                return nil
            }
            try change.set(.running)
            if isQuiet {
                try change.setSilently(.reading, photo: key.photo)
            } else {
                try change.set(.reading, photo: key.photo)
            }
            try change.countAttempt(photo: key.photo, attempt)
            return try change.currentJob()
        }
    }

    private func read(
        _ key: PhotoKey, _ bytes: [UInt8], of job: ScanJob, isQuiet: Bool, _ onRead: @Sendable () async -> Void
    ) async throws -> ScannedPhoto {
        let (reports, continuation) = AsyncStream<ReadingProgress>.makeStream()
        async let logging: Void = ReadingEvents(log: log, key: key, isQuiet: isQuiet).add(reports)
        do {
            let result = try await reader.reading(shelf: job.options.shelf).read(
                bytes, name: job.photo(key.photo)?.name ?? "photo \(key.photo)",
                preprocessing: job.options.preprocessing, began: { try await self.began(key) },
                report: { continuation.yield($0) })
            await onRead()
            continuation.finish()
            try await logging
            return result
        } catch {
            continuation.finish()
            try await logging
            throw error
        }
    }

    /// `JobLimits.attempts` in the units that are counted.
    private var mostAttempts: Int { limits.attempts * JobLimits.deathsElsewhere }

    private var attempt: Attempt { reader.readsElsewhere ? .elsewhere : .here }

    /// Charges a photo with the death that may follow.
    private func began(_ key: PhotoKey) async throws {
        try await log.change(key.job) { try $0.countAttempt(photo: key.photo, .began) }
    }

    /// Stores a result together with its events.
    ///
    /// - Returns: false where the job was cancelled.
    private func store(_ result: ScannedPhoto, _ key: PhotoKey) async throws -> Bool {
        try await log.change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return false }
            let books = try change.store(result, photo: key.photo, asks: self.asks(change.job.options))
            try change.emit(.segmented(.init(photo: key.photo, spines: result.books.map(\.outline))))
            for (index, book) in books.enumerated() {
                try change.emit(
                    .bookProgress(
                        .init(photo: key.photo, current: index + 1, total: books.count, stage: "identified")))
                try change.emit(.result(book))
            }
            try change.set(.done, photo: key.photo)
            return true
        } ?? false
    }

    private func fail(_ key: PhotoKey, with problem: JobProblem) async throws {
        statistics.withLock { $0.photosFailed += 1 }
        try await log.change(key.job) { change in
            guard try change.status(photo: key.photo) == .reading else { return }
            try change.fail(photo: key.photo, with: problem)
        }
    }

    /// Reads a photo again for its text, without events.
    private func readAgain(_ key: PhotoKey) async throws -> QuestionQueue.Question? {
        let (most, attempt) = (mostAttempts, self.attempt)
        let begun = try await log.change(key.job) { change -> (job: ScanJob, attempts: Int)? in
            guard try change.isAsking(photo: key.photo) else { return nil }
            let attempts = try change.attempts(photo: key.photo)
            guard self.asks(change.job.options), attempts < most else {
                try change.endAsking(photo: key.photo)
                return nil
            }
            try change.countAttempt(photo: key.photo, attempt)
            return (change.job, attempts)
        }
        guard let (job, attempts) = begun else { return nil }
        do {
            let bytes = try files.bytes(ofPhoto: key.photo, of: key.job)
            var photo = try await reader.reading(shelf: job.options.shelf).read(
                bytes, name: "photo \(key.photo)", preprocessing: job.options.preprocessing,
                began: { try await self.began(key) }, report: { _ in })
            if let threshold = job.options.threshold { photo.apply(threshold: threshold) }
            // The process survived it. Without room for the text, the photo is read once more later.
            try await log.change(key.job) { try $0.resetAttempts(photo: key.photo, to: attempts) }
            return QuestionQueue.Question(key: key, photo: photo, client: job.client)
        } catch let error where error is CancellationError || Task.isCancelled {
            // The job was cancelled, or the next start resumes. The database would refuse a write of this task.
            try await Task {
                try await log.change(key.job) { try $0.resetAttempts(photo: key.photo, to: attempts) }
            }.value
        } catch let error where error.isOfStorage {
            // The process survived it; where not even this can be stored, the attempt counts.
            do { try await log.change(key.job) { try $0.resetAttempts(photo: key.photo, to: attempts) } } catch {}
            throw error
        } catch {
            report(error)
            try await log.change(key.job) { try $0.endAsking(photo: key.photo) }
        }
        return nil
    }

    /// Queues a photo again whose reading was stopped with the server, also if the reading has not ended.
    ///
    /// Photos of a cancelled job stay cancelled.
    func requeue(_ key: PhotoKey) async throws {
        try await log.change(key.job) { change in
            // The process does not die of it, nor of reading it again for its text.
            try change.resetAttempts(photo: key.photo)
            if try change.status(photo: key.photo) == .reading { try change.set(.queued, photo: key.photo) }
        }
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
