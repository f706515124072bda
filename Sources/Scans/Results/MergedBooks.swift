import Bibliography
package import ShelflistAPI

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

    /// Merges the books of several photos, in the order in which they were read.
    package init(photos: [(number: Int, books: [DetectedBook])]) {
        self.init()
        for photo in photos { add(photo.books, photo: photo.number) }
    }

    /// Adds a photo's books.
    ///
    /// - Returns: the books that are new or changed, in the photo's order.
    @discardableResult
    package mutating func add(_ found: [DetectedBook], photo: Int) -> [ScanBook] {
        let earlier = books.indices
        var taken: Set<Int> = []
        return found.map { book in
            let position = ScanBook.Position(photo: photo, book: book)
            let twin = earlier.first { !taken.contains($0) && Self.isSame(books[$0].book, book) }
            guard let twin else {
                var named = book
                named.id = book.name(inPhoto: photo)
                books.append(ScanBook(book: named, photo: photo, positions: [position]))
                return books[books.count - 1]
            }
            taken.insert(twin)
            folded += 1
            books[twin].positions.append(position)
            if book.confidence > books[twin].book.confidence {
                let id = books[twin].id
                (books[twin].book, books[twin].photo) = (book, photo)
                books[twin].book.id = id
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

extension DetectedBook {
    /// The name in a job of a book that is `id` in a photo: PHOTO-ID.
    func name(inPhoto photo: Int) -> String { "\(photo)-\(id)" }
}
