import Bibliography
import Concurrency
import Foundation
import ShelflistAPI

/// Finishing jobs whose photos are all read.
extension ScanJobs {
    /// Looks up the books of a job and completes it, once none of its photos is outstanding.
    func finishIfRead(_ id: String) async {
        let job = await retriedBySweep { try await read { try $0.job(id) } }
        // A photo that is read may still have to be imported.
        guard !isStopping, finishing[id] == nil, let job, job.isRead, !runs.isActive(job: id) else { return }
        finishing[id] = Task(executorPreference: BlockingExecutor.interactive) {
            await self.run(job)
        }
    }

    private func run(_ job: ScanJob) async {
        await retriedBySweep { try await finish(job) }
        finishing[job.id] = nil
        pumpQuestions()
    }

    private func finish(_ job: ScanJob) async throws {
        await importPhotos(of: job)
        let wasRead = job.photos.contains { $0.status == .done }
        if wasRead { try await enrich(job.id) }
        guard !isStopping else { return }
        try Task.checkCancellation()
        let results = try await read { try $0.results(of: job.id) }
        try await change(job.id) { change in
            // A client may have asked to read a photo again.
            let job = try change.currentJob()
            guard job.isRead else { return }
            try change.set(wasRead ? .completed : .failed)
            try change.emit(wasRead ? .completed(results.summary(of: job)) : .error(JobProblem(unread: job)))
        }
    }

    /// Looks up the books that were not looked up yet.
    func enrich(_ id: String) async throws {
        guard let enricher, !enricher.isOff else { return }
        let books = try await read { try $0.books(of: id) }
            .filter { $0.enrichment == .none || $0.enrichment == .pending }
        guard !books.isEmpty else { return }
        try await change(id) { change in
            // The progress of a finished job stays at its end.
            guard !change.job.isFinished else { return }
            try change.emit(
                .progress(.init(stage: .enriching, progress: 0.5, message: "Looking up \(books.count) books.")))
        }
        let waiting = ReportBuffer()
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        async let logging: Void = log(waiting, at: signals, of: id, about: books)
        await enricher.enrich(books) { report in
            await waiting.add(report)
            signal.yield()
        }
        signal.finish()
        await logging
    }

    /// Logs the reports that are waiting at each signal.
    ///
    /// - Parameter books: as they were when they were looked up.
    private func log(
        _ waiting: ReportBuffer, at signals: AsyncStream<Void>, of id: String, about books: [ScanBook]
    ) async {
        var logged = 0
        for await _ in signals { logged = await log(await waiting.takeAll(), of: id, after: logged, about: books) }
    }

    /// Stores what was found since the last call, in one transaction, because each is synced to disk.
    ///
    /// Then updates the books that are in the library, also those of a job that were imported by hand.
    ///
    /// - Returns: the number of books with an answer.
    private func log(
        _ reports: [EnrichmentReport], of id: String, after logged: Int, about books: [ScanBook]
    ) async -> Int {
        let changed = await retriedBySweep {
            try await change(id) { change -> (job: ScanJob, found: [ScanBook], count: Int)? in
                guard change.job.acceptsAnswers else { return nil }
                var count = logged
                let found = try reports.compactMap { try change.log($0, after: &count, about: books) }
                return (change.job, found, count)
            }
        }
        guard let changed else { return logged }
        for book in changed.found {
            do {
                try await importer?.enrich(book, of: changed.job)
            } catch {
                await logEnrichmentFailure(error, book, id)
            }
        }
        return changed.count
    }

    private func logEnrichmentFailure(_ failure: any Error, _ book: ScanBook, _ id: String) async {
        let message =
            "What was found about '\(book.book.title ?? "a book")' could not be stored in the library: \(failure). "
            + "Complete the library's books later."
        await retriedBySweep {
            try await change(id) { change in
                guard change.job.acceptsAnswers else { return }
                try change.emit(.enrichmentDegraded(.init(source: "library", message: message)))
            }
        }
    }
}

extension JobChange {
    /// Stores and logs one answer.
    ///
    /// An answer about a book that has another name by now is dropped.
    ///
    /// - Parameters:
    ///   - logged: the number of books with an answer.
    ///   - books: as they were when they were looked up.
    /// - Returns: the book, where something was found about it.
    fileprivate func log(
        _ report: EnrichmentReport, after logged: inout Int, about books: [ScanBook]
    ) throws -> ScanBook? {
        switch report {
        case .degraded(let outage):
            try emitOnce(outage)
            return nil
        case .book(let id, let state, let metadata):
            logged += 1
            guard let asked = books.first(where: { $0.id == id }), let book = try db.book(id, of: job.id),
                book.book.isNamed(like: asked.book)
            else { return nil }
            try setEnrichment(state, metadata: metadata, of: id)
            try emit(
                .enriched(.init(bookID: id, state: state, metadata: metadata, current: logged, total: books.count)))
            return try metadata == nil ? nil : db.book(id, of: job.id)
        }
    }
}

extension JobProblem {
    /// The problem of a job without a photo that could be read.
    fileprivate init(unread job: ScanJob) {
        let first = job.photos.compactMap(\.problem).first
        self.init(
            code: first?.code ?? "no_photos",
            message: first?.detail ?? "No photo arrived, so there was nothing to read.",
            retryable: first?.retryable ?? true)
    }
}

/// Answers that are not stored yet.
private actor ReportBuffer {
    private var reports: [EnrichmentReport] = []

    func add(_ report: EnrichmentReport) { reports.append(report) }

    func takeAll() -> [EnrichmentReport] {
        defer { reports = [] }
        return reports
    }
}
