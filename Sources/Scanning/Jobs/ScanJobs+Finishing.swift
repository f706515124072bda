import Bibliography
import Concurrency
import Foundation
import ShelflistAPI

/// The end of a job.
extension ScanJobs {
    /// Enriches and completes a job all of whose photos are settled.
    func finishIfRead(_ id: String) async {
        let job: ScanJob?
        do {
            job = try await store.job(id)
        } catch {
            // The database cannot be read now; the next sweep asks again.
            return
        }
        // A photo that is read may still be on its way into the library.
        guard !isStopping, finishing[id] == nil, let job, !job.isFinished,
            job.photos.allSatisfy({ $0.status.isFinal }), !running.keys.contains(where: { $0.job == id })
        else { return }
        finishing[id] = Task(executorPreference: BlockingExecutor.interactive) { await self.finish(job) }
    }

    private func finish(_ job: ScanJob) async {
        let id = job.id
        defer { finishing[id] = nil }
        do {
            let read = job.photos.contains { $0.status == .done }
            do {
                try await importLeftOver(job)
            } catch {
                // The job's events tell of it; the sweep tries again.
            }
            if read { try await enrich(id) }
            guard !isStopping, !Task.isCancelled else { return }
            let results = try await store.results(of: id)
            let time = clock.now
            _ = try await store.change(id) { change in
                // A retry may have queued a photo again meanwhile.
                let job = try change.currentJob()
                guard !job.isFinished, job.photos.allSatisfy({ $0.status.isFinal }) else { return }
                if read {
                    try change.set(.completed, at: time)
                    try change.emit(.completed(results.summary(of: job)), at: time)
                } else {
                    let first = job.photos.compactMap(\.problem).first
                    let problem = JobProblem(
                        code: first?.code ?? "no_photos",
                        message: first?.detail ?? "No photo arrived, so there was nothing to read.",
                        retryable: first?.retryable ?? true)
                    try change.set(.failed, at: time)
                    try change.emit(.error(problem), at: time)
                }
            }
        } catch {
            // The database failed: the job stays unfinished and is finished by the next sweep or start.
        }
        announce(id)
    }

    private func enrich(_ id: String) async throws {
        guard let enricher, !enricher.isOff else { return }
        let books = try await store.books(of: id).filter { $0.enrichment == .none || $0.enrichment == .pending }
        guard !books.isEmpty else { return }
        let time = clock.now
        _ = try await store.change(id) { change in
            try change.emit(
                .progress(.init(stage: .enriching, progress: 0.5, message: "Looking up \(books.count) books.")),
                at: time)
        }
        announce(id)
        let answers = AnswerBuffer()
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        async let logging: Void = {
            for await _ in signals { await self.log(await answers.take(), of: id, total: books.count) }
        }()
        await enricher.enrich(books) { report in
            await answers.add(report)
            signal.yield()
        }
        signal.finish()
        await logging
    }

    /// Writes down what came since the last time, all at once: each transaction waits for the disk.
    private func log(_ answers: [AnswerBuffer.Answer], of id: String, total: Int) async {
        guard !answers.isEmpty else { return }
        let time = clock.now
        /// What the library is to be told.
        let found: (books: [ScanBook], job: ScanJob)?
        do {
            found = try await store.change(id) { change -> (books: [ScanBook], job: ScanJob) in
                guard !change.job.isFinished else { return ([], change.job) }
                var books: [ScanBook] = []
                for answer in answers {
                    switch answer.report {
                    case .degraded(let degradation): try change.emit(.enrichmentDegraded(degradation), at: time)
                    case .book(let book, let state, let metadata):
                        try change.setEnrichment(state, metadata: metadata, of: book)
                        try change.emit(
                            .enriched(
                                .init(
                                    bookID: book, state: state, metadata: metadata, current: answer.current,
                                    total: total)), at: time)
                        // A job that did not ask for it may have been imported by hand meanwhile.
                        if metadata != nil, let book = try change.book(book) { books.append(book) }
                    }
                }
                return (books, change.job)
            }
        } catch {
            // The books are found without it; completing the job, which writes as well, meets the same fault.
            found = nil
        }
        announce(id)
        guard let importer, let found else { return }
        for book in found.books {
            do {
                try await importer.enrich(book, of: found.job)
            } catch {
                await tell(of: error, keeping: book, id)
            }
        }
    }

    /// The job has what was found; a library that cannot take it shows the book as it was read.
    private func tell(of error: any Error, keeping book: ScanBook, _ id: String) async {
        let time = clock.now
        let message =
            "What was found about '\(book.book.title ?? "a book")' could not be put into the library: \(error). "
            + "Complete the library's books later."
        do {
            _ = try await store.change(id) { change in
                guard !change.job.isFinished else { return }
                try change.emit(.enrichmentDegraded(.init(source: "library", message: message)), at: time)
            }
        } catch {
            // The database fails as well; completing the job, which writes too, meets the same fault.
        }
        announce(id)
    }
}

/// Answers that wait to be written down.
private actor AnswerBuffer {
    struct Answer: Sendable {
        var report: EnrichmentReport
        /// How many books have been answered for.
        var current: Int
    }

    private var waiting: [Answer] = []
    private var count = 0

    func add(_ report: EnrichmentReport) {
        if case .book = report { count += 1 }
        waiting.append(Answer(report: report, current: count))
    }

    func take() -> [Answer] {
        defer { waiting = [] }
        return waiting
    }
}
