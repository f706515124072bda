import Bibliography
import Hummingbird
import Library
import Scans
import ShelflistAPI

/// Imports selected books of a job into the library.
struct ScanImportRoutes: Sendable {
    let scans: ScanRoutes
    let library: LibraryStore
    let importer: ScanImporter

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/scans/:job/import", needs: .editor, importBooks)
    }

    private func importBooks(_ request: Request, _ context: AppContext) async throws -> ScanImportOutcome {
        let job = try await scans.job(context)
        let hasBody = request.headers[.contentType] != nil
        let wanted = hasBody ? try await request.json(ScanImportRequest.self) : ScanImportRequest()
        let policy = try wanted.policy()
        let results = try await scans.jobs.results(of: job.id)
        let edits = try await scans.jobs.edits(of: job.id)
        let books = results.books.filter { book in
            (wanted.books.map { $0.contains(book.id) } ?? true)
                && book.book.confidence >= (wanted.minConfidence ?? 0) && edits[book.id]?.isRejected != true
        }
        if let unknown = wanted.books?.first(where: { id in !results.books.contains { $0.id == id } }) {
            throw Problem.invalidField(
                "books", "The job has no book '\(unknown.prefix(60))'. Use the IDs in its results.")
        }
        let shelf = try wanted.shelf.map(RowID<Shelf>.named)
        if let shelf { try await library.check(shelf: shelf) }
        let token = UndoToken()
        var outcome = ScanImportOutcome()
        for photo in results.photos {
            // Books are imported with the photo of their first sighting, as in an automatic import.
            let here = books.filter { $0.positions.first?.photo == photo.number }
            guard !here.isEmpty else { continue }
            let names = Dictionary(
                here.map { ($0.positions[0].bookID, $0.id) }, uniquingKeysWith: { first, _ in first })
            let report = try await importer.actions(as: token).importPhoto(
                photo.number, of: job, file: try await scans.jobs.file(photo.number, of: job.id),
                result: photo.result.keeping(firstSightingsOf: here, photo: photo.number),
                repeated: books.repeated(in: photo.number, of: job.id),
                edits: scans.jobs.edits(ofPhoto: photo.number, in: job.id), shelf: shelf, duplicates: policy)
            // Add what was found when the job was enriched, before the library had the book.
            for book in here { try await importer.enrich(book, of: job) }
            let library = library.actions(as: token)
            try await note(report, names: names, policy: policy, in: &outcome, library)
        }
        outcome.undoToken = try await library.shown(token)
        return outcome
    }

    private func note(
        _ report: ScanImportReport, names: [String: String], policy: DuplicateDecision?,
        in outcome: inout ScanImportOutcome, _ library: LibraryStore
    ) async throws {
        let detections = report.books.compactMap(\.detection)
        var questions = try await library.duplicateQuestions(about: detections)
        if let policy, !questions.isEmpty {
            // The policy also decides questions from an earlier import.
            _ = try await library.decide(questions.map(\.id), policy)
            questions = try await library.duplicateQuestions(about: detections)
        }
        for book in report.books {
            guard let id = names[book.id] else { continue }
            if let question = questions.first(where: { $0.detection != nil && $0.detection == book.detection }) {
                outcome.duplicates.append(
                    .init(
                        bookId: id, certainty: question.kind == .similar ? "similar" : "same",
                        question: PossibleDuplicate(question)))
                continue
            }
            var entry = book.entry
            if entry == nil, let detection = book.detection { entry = try await library.detection(detection).entry }
            guard let entry else {
                outcome.skipped.append(id)
                continue
            }
            let status = try await library.entry(entry).work.reviewStatus
            outcome.imported.append(
                .init(
                    bookId: id, entryId: "\(entry)", detectionId: book.detection.map { "\($0)" },
                    reviewStatus: status.rawValue))
        }
    }
}

extension ScanImportRequest {
    fileprivate func policy() throws -> DuplicateDecision? {
        guard (0...1).contains(minConfidence ?? 0) else {
            throw Problem.invalidField("minConfidence", "'minConfidence' must be from 0 to 1, for example 0.8.")
        }
        return switch duplicates ?? "ask" {
        case "ask": nil
        case "skip": .skip
        case "addCopy": .addCopy
        case "existing": .existing
        default:
            throw Problem.invalidField("duplicates", "'duplicates' must be ask, skip, addCopy or existing.")
        }
    }
}
