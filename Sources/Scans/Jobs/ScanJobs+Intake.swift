import Concurrency
import Foundation
package import ShelflistAPI

/// Accepting photos and requests of clients.
extension ScanJobs {
    /// Accepts a new job.
    ///
    /// When it returns, photos and job are on disk, and the job will be read even after a crash.
    ///
    /// - Parameters:
    ///   - id: the client's choice of an identifier; used where it is free.
    ///   - key: the client's name for this request; a second request with it returns the first one's job.
    ///   - expected: how many photos the job will have, where more are to come.
    /// - Returns: the job, and whether it is new.
    /// - Throws: `JobError`, `PhotoIntakeError`, errors of the database.
    package func accept(
        _ photos: [ReceivedPhoto], id: String? = nil, client: String, key: String? = nil,
        options: JobOptions = JobOptions(), expected: Int? = nil
    ) async throws -> (job: ScanJob, isNew: Bool) {
        var kept = false
        defer { if !kept { photos.forEach(files.discard) } }
        guard !isStopping else { throw JobError.stopping }
        if let key, let earlier = try await read({ try $0.job(client: client, key: key) }) { return (earlier, false) }
        let expected = max(expected ?? photos.count, photos.count)
        guard (1...limits.photosPerJob).contains(expected) else {
            throw expected == 0 ? JobError.noPhotos : JobError.tooManyPhotos(limit: limits.photosPerJob)
        }
        guard try await read({ try $0.jobsInFlight(client: client) }) < limits.jobsInFlightPerClient else {
            throw JobError.tooManyJobs(limit: limits.jobsInFlightPerClient)
        }

        let time = clock.now
        let free = try await reserve(id)
        defer { reserved.remove(free) }
        let job = ScanJob(
            id: free, client: client, status: .queued, options: options,
            photosExpected: expected,
            photos: (1...expected).map { JobPhoto(index: $0, status: .missing) }, books: 0, needsReview: 0,
            imported: false, lastEvent: 0, createdAt: time, updatedAt: time)
        for (index, photo) in photos.enumerated() { try files.take(photo, as: index + 1, of: job.id) }
        kept = true
        following.renew(job.id, at: time)
        let stored: (job: ScanJob, isNew: Bool)
        do {
            stored = try await insert(job, key: key) { change in
                let received =
                    photos.isEmpty ? "Waiting for \(expected) photos." : Self.received(photos.count, of: expected)
                try change.emit(.progress(.init(stage: .uploading, progress: 0.1, message: received)))
                for (index, photo) in photos.enumerated() { try change.receive(photo, as: index + 1) }
            }
        } catch {
            try forget(job.id)
            throw error
        }
        guard stored.isNew else {
            // The same request arrived twice at once, and the other was stored first.
            try forget(job.id)
            return stored
        }
        for number in photos.indices { runs.queue.append(PhotoKey(job: job.id, photo: number + 1), client: client) }
        pump()
        return stored
    }

    /// Reserves the identifier of a new job, so that its folder belongs to one request.
    ///
    /// - Parameter wanted: used unless a job has it, or another request is about to use it.
    private func reserve(_ wanted: String?) async throws -> String {
        if let wanted, reserved.insert(wanted).inserted {
            do {
                if try await read({ try $0.job(wanted) }) == nil { return wanted }
            } catch {
                reserved.remove(wanted)
                throw error
            }
            reserved.remove(wanted)
        }
        let random = UUID().uuidString.lowercased()
        reserved.insert(random)
        return random
    }

