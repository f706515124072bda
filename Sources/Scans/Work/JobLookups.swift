import Bibliography
import Foundation
import GRDB
import Library
import ShelflistAPI
import Synchronization

/// Looks up the books of jobs in catalogs and providers, and stores what was found.
extension JobWork {
    /// Looks up the books of a finished job that have another name since they were looked up.
    ///
    /// A job that is not finished yet looks them up with the others.
    func enrichRenamed(_ id: String) async {
        let task = lookups.withLock { lookups in
            let previous = lookups[id]
            let task = Task {
                await previous?.value
                await retriedBySweep {
                    guard try await log.read({ try $0.job(id) })?.status == .completed else { return }
                    try await enrich(id)
                }
            }
            lookups[id] = task
            return task
        }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        lookups.withLock { if $0[id] == task { $0[id] = nil } }
    }

    /// Looks up the books that were not looked up yet.
    func enrich(_ id: String) async throws {
        guard let enricher, !enricher.isOff else { return }
        let books = try await log.read { try $0.books(of: id) }
            .filter { $0.enrichment == .none || $0.enrichment == .pending }
        guard !books.isEmpty else { return }
        try await log.change(id) { change in
            // The progress of a finished job stays at its end.
            guard !change.job.isFinished else { return }
            try change.emit(
                .progress(
                    .init(
                        stage: .enriching, progress: 0.5,
                        message: books.count == 1 ? "Looking up 1 book." : "Looking up \(books.count) books.")))
        }
        let waiting = ReportBuffer()
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // What cannot be stored fails the look-up, and a sweep repeats it.
        async let logging: Void = logAnswers(waiting, at: signals, of: id, about: books)
        await enricher.enrich(books) { report in
            await waiting.add(report)
            signal.yield()
        }
        signal.finish()
        try await logging
    }

    /// Logs the reports that are waiting at each signal.
    ///
    /// - Parameter books: as they were when they were looked up.
    private func logAnswers(
        _ waiting: ReportBuffer, at signals: AsyncStream<Void>, of id: String, about books: [ScanBook]
    ) async throws {
        var logged = 0
        for await _ in signals {
            logged = try await logAnswers(await waiting.takeAll(), of: id, after: logged, about: books)
        }
    }

    /// Stores what was found since the last call, also in the copies that the library has, in one transaction, because
    /// each is synced to disk.
    ///
    /// - Returns: the number of books with an answer.
    private func logAnswers(
        _ reports: [EnrichmentReport], of id: String, after logged: Int, about books: [ScanBook]
    ) async throws -> Int {
        let changed =
            try await log.change(id) { [importer] change -> (Int, [(entry: RowID<LibraryEntry>, cover: URL)])? in
                var count = logged
                var covers: [(entry: RowID<LibraryEntry>, cover: URL)] = []
                guard change.job.acceptsAnswers else { return (count, covers) }
                for report in reports {
                    guard let found = try change.log(report, after: &count, about: books) else { continue }
                    covers += try change.enrich(found, with: importer)
                }
                return (count, covers)
            }
        guard let (count, covers) = changed else { return logged }
        for (entry, cover) in covers { await importer.onCover(entry, cover) }
        return count
    }
}

extension JobChange {
    /// Adds what was found about a book to its copies; without them where the library cannot store it, which is logged.
    fileprivate func enrich(
        _ book: ScanBook, with importer: ScanImporter
    ) throws -> [(entry: RowID<LibraryEntry>, cover: URL)] {
        var covers: [(entry: RowID<LibraryEntry>, cover: URL)] = []
        do {
            try db.inSavepoint {
                covers = try importer.enrich(book, self)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode.primaryResultCode != .SQLITE_CONSTRAINT {
            // The whole transaction fails, and is tried again.
            throw error
        } catch let error where !(error is CancellationError) {
            let reason = importer.library.described(error)
            let message =
                "What was found about '\(book.book.title ?? "a book")' could not be stored in the library: \(reason). "
                + "Complete the library's books later."
            try emit(.enrichmentDegraded(.init(source: "library", message: message)))
        }
        return covers
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

/// Answers that are not stored yet.
private actor ReportBuffer {
    private var reports: [EnrichmentReport] = []

    func add(_ report: EnrichmentReport) { reports.append(report) }

    func takeAll() -> [EnrichmentReport] {
        defer { reports = [] }
        return reports
    }
}
