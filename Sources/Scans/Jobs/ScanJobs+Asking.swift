import Concurrency
import Foundation
import Reading
import ShelflistAPI

/// Asking sources about the books of photos that were read.
extension ScanJobs {
    /// Whether sources are asked about photos of such a job that are read now.
    nonisolated func asks(_ options: JobOptions) -> Bool {
        identifier.map { !$0.isOff(for: options.reader) } ?? false
    }

    /// A photo about which sources are to be asked.
    struct Question: Sendable {
        var key: PhotoKey
        /// With its text.
        var photo: ScannedPhoto
    }

    /// Asks about a photo when it is its turn.
    ///
    /// - Parameter client: of the photo's job.
    func ask(about photo: ScannedPhoto, _ key: PhotoKey, client: String) {
        if questions.count < limits.textsKept {
            questions.append(Question(key: key, photo: photo))
        } else {
            runs.again.append(key, client: client)
        }
    }

    /// Starts asking about waiting photos, as many as may be asked about at once.
    ///
    /// A job that is being finished comes first: its look-ups use the same providers. A photo that waits to be read
    /// again is read where this made room for its text.
    func pumpQuestions() {
        while !isStopping, asking.count < limits.photosAskedAtOnce,
            let next = questions.firstIndex(where: { finishing[$0.key.job] == nil && asking[$0.key] == nil })
        {
            let question = questions.remove(at: next)
            asking[question.key] = Task(executorPreference: BlockingExecutor.interactive) { await self.run(question) }
        }
        pump()
    }

    private func run(_ question: Question) async {
        await retriedBySweep { try await process(question) }
        asking[question.key] = nil
        pumpQuestions()
    }

    /// Asks about a photo and publishes what changes.
    ///
    /// - Throws: errors of the databases and `CancellationError`; the photo is then asked about again.
    private func process(_ question: Question) async throws {
        let key = question.key
        guard let identifier, let job = try await askingJob(key) else { return }
        let file = files.photo(key.photo, of: key.job)
        let asked = PhotoQuestion(
            question.photo, mode: job.options.reader, threshold: job.options.threshold
        ) { [UInt8](try Data(contentsOf: file)) }
        do {
            let photo = try await identifier.identify(asked, with: reader) { report in
                switch report {
                case .identified(let photo): await self.retriedBySweep { try await self.publish(photo, key) }
                case .unavailable(let outage): await self.retriedBySweep { try await self.log(outage, key) }
                }
            }
            try await publish(photo, key)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The books stay as they are: the same answers would fail again.
            onFailure(error)
        }
        try Task.checkCancellation()
        await enrichRenamed(key.job)
        try Task.checkCancellation()
        try await change(key.job) { try $0.endAsking(photo: key.photo) }
    }

    /// Returns the job of a photo that is to be asked about; nil if it is not.
    private func askingJob(_ key: PhotoKey) async throws -> ScanJob? {
        try await change(key.job) { try $0.isAsking(photo: key.photo) ? $0.job : nil }
    }

    /// Stores and logs what changed in a photo's books, and brings the library up to date.
    private func publish(_ photo: ScannedPhoto, _ key: PhotoKey) async throws {
        try Task.checkCancellation()
        let importer = importer
        let isChanged = try await change(key.job) { change in
            guard try change.isAsking(photo: key.photo) else { return false }
            var photo = photo
            if let threshold = change.job.options.threshold { photo.apply(threshold: threshold) }
            guard let update = try change.update(photo, photo: key.photo) else { return false }
            try change.emit(.updated(update))
            guard let importer, let result = try change.db.result(of: key) else { return true }
            let new = change.job.options.importsResults ? try change.db.books(of: key.job) : []
            try importer.update(
                key.photo, to: result, importing: new.firstSightings(inPhoto: key.photo), change)
            return true
        }
        if isChanged == true { try files.removePictures(of: key.photo, job: key.job) }
    }

    private func log(_ outage: UnavailableSource, _ key: PhotoKey) async throws {
        try await change(key.job) { change in
            if try change.isAsking(photo: key.photo) { try change.emitOnce(outage) }
        }
    }

    /// Looks up the books of a finished job that have another name since they were looked up.
    ///
    /// A job that is not finished yet looks them up with the others.
    private func enrichRenamed(_ id: String) async {
        await finishing[id]?.value
        guard !isStopping, !Task.isCancelled else { return }
        let previous = lookups[id]
        let task = Task {
            await previous?.value
            await self.retriedBySweep {
                guard try await self.read({ try $0.job(id) })?.status == .completed else { return }
                try await self.enrich(id)
            }
        }
        lookups[id] = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if lookups[id] == task { lookups[id] = nil }
    }

    // MARK: Resuming and stopping

    /// Resumes asking about the photos that were not asked about to the end.
    ///
    /// Their text was in memory only, so they are read again.
    func resumeAsking() async throws {
        for (key, client) in try await read({ try $0.photosToAskAbout() }) where !isWaiting(key) {
            let job = try await read { try $0.job(key.job) }
            if let job, asks(job.options) {
                runs.again.append(key, client: client)
            } else {
                try await change(key.job) { try $0.endAsking(photo: key.photo) }
            }
        }
    }

    private func isWaiting(_ key: PhotoKey) -> Bool {
        asking[key] != nil || runs.active.contains(key) || questions.contains { $0.key == key }
    }

    /// Reads a photo again for its text, without events.
    func readAgain(_ key: PhotoKey) async throws {
        let attempts = limits.attempts
        let job = try await change(key.job) { change -> ScanJob? in
            guard try change.isAsking(photo: key.photo) else { return nil }
            guard self.asks(change.job.options), try change.attempts(photo: key.photo) < attempts else {
                try change.endAsking(photo: key.photo)
                return nil
            }
            try change.countAttempt(photo: key.photo)
            return change.job
        }
        guard let job else { return }
        do {
            let bytes = [UInt8](try Data(contentsOf: files.photo(key.photo, of: key.job)))
            var photo = try await reader.read(
                bytes, name: "photo \(key.photo)", preprocessing: job.options.preprocessing
            ) { _ in }
            if let threshold = job.options.threshold { photo.apply(threshold: threshold) }
            // The process survived it. Without room for the text, the photo is read once more later.
            try await change(key.job) { try $0.forgetAttempt(photo: key.photo) }
            ask(about: photo, key, client: job.client)
        } catch is CancellationError {
            // The job was cancelled, or the next start resumes. The database would refuse a write of this task.
            try await Task { try await change(key.job) { try $0.forgetAttempt(photo: key.photo) } }.value
        } catch {
            onFailure(error)
            try await change(key.job) { try $0.endAsking(photo: key.photo) }
        }
    }

    /// Ends asking about the photos of a job; nil for all jobs.
    func cancelQuestions(of id: String? = nil) {
        questions.removeAll { id == nil || $0.key.job == id }
        for (key, task) in asking where id == nil || key.job == id { task.cancel() }
    }
}
