import Bibliography
import Bounds
import Hummingbird
import Library
import Scans
import ShelflistAPI

/// Imports selected books of a job into the library.
struct ScanImportRoutes: Sendable {
    let scans: ScanRoutes
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/scans/:job/import", needs: .editor, importBooks)
    }

    private func importBooks(_ request: Request, _ context: AppContext) async throws -> ScanImportOutcome {
        let job = try await scans.job(context)
        let hasBody = request.headers[.contentType] != nil
        let wanted = hasBody ? try await request.json(ScanImportRequest.self) : ScanImportRequest()
        let policy = try wanted.policy()
        let all = try await scans.jobs.log.books(of: job.id)
        let edits = try await scans.jobs.log.edits(of: job.id)
        let books = all.filter { book in
            (wanted.books.map { $0.contains(book.id) } ?? true)
                && book.book.confidence >= (wanted.minConfidence ?? 0) && edits[book.id]?.isRejected != true
        }
        if let unknown = wanted.books?.first(where: { id in !all.contains { $0.id == id } }) {
            throw Problem.invalidField(
                "books", "The job has no book '\(unknown.shortened(to: 60))'. Use the IDs in its results.")
        }
        let shelf = try wanted.shelf.map(RowID<Shelf>.named)
        if let shelf { try await library.check(shelf: shelf) }
        let token = UndoToken()
        var outcome = ScanImportOutcome()
        for (id, book) in try await scans.jobs.add(
            Set(books.map(\.id)), of: job, shelf: shelf, duplicates: policy, as: token)
        { outcome.note(book, id) }
        outcome.undoToken = try await library.shown(token)
        return outcome
    }
}

extension ScanImportOutcome {
    fileprivate mutating func note(_ book: AddedScanBook, _ id: String) {
        if let question = book.question {
            duplicates.append(
                Duplicate(
                    bookId: id, certainty: question.kind == .similar ? "similar" : "same",
                    question: PossibleDuplicate(question)))
        } else if let entry = book.entry, let status = book.reviewStatus {
            imported.append(
                Imported(
                    bookId: id, entryId: "\(entry)", detectionId: book.detection.map { "\($0)" },
                    reviewStatus: status))
        } else {
            skipped.append(id)
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
