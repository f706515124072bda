import Bibliography
import Bounds
import HTTPTypes
import Hummingbird
import Library
import Scans
package import ShelflistAPI

/// The routes for reports on detections, which stay on this machine.
struct FeedbackRoutes: Sendable {
    let library: LibraryStore
    /// `nil` where reports are only on the library's spines.
    let scans: ScanRoutes?
    let pictures: JobPictures?

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/feedback", needs: .editor) { request, context -> HTTPResponse.Status in
            try await store(try await request.json(), context)
            return .noContent
        }
        // The path of the older apps.
        table.add(.post, "feedback", needs: .app) { request, context in
            try await store(try await request.json(), context)
            return Envelope(data: ["accepted": true])
        }
    }

    private func store(_ message: SpineReport, _ context: AppContext) async throws {
        let report = try message.checked()
        switch (message.detectionId, message.jobId, message.bookId) {
        case (let id?, nil, nil):
            if let name = DetectionName(id) { return try await store(report, on: name.book, of: name.job, context) }
            guard let detection = RowID<Detection>(id) else { throw Problem.notADetection }
            _ = try await library.report(detection, report)
        case (nil, let job?, let book?): try await store(report, on: book, of: job, context)
        default:
            throw Problem.invalidField(
                "detectionId", "Name the spine: 'detectionId' for one in the library, or 'jobId' with 'bookId'.")
        }
    }

    /// Stores a report on a book of a scan, whether it was imported or not.
    private func store(_ report: SpineReport, on id: String, of jobID: String, _ context: AppContext) async throws {
        guard let scans, let job = try await scans.jobs.log.job(jobID),
            scans.accounts.allows(context.caller, toSee: job)
        else {
            throw Problem.invalidField(
                "jobId",
                "There is no scan '\(jobID.shortened(to: 60))'. It may have expired; report the book in the library.")
        }
        guard let found = try await scans.jobs.log.book(id, of: job.id), let position = found.positions.first else {
            throw Problem.invalidField(
                "bookId", JobError.unknownBook(id).description)
        }
        // The report names the book as the import does, so that both are found together.
        var book = found.book
        book.id = position.bookID
        let scan = ScanImporter.scan(job: job.id, photo: position.photo)
        // A photo that cannot be decoded has no crop; the report is worth keeping without it.
        let crop = try? await pictures?.crop(of: found.id, in: job.id, turn: .none, longSide: 1024)
        _ = try await library.report(book, ofScan: scan, crop: crop, report)
    }
}

extension Problem {
    fileprivate static var notADetection: Problem {
        .invalidField(
            "detectionId",
            "'detectionId' is not a detection in the library. For a book of a scan, send 'jobId' and 'bookId'.")
    }
}

extension SpineReport {
    /// Returns the report with the fields that may be missing.
    ///
    /// - Throws: `Problem` for a field that is not valid.
    package func checked() throws -> SpineReport {
        guard note?.unicodeScalars.count ?? 0 <= 2000 else {
            throw Problem.invalidField("note", "The note has more than 2,000 characters. Shorten it.")
        }
        guard let correct = correct ?? (problem == nil ? nil : false) else {
            throw Problem.invalidField("correct", "The field 'correct' is missing.", status: 400)
        }
        guard !correct || problem == nil else {
            throw Problem.invalidField("problem", "A correct detection has no problem. Leave out 'problem'.")
        }
        var report = self
        report.correct = correct
        report.right?.isbn = try right?.isbn.map { try ISBN.named($0).isbn13 }
        return report
    }
}
