import Bibliography
import Foundation
import ShelflistAPI
import ShelflistClient
import Synchronization

/// A scan of a server in memory.
struct StoredJob: Sendable {
    var status: ScanStatus
    var key: String?
    /// By number of the photo, from 1.
    var photos: [Int: Data] = [:]
    var events: [JobEvent] = []
    var books: [ScanBook] = []
    /// The copies in the library, by book.
    var copies: [String: String] = [:]
    /// What people made of books before they were added, by book.
    var edits: [String: BookCorrection] = [:]
    var rejected: Set<String> = []
    var undoToken: String?
    var isReading = false
    var followers: [UUID: AsyncStream<JobEvent>.Continuation] = [:]

    mutating func emit(_ content: JobEvent.Content) {
        let event = JobEvent(id: events.count + 1, jobId: status.id, time: Date(), content: content)
        events.append(event)
        status.lastEventId = event.id
        status.updatedAt = event.time
        if case .progress(let progress) = content {
            (status.stage, status.progress, status.message) = (progress.stage, progress.progress, progress.message)
        }
        for follower in followers.values { follower.yield(event) }
        if status.status.isFinal { endFollowers() }
    }

    mutating func endFollowers() {
        for follower in followers.values { follower.finish() }
        followers = [:]
    }

    mutating func set(_ photo: PhotoStatus, _ number: Int, books: Int? = nil, problem: Problem? = nil) {
        guard let index = status.photos.firstIndex(where: { $0.photo.index == number }) else { return }
        status.photos[index].photo.status = photo
        status.photos[index].photo.books = books
        status.photos[index].photo.problem = problem
        emit(.photo(status.photos[index].photo))
    }
}

extension InMemoryServer {
    /// Returns the events of a job; nil if there is none.
    func events(of job: String, after: Int) -> AsyncStream<JobEvent>? {
        let id = UUID()
        let (stream, continuation) = AsyncStream<JobEvent>.makeStream()
        let isFound = state.withLock { state in
            guard let stored = state.jobs[job] else { return false }
            for event in stored.events.dropFirst(after) { continuation.yield(event) }
            if stored.status.status.isFinal {
                continuation.finish()
            } else {
                state.jobs[job]?.followers[id] = continuation
            }
            return true
        }
        guard isFound else { return nil }
        continuation.onTermination = { [weak self] _ in
            // Not within the lock, where the end of the job ends this stream.
            Task { self?.state.withLock { _ = $0.jobs[job]?.followers.removeValue(forKey: id) } }
        }
        return stream
    }

    /// Reads the photos of a job that were sent, unless it is doing so.
    func read(_ job: String) {
        let begins = state.withLock { state in
            defer { state.jobs[job]?.isReading = true }
            return state.jobs[job]?.isReading == false
        }
        guard begins else { return }
        Task {
            while let step = self.state.withLock({ $0.nextStep(of: job) }) {
                // A cancelled job has no steps.
                if self.pace > .zero { try await self.clock.sleep(for: self.pace) }
                self.state.withLock { $0.take(step, of: job) }
            }
        }
    }
}

/// What a server does next for a job.
enum ReadingStep: Sendable {
    case begin(Int)
    case segment(Int)
    case book(Int, InMemoryServer.Spine, index: Int, of: Int)
    case end(Int, problem: Problem?)
    case complete
}

extension ServerState {
    /// Returns the next step of a job; nil where it waits for photos or is finished.
    mutating func nextStep(of id: String) -> ReadingStep? {
        guard let job = jobs[id], !job.status.status.isFinal else { return nil }
        for photo in job.status.photos.map(\.photo) where photo.status == .queued || photo.status == .reading {
            if photo.status == .queued { return .begin(photo.index) }
            guard let spines = job.spines(photo.index) else {
                return .end(
                    photo.index,
                    problem: Problem(
                        "image_damaged", status: 422, title: "Photo not read",
                        detail: "The JPEG file is damaged. Take the photo again."))
            }
            if !job.isSegmented(photo.index) { return .segment(photo.index) }
            let read = job.books.count { $0.photo == photo.index }
            if read < spines.count { return .book(photo.index, spines[read], index: read, of: spines.count) }
            return .end(photo.index, problem: nil)
        }
        if job.status.photos.allSatisfy(\.photo.status.isFinal) { return .complete }
        jobs[id]?.isReading = false
        return nil
    }

