import GRDB
import ShelflistAPI

/// Wished-for books that have come.
extension Database {
    /// Returns the wished-for copy of a work that the library has no other copy of.
    func wish(ofWork work: RowID<Work>) throws -> RowID<LibraryEntry>? {
        let statement = try cachedStatement(
            sql: "SELECT min(id) FROM entry WHERE work = ? HAVING min(ownership = 'wishlist') = 1")
        return try RowID.fetchOne(statement, arguments: [work])
    }

    /// Makes a wished-for copy the owned one; does nothing for another copy.
    ///
    /// - Parameters:
    ///   - details: what is known of the copy that came. What was noted about the wish is kept where it says nothing.
    ///   - book: its edition; nil keeps the wish's.
    func fulfil(
        _ id: RowID<LibraryEntry>, with details: EntryDetails = EntryDetails(), _ book: BookDetails? = nil
    ) throws {
        let wish = try entry(id)
        guard wish.details.ownership == .wishlist else { return }
        var copy = details
        copy.reading = copy.reading ?? wish.details.reading
        copy.rating = copy.rating ?? wish.details.rating
        copy.startedOn = copy.startedOn ?? wish.details.startedOn
        copy.finishedOn = copy.finishedOn ?? wish.details.finishedOn
        copy.notes = copy.notes ?? wish.details.notes
        copy.callNumber = copy.callNumber ?? wish.details.callNumber
        copy.shelf = copy.shelf ?? wish.details.shelf
        copy.barcode = copy.barcode ?? wish.details.barcode
        copy.tags = wish.details.tags + copy.tags.filter { !wish.details.tags.contains($0) }
        var edition: RowID<Edition>?
        if let book, book.isbn != nil { edition = try self.edition(ofWork: wish.work, book, current: nil) }
        try update(wish, to: copy, edition: edition)
        try touch(work: wish.work)
    }
}
