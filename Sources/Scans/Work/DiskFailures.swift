import Concurrency
import Foundation
import Library
import ShelflistAPI
import Storage
import Synchronization

/// Photos for which the disk fails.
///
/// Each sweep tries them again. After `JobLimits.diskFailureReported` the events report it, once; after
/// `JobLimits.diskFailureKept`, or at the next start, such a photo fails. A full disk is not reported for each photo and fails
/// none: photos are read when there is room.
extension JobWork {
    /// Leaves a photo that waits to be read to the next sweep.
    ///
    /// - Parameter hasBegun: whether the disk failed after the photo's file was read, and events report that it is being read.
    /// - Returns: false for a photo that does not wait to be read.
    /// - Throws: errors of the database.
    func waitForDisk(_ key: PhotoKey, hasBegun: Bool, _ error: any Error) async throws -> Bool {
        let time = log.clock.now
        let (since, isNew) = waits.withLock { $0.fail(key, hasBegun: hasBegun, at: time) }
        let waited = time.timeIntervalSince(since)
        let isFull = error.isOfFullDisk
        let isReported = !isFull && waited >= limits.diskFailureReported / .seconds(1)
        let isOver = !isFull && waited >= limits.diskFailureKept / .seconds(1)
        let outcome = try await log.change(key.job) { change -> PhotoStatus? in
            let status = try change.status(photo: key.photo)
            guard !change.job.isFinished, status == .queued || status == .reading else { return nil }
            // The process survived the attempt.
            if status == .reading { try change.resetAttempts(photo: key.photo) }
            if isOver {
                try change.fail(photo: key.photo, with: JobProblem(disk: key.photo, hasBegun: hasBegun, isTried: false))
                return .failed
            }
            guard isReported, try change.currentJob().photo(key.photo)?.problem == nil else {
                try change.setSilently(.queued, photo: key.photo)
                return .queued
            }
            let problem = JobProblem(disk: key.photo, hasBegun: hasBegun, isTried: true)
            try change.set(.queued, photo: key.photo, problem: problem)
            try change.emit(
                .progress(
                    .init(
                        stage: .analyzing, progress: change.currentJob().progress, message: problem.message,
                        photo: key.photo)))
            return .queued
        }
        if outcome != .queued { waits.withLock { $0.end(key) } }
        if outcome == .failed { statistics.withLock { $0.photosFailed += 1 } }
        // Once, not with each sweep.
        if outcome != nil, isNew || outcome == .failed { report(error) }
        return outcome != nil
    }

    /// Reads the file of a photo that waits for the disk, without one of the places for photos that are read at once: a
    /// damaged disk may take minutes.
    ///
    /// - Returns: whether the photo can be read.
    /// - Throws: errors of the database.
    func canRead(_ key: PhotoKey) async throws -> Bool {
        guard waits.withLock({ $0.needsFile(key) }) else { return true }
        do {
            try await BlockingExecutor.background.run { _ = try files.bytes(ofPhoto: key.photo, of: key.job) }
        } catch let error where error.isOfDisk {
            return try await !waitForDisk(key, hasBegun: false, error)
        } catch {
            // The attempt to read the photo reports it.
        }
        return true
    }
}

extension JobProblem {
    /// - Parameter isTried: whether the server tries again.
    fileprivate init(disk photo: Int, hasBegun: Bool, isTried: Bool) {
        let cause = "The server's disk could not \(hasBegun ? "store the books of" : "read") this photo."
        self.init(
            code: "disk_failed",
            message: isTried ? "\(cause) It tries again every minute." : "\(cause) Check the disk, then retry.",
            retryable: true, photo: photo)
    }
}

extension Error {
    /// Whether the database or the disk failed, not the photo: what could not be read or stored can be later.
    var isOfStorage: Bool {
        if case .damaged? = self as? JobError { return true }
        return isOfDisk
    }

    /// The same without damaged rows of a job, which fail it.
    var isOfDisk: Bool {
        if case .inUse? = self as? LibraryError { return true }
        return self is StorageError || isOfFullDisk
    }

    fileprivate var isOfFullDisk: Bool {
        if case .diskFull? = self as? StorageError { return true }
        return self as? JobError == .diskFull
    }
}
