import Bibliography
import Foundation
import Hummingbird
import Library
import Lookup
import Scans
import ShelflistAPI

/// A value with URLs, encoded as one object with the fields of both.
struct WithURLs<Value: Encodable>: ResponseEncodable {
    let value: Value
    /// The URLs by field name.
    let urls: [String: ServerPath]

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        try urls.encode(to: encoder)
    }
}

extension ScanStatus {
    /// - Parameter kept: how long results are kept at least after the job has finished.
    init(_ job: ScanJob, kept: Duration) {
        var options = job.options
        options.app = nil
        self.init(
            id: job.id, status: job.status, photosExpected: job.photosExpected, options: options,
            createdAt: job.createdAt)
        let urls = JobURLs(job.id)
        stage = job.stage
        progress = job.progress
        message = Self.sentence(for: job)
        photos = job.photos.map(urls.message)
        books = job.books
        needsReview = job.needsReview
        imported = job.imported
        asking = job.isAsking
        lookups = job.lookups
        lastEventId = job.lastEvent
        updatedAt = job.updatedAt
        finishedAt = job.finishedAt
        expiresAt = job.finishedAt.map { $0.addingTimeInterval(kept / .seconds(1)) }
    }

    private static func sentence(for job: ScanJob) -> String {
        let count = job.photosExpected
        let open = job.photos.filter { !$0.status.isFinal }
        if let problem = open.first?.problem, open.allSatisfy({ $0.problem != nil }) { return problem.detail }
        switch (job.status, job.stage) {
        case (.queued, _): return count == 1 ? "The photo is queued." : "The photos are queued."
        case (.completed, _): return job.books == 1 ? "1 book was found." : "\(job.books) books were found."
        case (.failed, _): return job.photos.compactMap(\.problem).first?.detail ?? "No photo could be read."
        case (.canceled, _): return "The scan was cancelled."
        case (.running, .enriching): return "Looking up \(job.books) books."
        case (.running, _):
            let current = job.photos.first { $0.status == .reading }?.index
            return count == 1 ? "Reading the spines." : "Reading photo \(current ?? 1) of \(count)."
        }
    }
}

/// An event with its URLs.
struct EventMessage: Encodable {
    let event: JobEvent

    private struct Result: Encodable {
        var photo: Int
        var book: WithURLs<ScanBook>
    }

    private struct Update: Encodable {
        var photo: Int
        var books: [WithURLs<UpdatedBook>]
        var removed: [String]
    }

    private struct Completion: Encodable {
        var summary: ScanSummary
        var resultsUrl: ServerPath
    }

    func encode(to encoder: any Encoder) throws {
        let urls = JobURLs(event.jobId)
        let data: any Encodable =
            switch event.content {
            case .photo(let photo): urls.message(photo)
            case .segmented(let found):
                WithURLs(
                    value: JobEvent.Segmentation(photo: found.photo, spines: found.spines.map(\.inFourDigits)),
                    urls: ["image": urls.segmented(found.photo)])
            case .result(let book): Result(photo: book.photo, book: urls.message(book))
            case .updated(let update):
                Update(photo: update.photo, books: update.books.map(urls.message), removed: update.removed)
            case .enriched(let enrichment): enrichment.served
            case .completed(let summary): Completion(summary: summary, resultsUrl: urls.results)
            default: event.content.data
            }
        try event.encode(to: encoder, data: data)
    }
}

extension JobURLs {
    func message(_ photo: JobPhoto) -> ScanPhoto { ScanPhoto(photo, of: self) }

    func message(_ book: UpdatedBook) -> WithURLs<UpdatedBook> {
        let sent = message(book.book)
        return WithURLs(value: UpdatedBook(sent.value), urls: sent.urls)
    }

    func message(_ book: ScanBook) -> WithURLs<ScanBook> {
        var sent = book
        sent.metadata = book.metadata.map { BookMetadata($0.record.served) }
        sent.book.quad = book.book.quad.inFourDigits
        for index in sent.positions.indices { sent.positions[index].quad = sent.positions[index].quad.inFourDigits }
        return WithURLs(value: sent, urls: ["cropUrl": crop(of: book.id)])
    }
}

extension JobEvent.Enrichment {
    fileprivate var served: JobEvent.Enrichment {
        var served = self
        served.metadata = metadata.map { BookMetadata($0.record.served) }
        return served
    }
}