    /// Adds a photo to a job that expects it.
    ///
    /// - Returns: the photo, and whether it is new: the same bytes under the same number are stored once.
    /// - Throws: `JobError`, `PhotoIntakeError`, errors of the database.
    package func add(_ photo: ReceivedPhoto, as number: Int, to id: String) async throws -> (
        photo: JobPhoto, isNew: Bool
    ) {
        var kept = false
        defer { if !kept { files.discard(photo) } }
        // A client that lost the connection sends a photo again while the first upload is being stored.
        let key = PhotoKey(job: id, photo: number)
        await beginArrival(of: key)
        defer { endArrival(of: key) }
        guard !isStopping else { throw JobError.stopping }
        guard let job = try await read({ try $0.job(id) }) else { throw JobError.notFound }
        guard let place = job.photo(number) else {
            throw job.photosExpected < limits.photosPerJob && number <= limits.photosPerJob
                ? JobError.photoNotExpected(number, expected: job.photosExpected)
                : JobError.tooManyPhotos(limit: limits.photosPerJob)
        }
        guard place.status == .missing else {
            guard try await read({ try $0.fingerprint(of: key) }) == photo.sha256 else {
                throw JobError.photoExists(number)
            }
            return (place, false)
        }
        guard !job.isFinished else { throw JobError.closed }

        // A file left by a crash is replaced.
        try files.take(photo, as: number, of: id)
        kept = true
        let stored = try await change(id) { change -> JobPhoto? in
            guard try change.status(photo: number) == .missing else { return nil }
            try change.receive(photo, as: number)
            let job = try change.currentJob()
            let arrived = job.photos.count { $0.status != .missing }
            try change.emit(
                .progress(
                    .init(
                        stage: job.stage, progress: job.progress,
                        message: Self.received(arrived, of: job.photosExpected), photo: number)))
            return job.photo(number)
        }
        guard let stored else { throw JobError.closed }
        runs.queue.append(key, client: job.client)
        pump()
        return (stored, true)
    }

    /// Waits until no other upload of the photo is being stored.
    private func beginArrival(of photo: PhotoKey) async {
        while arrivals[photo] != nil { await withCheckedContinuation { arrivals[photo, default: []].append($0) } }
        arrivals[photo] = []
    }

    private func endArrival(of photo: PhotoKey) {
        for waiting in arrivals.removeValue(forKey: photo) ?? [] { waiting.resume() }
    }

    private static func received(_ count: Int, of expected: Int) -> String {
        if expected == 1 { return "The photo has arrived." }
        return count == expected
            ? "All \(expected) photos have arrived." : "\(count) of \(expected) photos have arrived."
    }

    /// Removes the photos that have not arrived: no more will come.
    ///
    /// - Throws: `JobError.notFound`, `.diskFull`, errors of the database.
    package func close(_ id: String) async throws -> ScanJob {
        let job = try await change(id) { change in
            if !change.job.isFinished { try change.close() }
            return try change.currentJob()
        }
        guard let job else { throw JobError.notFound }
        await finishIfRead(id)
        return try await read { try $0.job(id) } ?? job
    }

    /// Reads a failed photo again.
    ///
    /// A photo that is waiting or being read is returned as it is.
    ///
    /// - Throws: `JobError.notFound`, `.notFailed`, `.diskFull`, errors of the database.
    package func retry(photo number: Int, of id: String) async throws -> JobPhoto {
        guard let job = try await read({ try $0.job(id) }), let photo = job.photo(number) else {
            throw JobError.notFound
        }
        guard [.failed, .queued, .reading].contains(photo.status) else { throw JobError.notFailed(number) }
        let queued = try await change(id) { change -> JobPhoto? in
            guard try change.status(photo: number) == .failed else { return nil }
            try change.resetAttempts(photo: number)
            try change.set(.running)
            try change.set(.queued, photo: number)
            return try change.currentJob().photo(number)
        }
        guard let queued else { return photo }
        following.renew(id, at: clock.now)
        runs.queue.append(PhotoKey(job: id, photo: number), client: job.client)
        pump()
        return queued
    }

    /// Cancels a job and deletes what was stored.
    ///
    /// Safe to repeat.
    ///
    /// - Parameter keepsResults: keeps what was read so far until it expires.
    /// - Returns: what was read so far, where it is kept.
    @discardableResult
    package func cancel(_ id: String, keepsResults: Bool = false) async throws -> JobResults? {
        runs.dequeue(job: id)
        if keepsResults {
            // Results that are being stored belong to what was read so far.
            for (key, task) in tasks where key.job == id && !runs.reading.contains(key) { await task.value }
        }
        let wasRunning = try await change(id) { change -> Bool in
            try change.endAsking()
            guard !change.job.isFinished else { return false }
            for photo in change.job.photos where !photo.status.isFinal {
                try change.set(.canceled, photo: photo.index)
            }
            try change.set(.canceled)
            try change.emit(.canceled)
            // The job remains without results until it expires, so that every follower receives its end.
            if !keepsResults { try change.deleteResults() }
            return true
        }
        for (key, task) in tasks where key.job == id { task.cancel() }
        finishing[id]?.cancel()
        cancelQuestions(of: id)
        if keepsResults { return wasRunning == nil ? nil : try await results(of: id) }
        switch wasRunning {
        case true?: try forget(id)
        case false?: try await delete(id)
        case nil: break
        }
        return nil
    }
}
