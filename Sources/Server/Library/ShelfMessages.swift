import Foundation
import Hummingbird
package import Library
package import Scans
package import ShelflistAPI

extension ShelfInventory {
    /// - Parameter results: those of the scans that are still here, by job.
    package init(_ found: ShelfComparison, _ results: [String: JobResults] = [:]) {
        self.init(shelfId: "\(found.shelf.id)", isFirst: found.isFirst)
        present = found.present.map(LibraryBook.init)
        new = found.new.map(LibraryBook.init)
        missing = found.missing.map(LibraryBook.init)
        lent = found.lent.map(LibraryBook.init)
        moved = found.moved.map(LibraryBook.init)
        notAdded = found.notAdded.map { book in
            let place = results.lazy.compactMap { job, results in
                results.books.first { candidate in
                    candidate.positions.first.map {
                        $0.bookID == book.book && ScanImporter.scan(job: job, photo: $0.photo) == book.job
                    } ?? false
                }.map { (job: job, book: $0.id) }
            }.first
            return Unadded(
                jobId: place?.job, bookId: place?.book, title: book.title, author: book.author,
                confidence: book.confidence, cropUrl: place.map { JobURLs($0.job).crop(of: $0.book) })
        }
        questions = found.questions.map { PossibleDuplicate($0) }
    }
}
