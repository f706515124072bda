import Scans
import ShelflistAPI

extension ShelfInventory {
    /// Names the books that were not added as their jobs do, where the jobs are still here.
    ///
    /// - Parameter results: those of the jobs, by their IDs.
    mutating func nameUnadded(in results: [String: JobResults]) {
        for index in notAdded.indices {
            let (scan, name) = (notAdded[index].jobId, notAdded[index].bookId)
            let place = results.lazy.compactMap { job, results in
                results.books.first { candidate in
                    candidate.positions.first.map {
                        $0.bookID == name && ScanImporter.scan(job: job, photo: $0.photo) == scan
                    } ?? false
                }.map { (job: job, book: $0.id) }
            }.first
            (notAdded[index].jobId, notAdded[index].bookId) = (place?.job, place?.book)
            notAdded[index].cropUrl = place.map { JobURLs($0.job).crop(of: $0.book) }
        }
    }
}