    mutating func take(_ step: ReadingStep, of id: String) {
        // The job may have been deleted since.
        guard var job = jobs[id] else { return }
        let count = Double(job.status.photosExpected)
        func progress(_ message: String, _ share: Double) -> JobEvent.Content {
            .progress(.init(stage: .analyzing, progress: 0.1 + 0.4 * share, message: message))
        }
        switch step {
        case .begin(let photo):
            job.status.status = .running
            job.set(.reading, photo)
            job.emit(progress("Reading photo \(photo) of \(job.status.photosExpected).", Double(photo - 1) / count))
        case .segment(let photo):
            let spines = job.spines(photo) ?? []
            let outlines = spines.indices.map { SpineOutline(Self.box($0, of: spines.count)) }
            job.emit(.segmented(.init(photo: photo, spines: outlines)))
        case .book(let photo, let spine, let index, let total):
            job.emit(.bookProgress(.init(photo: photo, current: index + 1, total: total, stage: "identified")))
            let book = spine.found(on: photo, index, box: Self.box(index, of: total))
            job.books.append(book)
            job.status.books += 1
            job.emit(.result(book))
        case .end(let photo, let problem):
            let books = job.books.filter { $0.photo == photo }
            job.set(
                problem == nil ? .done : .failed, photo, books: problem == nil ? books.count : nil, problem: problem)
            if job.status.options.importsResults, problem == nil { importBooks(books, into: &job, photo: photo) }
            if let problem {
                job.emit(
                    .error(JobProblem(code: problem.code, message: problem.detail, retryable: false, photo: photo)))
            }
        case .complete: complete(&job)
        }
        jobs[id] = job
    }

    private mutating func complete(_ job: inout StoredJob) {
        let wasRead = job.status.photos.contains { $0.photo.status == .done }
        (job.status.status, job.status.progress, job.status.stage) = (wasRead ? .completed : .failed, 1, .completed)
        job.status.finishedAt = Date()
        let reason = job.status.photos.compactMap(\.photo.problem).first?.detail ?? "No photo could be read."
        job.emit(
            wasRead
                ? .completed(job.summary)
                : .error(JobProblem(code: "reading_failed", message: reason, retryable: false)))
    }

    private static func box(_ index: Int, of count: Int) -> UnitRect {
        UnitRect(x: Double(index) / Double(count), y: 0, width: 1 / Double(count), height: 1)
    }
}

extension StoredJob {
    /// Returns what a photo shows; nil if it cannot be read.
    fileprivate func spines(_ photo: Int) -> [InMemoryServer.Spine]? {
        guard let data = photos[photo]?.dropFirst(InMemoryServer.photoMark.count) else { return nil }
        return try? JSONDecoder().decode([InMemoryServer.Spine].self, from: Data(data))
    }

    fileprivate func isSegmented(_ photo: Int) -> Bool {
        events.contains { if case .segmented(let found) = $0.content { found.photo == photo } else { false } }
    }

    var summary: ScanSummary {
        ScanSummary(
            photos: status.photos.count, photosFailed: status.photos.count { $0.photo.status == .failed },
            books: books.map(\.book), duplicatesFolded: 0, seconds: 0, suggestions: [])
    }
}

extension InMemoryServer.Spine {
    fileprivate func found(on photo: Int, _ index: Int, box: UnitRect) -> ScanBook {
        let record = BookMatch(title: title, author: author, confidence: confidence, source: "local")
        let book = DetectedBook(
            id: "\(photo)-book-\(index + 1)", title: title, author: author, confidence: confidence,
            checked: isChecked, reviewStatus: needsReview ? .needsReview : .verified, outline: SpineOutline(box),
            text: [ReadText(text: title, score: confidence)], matches: isChecked ? [record] : [])
        return ScanBook(book: book, photo: photo, positions: [ScanBook.Position(photo: photo, book: book)])
    }
}
