import Bibliography
import Imaging
package import ShelflistAPI

/// What was found so far.
package struct JobResults: Sendable {
    /// The photos already read, by number.
    package var photos: [(number: Int, result: ScannedPhoto)]
    package var books: [ScanBook]
    /// How many sightings were folded into others.
    package var folded: Int

    package func summary(of job: ScanJob) -> ScanSummary {
        var seen: Set<Suggestion.Code> = []
        return ScanSummary(
            photos: photos.count, photosFailed: job.photos.count { $0.status == .failed }, books: books.map(\.book),
            duplicatesFolded: folded, seconds: photos.reduce(0) { $0 + $1.result.seconds },
            suggestions: photos.flatMap { $0.result.quality.suggestions }.filter { seen.insert($0.code).inserted })
    }
}

extension ScannedPhoto {
    /// The photo with those of its books that are first sightings of `books`.
    ///
    /// - Parameter number: the photo's number in the job.
    package func keeping(firstSightingsOf books: [ScanBook], photo number: Int) -> ScannedPhoto {
        let kept = Set(books.compactMap(\.positions.first).filter { $0.photo == number }.map(\.bookID))
        var photo = self
        photo.books.removeAll { !kept.contains($0.id) }
        return photo
    }
}
