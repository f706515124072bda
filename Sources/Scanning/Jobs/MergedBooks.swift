package import Bibliography
package import Imaging
package import ShelflistAPI

/// A book of a job, after copies seen twice were folded into one.
package struct ScanBook: Codable, Identifiable, Sendable {
    /// `PHOTO-ID` of its first sighting; stays the same when a better reading comes from a later photo.
    package var id: String
    /// The best reading.
    package var book: DetectedBook
    /// The photo of the best reading, from 1.
    package var photo: Int
    /// Every place where it was seen, the first sighting first.
    package var positions: [Position]
    package var enrichment: EnrichmentState
    package var metadata: BookMetadata?

    package struct Position: Codable, Hashable, Sendable {
        package var photo: Int
        package var bookID: String
        package var boundingBox: UnitRect
        package var quad: UnitQuad
    }
}

/// Counts of a job.
package struct ScanSummary: Codable, Sendable {
    package var photos: Int
    package var photosFailed: Int
    package var books: Int
    package var needsReview: Int
    package var verify: Int
    package var ready: Int
    package var duplicatesFolded: Int
    /// Reading time of the photos, summed.
    package var seconds: Double
    /// What the photos suggest, each kind once.
    package var suggestions: [Suggestion]
}

/// The books of a job's photos, folded as photo after photo comes in.
///
/// Two sightings are one book if they have the same ISBN; where one of them has none, if title and author are the
/// same when case, accents and punctuation are left aside. Within one photo nothing is folded: two spines that
/// stand side by side are two copies.
package struct MergedBooks: Sendable {
    package private(set) var books: [ScanBook]
    /// How many sightings were folded into others.
    package private(set) var folded: Int

    package init(books: [ScanBook] = [], folded: Int = 0) {
        self.books = books
        self.folded = folded
    }

    /// Adds a photo's books.
    ///
    /// - Returns: the books that are new or changed, in the photo's order.
    @discardableResult
    package mutating func add(_ found: [DetectedBook], photo: Int) -> [ScanBook] {
        let earlier = books.indices
        var taken: Set<Int> = []
        return found.map { book in
            let position = ScanBook.Position(
                photo: photo, bookID: book.id, boundingBox: book.boundingBox, quad: book.quad)
            let twin = earlier.first { !taken.contains($0) && Self.isSame(books[$0].book, book) }
            guard let twin else {
                books.append(
                    ScanBook(
                        id: "\(photo)-\(book.id)", book: book, photo: photo, positions: [position], enrichment: .none))
                return books[books.count - 1]
            }
            taken.insert(twin)
            folded += 1
            books[twin].positions.append(position)
            if book.confidence > books[twin].book.confidence {
                books[twin].book = book
                books[twin].photo = photo
            }
            return books[twin]
        }
    }

    private static func isSame(_ a: DetectedBook, _ b: DetectedBook) -> Bool {
        if let first = a.isbn.flatMap(ISBN.init), let second = b.isbn.flatMap(ISBN.init) { return first == second }
        guard let title = a.title, let other = b.title else { return false }
        let key = TextNormalisation.fold(title)
        return !key.isEmpty && key == TextNormalisation.fold(other)
            && TextNormalisation.fold(a.author ?? "") == TextNormalisation.fold(b.author ?? "")
    }
}
