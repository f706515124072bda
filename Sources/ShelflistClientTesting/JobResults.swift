import Foundation
import ShelflistAPI
import ShelflistClient

extension ServerState {
    /// Adds books to the library, as a part of the same action as those before.
    ///
    /// - Parameter photo: the number of the photo that the job imports without being asked, which adds an event; nil for
    ///   an import that a client asked for.
    mutating func importBooks(_ books: [ScanBook], into job: inout StoredJob, photo: Int? = nil) {
        let token = job.status.id
        var action = actions[token] ?? Action(before: [:], after: [:], shelves: shelves, found: found)
        let shelf = job.status.options.shelf.flatMap { id in shelves.first { $0.id == id } }
        for book in books where job.copies[book.id] == nil && !job.rejected.contains(book.id) {
            let detected = book.book
            let spine = InMemoryServer.Spine(
                detected.title ?? "", by: detected.author ?? "", confidence: detected.confidence,
                isChecked: detected.checked)
            var stored = add(
                spine, shelf: shelf.map { ShelfReference(id: $0.id, name: $0.name) }, box: detected.boundingBox)
            if let edit = job.edits[book.id] {
                stored.correct(edit)
                stored.settle()
                self.books[stored.book.id] = stored
            }
            job.copies[book.id] = stored.book.id
            action.before[stored.book.id] = .some(nil)
            action.after[stored.book.id] = stored.revision
        }
        guard !action.before.isEmpty else { return }
        job.undoToken = remember(action, as: token)
        job.status.imported = true
        job.status.needsReview = job.copies.values.count { self.books[$0]?.book.reviewStatus == .needsReview }
        guard let photo else { return }
        let waiting = books.count { self.books[job.copies[$0.id] ?? ""]?.book.reviewStatus == .needsReview }
        job.emit(.imported(.init(photo: photo, entries: books.count, needsReview: waiting, duplicates: 0)))
    }

    func results(of job: StoredJob) -> ScanResults {
        let urls = JobURLs(job.status.id)
        let books = job.books.sorted { $0.book.confidence > $1.book.confidence }.map { book in
            ScanResultBook(book: book, cropUrl: urls.crop(of: book.id), library: outcome(of: book.id, in: job))
        }
        return ScanResults(
            jobId: job.status.id, status: job.status.status, books: books, summary: job.summary,
            undoToken: job.undoToken.flatMap { actions[$0] == nil ? nil : $0 })
    }

    private func outcome(of book: String, in job: StoredJob) -> ScanBookOutcome {
        if job.rejected.contains(book) { return ScanBookOutcome(.rejected) }
        guard let entry = job.copies[book] else {
            var outcome = ScanBookOutcome(.open)
            outcome.title = job.edits[book]?.title
            outcome.author = job.edits[book]?.authors?.joined(separator: ", ")
            return outcome
        }
        guard let stored = books[entry] else { return ScanBookOutcome(.removed) }
        var outcome = ScanBookOutcome(stored.book.reviewStatus == .needsReview ? .review : .added)
        (outcome.entryId, outcome.detectionId) = (entry, stored.item.id)
        outcome.reviewStatus = stored.book.reviewStatus.rawValue
        (outcome.title, outcome.author, outcome.isbn) = (stored.book.title, stored.book.author, stored.book.isbn)
        return outcome
    }
}
