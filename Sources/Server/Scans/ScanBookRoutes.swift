import Bibliography
import Bounds
import Foundation
import Hummingbird
import Library
import Lookup
import Scans
import ShelflistAPI

/// Saves what a user makes of a book of a scan: in the library if the book was added, otherwise with the scan until it
/// is added.
struct ScanBookRoutes: Sendable {
    let scans: ScanRoutes
    let library: LibraryStore
    let online: OnlineServices
    let covers: CoverQueue

    func add(to table: inout RouteTable) {
        table.add(.patch, "api/v1/scans/:job/books/:book", needs: .editor, change)
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> ChangedScanBook {
        let job = try await scans.job(context)
        let change: ScanBookChange = try await request.json()
        try change.check()
        let book = try await book(context, of: job)
        var token: String?
        if try await !scans.jobs.edit(book.id, of: job.id, { try change.apply(to: &$0) }) {
            guard let entry = try await outcome(of: book, job).entryId.flatMap({ RowID<LibraryEntry>($0) }) else {
                throw Problem(
                    "not_possible", status: 409, title: "Not possible",
                    detail:
                        "This book is not in the library: it was rejected, removed or skipped, or it is a duplicate "
                        + "that waits for an answer. Undo that first, or answer the question.")
            }
            (_, token) = try await library.undoable { try await apply(change, to: entry, in: $0) }
        }
        return ChangedScanBook(
            book: JobURLs(job.id).message(book, library: try await outcome(of: book, job)), undoToken: token)
    }

    private func outcome(of book: ScanBook, _ job: ScanJob) async throws -> ScanBookOutcome {
        try await scans.jobs.outcomes(of: [book], in: job.id)[book.id] ?? ScanBookOutcome(.open)
    }

    private func book(_ context: AppContext, of job: ScanJob) async throws -> ScanBook {
        guard let id = context.parameters.get("book"), let book = try await scans.jobs.log.book(id, of: job.id) else {
            throw Problem.notFound
        }
        return book
    }

    private func apply(
        _ change: ScanBookChange, to entry: RowID<LibraryEntry>, in library: LibraryStore
    ) async throws {
        if change.rejected == true { return try await library.reject(entry) }
        if let record = change.record {
            _ = try await library.applyMatch(entry, with: record.received)
            if let name = record.coverName, let url = online.coverURL(named: name) {
                await covers.fetch(url, for: entry, onlyMissing: false)
            }
            return
        }
        guard change.correction != BookCorrection() else { return }
        try await library.correct(entry, change.correction.apply)
    }
}

extension ScanBookChange {
    fileprivate var correction: BookCorrection {
        var correction = BookCorrection(title: title, authors: authors)
        correction.isbn = isbn
        return correction
    }

    /// - Throws: `Problem` for values that the library would refuse later.
    fileprivate func check() throws {
        let title = title ?? record?.record.title
        guard title.map({ !$0.trimmingCharacters(in: .whitespaces).isEmpty }) ?? true else {
            throw Problem.invalidField("title", "'title' is empty. A book needs a title.")
        }
        let texts = [title].compactMap(\.self) + (authors ?? [])
        guard texts.allSatisfy({ !BoundedText($0, limit: 4_000).isCut }), authors?.count ?? 0 <= 100 else {
            throw Problem.invalidField(
                "title", "Title and authors may have 4,000 bytes each, and a book 100 authors. Shorten them.")
        }
        _ = try isbn.value(from: nil, ISBN.named)
    }

    fileprivate func apply(to edit: inout ScanBookEdit) throws {
        if let rejected { edit.isRejected = rejected }
        let received = record?.received
        edit.correction.title = title ?? record?.record.title ?? edit.correction.title
        edit.correction.authors = authors ?? received?.authors ?? edit.correction.authors
        // A record without an ISBN must not keep that of the record chosen before.
        if let received {
            edit.correction.isbn = received.isbn.flatMap { ISBN($0) }.map { .set($0.isbn13) } ?? .keep
        }
        if isbn != .keep { edit.correction.isbn = FieldPatch(try isbn.value(from: nil) { try ISBN.named($0).isbn13 }) }
    }
}
