import Bibliography
import Foundation
import Identification
import Imaging
import Lookup
import Scanning
import ShelflistAPI

/// Jobs and events in the words of the wire.
struct ScanMessages: Sendable {
    let base: String
    let kept: Duration

    init(base: String = "/api/v1", kept: Duration) {
        self.base = base
        self.kept = kept
    }

    func url(of job: String) -> String { "\(base)/scans/\(job)" }

    func job(_ job: ScanJob) -> JobMessage {
        let url = url(of: job.id)
        return JobMessage(
            id: job.id, status: job.status.rawValue, stage: job.stage.rawValue, progress: job.progress,
            message: sentence(for: job), photos: job.photos.map { photo($0, of: job.id) },
            photosExpected: job.photosExpected, books: job.books, needsReview: job.needsReview,
            options: ScanOptionsMessage(
                threshold: job.options.threshold, imports: job.options.importsResults, shelf: job.options.shelf,
                reader: job.options.reader, preprocess: job.options.preprocessing?.rawValue),
            imported: job.imported, lastEventId: job.lastEvent, createdAt: job.createdAt, updatedAt: job.updatedAt,
            finishedAt: job.finishedAt, expiresAt: job.finishedAt.map { $0.addingTimeInterval(kept / .seconds(1)) },
            statusUrl: url, eventsUrl: "\(url)/events", resultsUrl: "\(url)/results")
    }

    private func sentence(for job: ScanJob) -> String {
        let count = job.photosExpected
        switch (job.status, job.stage) {
        case (.queued, _): return count == 1 ? "The photo waits in line." : "The photos wait in line."
        case (.completed, _): return job.books == 1 ? "1 book was found." : "\(job.books) books were found."
        case (.failed, _): return job.photos.compactMap(\.problem).first?.message ?? "No photo could be read."
        case (.canceled, _): return "The scan was cancelled."
        case (.running, .enriching): return "Looking up \(job.books) books."
        case (.running, _):
            let current = job.photos.first { $0.status == .reading }?.index
            return count == 1 ? "Reading the spines." : "Reading photo \(current ?? 1) of \(count)."
        }
    }

    func photo(_ photo: JobPhoto, of job: String) -> JobPhotoMessage {
        let url = "\(url(of: job))/photos/\(photo.index)"
        return JobPhotoMessage(
            index: photo.index, status: photo.status.rawValue, name: photo.name, bytes: photo.bytes,
            books: photo.books, problem: photo.problem.map(problem), url: url, annotatedUrl: "\(url)/annotated")
    }

    private func problem(_ problem: JobProblem) -> Problem {
        Problem(
            problem.code, status: problem.retryable ? 503 : 422, title: "Photo not read", detail: problem.message,
            retryable: problem.retryable)
    }

    func event(_ event: JobEvent, of job: String) -> EventMessage {
        EventMessage(id: event.id, jobId: job, time: event.time, data: data(event.content, of: job))
    }

    private func data(_ content: JobEvent.Content, of job: String) -> EventData {
        switch content {
        case .progress(let progress):
            .progress(
                ProgressData(
                    stage: progress.stage.rawValue, progress: progress.progress, message: progress.message,
                    photo: progress.photo))
        case .photo(let photo): .photo(self.photo(photo, of: job))
        case .segmented(let found):
            .segmented(
                SegmentedData(
                    photo: found.photo, image: "\(url(of: job))/photos/\(found.photo)/segmented",
                    totalBooks: found.spines.count,
                    spines: found.spines.map { SpineOutline(quad: $0.quad.inFourDigits, boundingBox: $0.boundingBox) }
                ))
        case .bookProgress(let progress):
            .bookProgress(
                BookProgressData(
                    photo: progress.photo, current: progress.current, total: progress.total, stage: progress.stage))
        case .result(let book): .result(ResultData(photo: book.photo, book: self.book(book, of: job)))
        case .enriched(let enrichment):
            .enriched(
                EnrichedData(
                    bookId: enrichment.bookID, enrichment: enrichment.state.rawValue,
                    metadata: enrichment.metadata?.served, current: enrichment.current,
                    total: enrichment.total))
        case .enrichmentDegraded(let degradation):
            .enrichmentDegraded(
                DegradedData(
                    provider: degradation.provider, message: degradation.message,
                    retryAfterMs: degradation.retryAfterMs))
        case .imported(let counts):
            .imported(
                ImportedData(
                    photo: counts.photo, entries: counts.entries, needsReview: counts.needsReview,
                    duplicates: counts.duplicates))
        case .completed(let summary):
            .completed(CompletedData(resultsUrl: "\(url(of: job))/results", summary: SummaryMessage(summary)))
        case .error(let problem):
            .error(
                ErrorData(
                    code: problem.code, message: problem.message, retryable: problem.retryable, photo: problem.photo))
        case .canceled: .canceled(CanceledData(message: "The scan was cancelled."))
        }
    }

    func book(_ found: ScanBook, of job: String) -> ScanBookMessage {
        let book = found.book
        return ScanBookMessage(
            id: found.id, title: book.title, author: book.author, isbn: book.isbn, confidence: book.confidence,
            reviewStatus: book.reviewStatus, boundingBox: book.boundingBox, quad: book.quad.inFourDigits,
            text: book.text, matches: book.matches, photo: found.photo,
            positions: found.positions.map {
                PositionMessage(
                    photo: $0.photo, bookId: $0.bookID, boundingBox: $0.boundingBox, quad: $0.quad.inFourDigits)
            },
            cropUrl: "\(url(of: job))/books/\(found.id)/crop", enrichment: found.enrichment.rawValue,
            metadata: found.metadata?.served)
    }

    func results(_ results: JobResults, of job: ScanJob) -> ScanResultsMessage {
        ScanResultsMessage(
            jobId: job.id, status: job.status.rawValue, photos: results.photos.map(\.result),
            books: results.books.map { book($0, of: job.id) }.sorted { $0.confidence > $1.confidence },
            summary: SummaryMessage(results.summary(of: job)))
    }
}

/// The results so far.
///
/// Encoded only: its photos are the reader's own document.
struct ScanResultsMessage: Encodable {
    var jobId: String
    var status: String
    var photos: [ScannedPhoto]
    var books: [ScanBookMessage]
    var summary: SummaryMessage
}

extension UnitQuad {
    /// Rounded as the API sends it: a tenth of a pixel in a photo 1,000 pixels wide.
    var inFourDigits: UnitQuad {
        let points = corners.map { UnitPoint(x: $0.x.inFourDigits, y: $0.y.inFourDigits) }
        return UnitQuad(points[0], points[1], points[2], points[3])
    }
}

extension Double {
    fileprivate var inFourDigits: Double { (self * 10_000).rounded() / 10_000 }
}

extension BookMetadata {
    /// With the cover as this server has it: no page of ours asks others for pictures.
    fileprivate var served: BookMetadata {
        var served = self
        served.coverURL = CoverName.of(coverURL).map(CoverURL.of)
        return served
    }
}

extension SummaryMessage {
    init(_ summary: ScanSummary) {
        self.init(
            photos: summary.photos, photosFailed: summary.photosFailed, books: summary.books,
            needsReview: summary.needsReview, verify: summary.verify, ready: summary.ready,
            duplicatesFolded: summary.duplicatesFolded, seconds: summary.seconds,
            suggestions: summary.suggestions.map { SuggestionMessage(code: $0.code.rawValue, message: $0.message) })
    }
}
