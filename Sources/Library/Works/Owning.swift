package import Bibliography
import GRDB
package import ShelflistAPI

/// Answers to "Do I own it?".
extension LibraryStore {
    /// Returns, for each of some books, whether the library has it.
    ///
    /// Without authors, the title decides. Without an ISBN, no copy counts as another edition.
    package func answers(about books: [BookDetails]) async throws -> [OwnAnswer] {
        try await read { db in
            var similar: SimilarTitles?
            return try books.map { try db.answer(about: $0, near: &similar) }
        }
    }

    /// Returns, for each spine of a photo, whether the library has the book.
    ///
    /// A spine does not show an ISBN, so no copy counts as another edition. Its series is the one of the record that named
    /// it. A book that needs review and that the library neither has nor wishes for is unsure: it may have been misread.
    package func answers(about spines: [DetectedBook]) async throws -> [OwnAnswer] {
        let answers = try await answers(
            about: spines.map { spine -> BookDetails in
                let author = spine.author ?? ""
                let record = spine.matches.record(title: spine.title, author: spine.author, isbn: spine.isbn)
                let place = record.flatMap { $0.isRecord ? $0.series : nil }.map { SeriesStatement($0) }
                return BookDetails(
                    title: spine.title ?? "", series: place?.name, seriesNumber: place?.number,
                    authors: author.isEmpty ? [] : AuthorCredit.list(author))
            })
        return zip(spines, answers).map { spine, answer in
            let isNew = answer.verdict == .notYours || answer.verdict == .fillsGap
            return isNew && spine.reviewStatus == .needsReview ? OwnAnswer(.unsure) : answer
        }
    }

    /// Returns whether the library has an edition; nil if it does not know the ISBN.
    package func answer(aboutISBN isbn: ISBN) async throws -> OwnAnswer? {
        try await read { db in
            let works = try RowID<Work>.fetchAll(
                db, sql: "SELECT DISTINCT work FROM edition WHERE isbn = ? ORDER BY work", arguments: [isbn.isbn13])
            return OwnAnswer(copies: try db.copies(ofWorks: works), isbn: isbn)
        }
    }
}

extension Database {
    /// - Parameter near: all titles, read when a book is not in the library under its own.
    fileprivate func answer(about book: BookDetails, near: inout SimilarTitles?) throws -> OwnAnswer {
        let key = BookKey(book)
        let candidates = try duplicates(of: book, key: key, except: nil)
        let same = try candidates.filter { try $0.kind.isSure || isTitle(of: $0.work, book) }.map(\.work)
        if let answer = OwnAnswer(copies: try copies(ofWorks: same), isbn: book.isbn) { return answer }
        let titles = try near ?? SimilarTitles(self)
        near = titles
        let offered = try candidates + offers(titles.similar(to: key), for: key).without(candidates)
        let owned = try copies(ofWorks: offered.prefix(3).map(\.work)).filter { $0.ownership != .wishlist }
        // Other volumes of a series often have nearly the same title.
        if let answer = try answer(aboutVolume: book), let series = answer.series.map({ SortKey.title($0.name) }),
            owned.allSatisfy({ $0.seriesNumber != nil && $0.series.map { SortKey.title($0) } == series })
        {
            return answer
        }
        return owned.isEmpty ? OwnAnswer(.notYours) : OwnAnswer(.unsure, copies: owned)
    }

    /// Whether a book without authors is this work, but for them.
    private func isTitle(of work: RowID<Work>, _ book: BookDetails) throws -> Bool {
        guard book.authors.isEmpty else { return false }
        var complete = book
        complete.authors = try self.work(work).authors
        return try duplicates(of: complete, key: BookKey(complete), except: nil)
            .contains { $0.work == work && $0.kind.isSure }
    }

    fileprivate func copies(ofWorks works: [RowID<Work>]) throws -> [LibraryBook] {
        guard !works.isEmpty else { return [] }
        var query = EntryQuery()
        query.works = works
        return try entries(query).entries
    }
}

extension OwnAnswer {
    /// - Returns: nil without copies.
    fileprivate init?(copies: [LibraryBook], isbn: ISBN?) {
        let owned = copies.filter { $0.ownership != .wishlist }
        let wishes = copies.filter { $0.ownership == .wishlist }
        guard !copies.isEmpty else { return nil }
        guard !owned.isEmpty else {
            self.init(.wished, copies: wishes)
            return
        }
        let number = isbn?.isbn13
        let ofEdition = owned.filter { $0.isbn == number }
        let isOther = number != nil && owned.allSatisfy { $0.isbn != nil && $0.isbn != number }
        self.init(
            isOther ? .otherEdition : .have,
            copies: ofEdition + owned.filter { !ofEdition.contains($0) } + wishes)
    }
}
