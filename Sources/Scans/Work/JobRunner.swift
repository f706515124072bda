import Concurrency
import Foundation
package import Reading
import ShelflistAPI
import Synchronization

/// Decides when photos are read, when sources are asked about them and when jobs are finished, and runs these tasks.
package actor JobRunner {
    private let work: JobWork
    private let log: JobLog

    private var runs: PhotoRuns
    private var questions: QuestionQueue
    /// The tasks of the active photos.
    private var reading: [PhotoKey: Task<Void, Never>] = [:]
    /// The tasks that ask about photos.
    private var asking: [PhotoKey: Task<Void, Never>] = [:]
    /// The tasks that finish jobs.
    private var finishing: [String: Task<Void, Never>] = [:]
    package private(set) var isStopping = false

    init(_ work: JobWork) {
        (self.work, log) = (work, work.log)
        runs = PhotoRuns(maxConcurrent: work.limits.photosAtOnce)
        questions = QuestionQueue(
            maxConcurrent: work.limits.photosAskedAtOnce, maxWaiting: work.limits.textsKept)
    }

    package nonisolated var statistics: JobStatistics { work.statistics.withLock { $0 } }

    /// Photos of which the events report that the disk fails to read them.
    package nonisolated var photosWaitingForDisk: Int {
        let reported = log.clock.now.addingTimeInterval(-(work.limits.diskFailureReported / .seconds(1)))
        return work.waits.withLock { $0.count(since: reported) }
    }

    package func counts() async throws -> JobCounts {
        let (byStatus, waiting, oldest) = try await log.read { try $0.jobCounts() }
        return JobCounts(
            byStatus: byStatus, photosWaiting: waiting, photosWaitingForDisk: photosWaitingForDisk,
            photosReading: runs.reading.count,
            queueAge: oldest.map { max(0, log.clock.now.timeIntervalSince($0)) } ?? 0)
    }

    /// Outlines the spines in a viewfinder's frame at once, without a job.
    ///
    /// Photos come first.
    ///
    /// - Throws: `JobError.busy` while photos or another frame are being read, `ImageError`.
    package func preview(_ frame: [UInt8]) async throws -> FrameOutline {
        guard !isStopping, runs.startPreview() else { throw JobError.busy }
        defer { runs.endPreview() }
        return try await work.preview(frame)
    }

    // MARK: Queueing

    /// Queues photos of a client's job to be read.
    func enqueue(_ photos: [PhotoKey], client: String) {
        for photo in photos { runs.queue.append(photo, client: client) }
        pump()
    }

    /// Queues the photos that were waiting or being read in the last process, or whose status could not be written.
    ///
    /// A photo whose status has changed since `job` was read is skipped. One that waits for the disk is queued behind all
    /// others, once its file can be read.
    ///
    /// - Parameter isRestart: whether the last process may have ended while it read them.
    package func queueLeftovers(of job: ScanJob, isRestart: Bool = false) async throws {
        for photo in job.photos where photo.status == .reading || photo.status == .queued {
            let key = PhotoKey(job: job.id, photo: photo.index)
            guard !runs.active.contains(key) else { continue }
            if isRestart, photo.problem != nil { work.waits.withLock { $0.resume(key) } }
            let isLate = work.waits.withLock { $0.contains(key) }
            let waits = try await log.change(job.id) { change in
                guard try change.status(photo: photo.index) == photo.status else { return false }
                if photo.status == .reading {
                    if !isRestart { try change.resetAttempts(photo: photo.index) }
                    if isLate {
                        try change.setSilently(.queued, photo: photo.index)
                    } else {
                        try change.set(.queued, photo: photo.index)
                    }
                }
                return true
            }
            guard waits == true, !runs.active.contains(key) else { continue }
            guard isLate, !isRestart else {
                runs.queue.append(key, client: job.client)
                continue
            }
            if try await work.canRead(key), !runs.active.contains(key) { runs.later.append(key, client: job.client) }
        }
    }

    /// Puts the photos that were tried least first.
    func order(by attempts: [PhotoKey: Int]) { runs.queue.order(by: attempts) }

    /// Reads no photo until `release()`.
    package func hold() { runs.isHeld = true }

    /// Starts to read what was queued.
    package func release() async throws {
        runs.isHeld = false
        try await resumeAsking()
    }

    // MARK: Reading

    /// Starts reading waiting photos, as many as may be read at once.
    private func pump() {
        while !isStopping, let key = runs.startNext(includingAgain: questions.hasRoom) {
            reading[key] = Task(executorPreference: BlockingExecutor.interactive) { await self.read(key) }
        }
    }

    private func read(_ key: PhotoKey) async {
        let question = await work.retriedBySweep {
            try await work.process(key) { await self.endReading(key) }
        }
        if let question { ask(question) }
        reading[key] = nil
        runs.end(key)
        pump()
        await finishIfRead(key.job)
        pumpQuestions()
    }

    /// The next photo can be read while the result of this one is being stored.
    private func endReading(_ key: PhotoKey) {
        runs.endReading(key)
        pump()
    }

    // MARK: Asking

    /// Asks about a photo when it is its turn.
    private func ask(_ question: QuestionQueue.Question) {
        if questions.hasRoom {
            questions.append(question)
        } else {
            runs.again.append(question.key, client: question.client)
        }
    }

    /// Starts asking about waiting photos, as many as may be asked about at once.
    ///
    /// A job that is being finished comes first: its look-ups use the same providers. A photo that waits to be read
    /// again is read where this made room for its text.
    private func pumpQuestions() {
        while !isStopping, let question = questions.startNext(except: Set(finishing.keys)) {
            asking[question.key] = Task(executorPreference: BlockingExecutor.interactive) { await self.run(question) }
        }
        pump()
    }

    private func run(_ question: QuestionQueue.Question) async {
        let key = question.key
        await work.retriedBySweep {
            guard try await work.ask(question) else { return }
            await finishing[key.job]?.value
            try await work.endAsking(about: key)
        }
        asking[key] = nil
        questions.end(key)
        pumpQuestions()
    }

    /// Resumes asking about the photos that were not asked about to the end, and starts what waits.
    ///
    /// Their text was in memory only, so they are read again.
    func resumeAsking() async throws {
        for (key, client) in try await log.read({ try $0.photosToAskAbout() }) where !isWaiting(key) {
            let job = try await log.read { try $0.job(key.job) }
            if let job, work.asks(job.options) {
                runs.again.append(key, client: client)
            } else {
                try await log.change(key.job) { try $0.endAsking(photo: key.photo) }
            }
        }
        pumpQuestions()
    }

    private func isWaiting(_ key: PhotoKey) -> Bool { questions.contains(key) || runs.active.contains(key) }

    // MARK: Finishing

    /// Looks up the books of a job and completes it, once none of its photos is outstanding.
    func finishIfRead(_ id: String) async {
        let job = await work.retriedBySweep { try await log.read { try $0.job(id) } }
        // A photo that is read may still have to be imported.
        guard !isStopping, finishing[id] == nil, let job, job.isRead, !runs.isActive(job: id) else { return }
        finishing[id] = Task(executorPreference: BlockingExecutor.interactive) { await self.finish(job) }
    }

    private func finish(_ job: ScanJob) async {
        let isOver = await work.retriedBySweep { try await work.finish(job) }
        finishing[job.id] = nil
        pumpQuestions()
        // A failure is left to the sweep.
        if isOver == false { await finishIfRead(job.id) }
    }

    // MARK: Stopping

    /// Removes the waiting photos of a job.
    ///
    /// - Parameter awaitsResults: waits for those results that are being stored.
    func dequeue(job id: String, awaitsResults: Bool) async {
        runs.dequeue(job: id)
        guard awaitsResults else { return }
        for (key, task) in reading where key.job == id && !runs.reading.contains(key) { await task.value }
    }

    /// Cancels what is running for a job.
    func cancel(job id: String) {
        for (key, task) in reading where key.job == id { task.cancel() }
        finishing[id]?.cancel()
        cancelQuestions(of: id)
    }

    /// Ends asking about the photos of a job.
    func cancelQuestions(of id: String) {
        questions.removeWaiting(of: id)
        for (key, task) in asking where key.job == id { task.cancel() }
    }

    /// Stops reading, asking and finishing, and ends the followers' signals.
    ///
    /// Returns once all tasks have ended, after `limits.stopping`, or when it is cancelled. Photos whose reading has not
    /// ended by then, for example because a model is still being loaded for it, are queued for the next start.
    ///
    /// - Parameter afterCancelling: see `ScanJobs.stop`.
    func stop(afterCancelling: @Sendable () -> Void = {}) async {
        isStopping = true
        let tasks = Array(reading.values) + asking.values + finishing.values
        for task in tasks { task.cancel() }
        log.endFollowing()
        afterCancelling()
        let haveEnded = await waitForEnd(
            of: { for task in tasks { await task.value } },
            until: { [log, limit = work.limits.stopping] in try await log.clock.sleep(for: limit) },
            endsWhenCancelled: true)
        guard !haveEnded else { return }
        let left = Array(reading.keys)
        // The database would refuse a write of a task that is cancelled.
        await Task { [work] in
            for key in left { await work.retriedBySweep { try await work.requeue(key) } }
        }.value
    }
}
