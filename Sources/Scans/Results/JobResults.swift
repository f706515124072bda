import Bibliography
import Imaging
package import Library
package import Reading
package import ShelflistAPI

/// What was found so far.
package struct JobResults: Sendable {
    package struct Photo: Sendable {
        package var number: Int
        package var result: ScannedPhoto
        /// Of the bytes received; identifies the same picture in the library.
        var sha256: String?
    }

    /// The photos already read, by number.
    package var photos: [Photo]
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

extension JobResults {
    /// Returns the photos as an import would receive them, each with the books that were first seen in it.
    package func imports(of job: String) -> [ScanImport] {
        photos.map { photo in
            let scan = ScanImporter.scan(job: job, photo: photo.number)
            return ScanImport(
                job: scan, stored: photo.sha256.map { StoredPhoto(file: "\(scan).jpg", sha256: $0) },
                size: PixelSize(width: photo.result.width, height: photo.result.height),
                books: photo.result.keeping(firstSightingsOf: books, photo: photo.number).books)
        }
    }
}

extension [ScanBook] {
    /// The names, in a photo of the job, of the books that no earlier photo shows.
    func firstSightings(inPhoto number: Int) -> Set<String> {
        Set(compactMap(\.positions.first).filter { $0.photo == number }.map(\.bookID))
    }

    /// Returns the spines that a photo of a job shows after an earlier one.
    package func repeated(in number: Int, of job: String) -> [RepeatedSpine] {
        compactMap { book in
            guard let first = book.positions.first, first.photo != number,
                let again = book.positions.first(where: { $0.photo == number })
            else { return nil }
            return RepeatedSpine(
                job: ScanImporter.scan(job: job, photo: first.photo), book: first.bookID,
                boundingBox: again.boundingBox, quad: again.quad)
        }
    }
}

extension ScannedPhoto {
    /// The photo with those of its books that are first sightings of `books`.
    ///
    /// - Parameter number: the photo's number in the job.
    package func keeping(firstSightingsOf books: [ScanBook], photo number: Int) -> ScannedPhoto {
        let kept = books.firstSightings(inPhoto: number)
        var photo = self
        photo.books.removeAll { !kept.contains($0.id) }
        return photo
    }
}
