import GRDB
import Library
import Reading
import ShelflistAPI

/// Changes of a photo's books while sources are asked about them.
extension JobChange {
    /// Replaces a photo's books by those of a later identification, and merges the job's books again.
    ///
    /// Small differences of confidence are not a change: each answer changes how rare words are.
    ///
    /// - Returns: what changed; nil if nothing did, and then nothing is stored.
    func update(_ result: ScannedPhoto, photo number: Int) throws -> JobEvent.Update? {
        guard var photo = try db.result(of: PhotoKey(job: id, photo: number)),
            let named: Int = try value("named", photo: number)
        else { return nil }
        let continued = BookContinuity(published: photo.books, new: result.books, named: named)
        // What the user made of a book is not lost with the book.
        let edits = try db.edits(of: id)
        let edited = photo.books.filter {
            continued.removed.contains($0.id) && edits[$0.name(inPhoto: number)] != nil
        }
        (photo.books, photo.otherText) = (continued.books + edited, result.otherText)
        (photo.signs, photo.looseLines) = (result.signs, result.looseLines)

        let before = try db.books(of: id)
        let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        let merged = MergedBooks(photos: try photosAsMerged(with: photo, as: number))
        let changed = merged.books.filter { book in known[book.id].map { book.differs(from: $0) } ?? true }
        let left = Set(merged.books.map(\.id))
        let removed = before.map(\.id).filter { !left.contains($0) }
        let isUnchanged = changed.isEmpty && removed.isEmpty
        guard !isUnchanged || photo.model != result.model else { return nil }

        photo.model = result.model
        try updatePhoto(
            number, set: "result = :result, bookCount = :count, named = :named",
            ["result": try StoredJSON.text(photo), "count": photo.books.count, "named": continued.named])
        guard !isUnchanged else { return nil }
        try save(merged)
        let renamed = changed.filter { book in known[book.id].map { !$0.book.isNamed(like: book.book) } ?? false }
        for book in renamed.map(\.id) + removed { try forgetEnrichment(of: book) }
        let names = Set(changed.map(\.id))
        return JobEvent.Update(
            photo: number, books: try db.books(of: id).filter { names.contains($0.id) }.map(UpdatedBook.init),
            removed: removed)
    }

    /// The photos that were read, in the order in which their books were merged.
    private func photosAsMerged(
        with photo: ScannedPhoto, as number: Int
    ) throws -> [(number: Int, books: [DetectedBook])] {
        try Row.fetchAll(
            db,
            sql: "SELECT number, result FROM jobPhoto WHERE job = ? AND result IS NOT NULL ORDER BY merged, number",
            arguments: [id]
        ).map { row in
            if row["number"] == number { return (number, photo.books) }
            let other: ScannedPhoto = try JobJSON.decode(row["result"], of: id)
            return (row["number"], other.books)
        }
    }

    /// Deletes what was found about a book while it had another name.
    private func forgetEnrichment(of book: String) throws {
        try db.execute(sql: "DELETE FROM jobEnrichment WHERE job = ? AND book = ?", arguments: [id, book])
    }

    func isAsking(photo number: Int) throws -> Bool { try value("asking", photo: number) ?? false }

    /// Ends asking about a photo; nil for all photos.
    func endAsking(photo number: Int? = nil) throws {
        try db.execute(
            sql: "UPDATE jobPhoto SET asking = 0 WHERE job = :job AND number = coalesce(:number, number)",
            arguments: ["job": id, "number": number])
    }

    /// Logs how many spines of a photo are looked up, if that has changed.
    ///
    /// - Parameter open: the spines about which there is still something to ask.
    func emitLookups(open: Int, photo number: Int) throws {
        let before = try db.lookups(of: id)?.photos ?? []
        let total = max(open, before.first { $0.photo == number }?.total ?? 0)
        guard total > 0 else { return }
        var photos = try before.filter { $0.photo != number }.map { photo in
            // What a source did not answer before it failed is not looked up any more.
            try isAsking(photo: photo.photo)
                ? photo : .init(photo: photo.photo, current: photo.current, total: photo.current)
        }
        photos.append(.init(photo: number, current: total - open, total: total))
        photos.sort { $0.photo < $1.photo }
        if photos != before { try emit(.lookupProgress(.init(photos: photos))) }
    }

    /// Logs that a source is unavailable, once for each source and job.
    func emitOnce(_ outage: UnavailableSource) throws {
        let isLogged = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM jobEvent WHERE job = ?
                    AND json_extract(content, '$.type') = 'enrichment_degraded'
                    AND json_extract(content, '$.data.provider') = ?)
                """, arguments: [id, outage.source])
        if isLogged != true { try emit(.enrichmentDegraded(outage)) }
    }
}

extension DetectedBook {
    /// Whether title, author and ISBN are the same.
    func isNamed(like other: DetectedBook) -> Bool {
        title == other.title && author == other.author && isbn == other.isbn
    }
}

extension ScanBook {
    /// The smallest difference of confidence that is reported.
    private static let leastDifference = 0.01

    /// Whether the book has another name, another tier or another place.
    fileprivate func differs(from other: ScanBook) -> Bool {
        !book.isNamed(like: other.book) || book.checked != other.book.checked || book.tier != other.book.tier
            || book.reviewStatus != other.book.reviewStatus || positions != other.positions || photo != other.photo
            || abs(book.confidence - other.book.confidence) >= Self.leastDifference
    }
}
