import Bibliography

extension BookRecord {
    /// The largest number of authors that the catalog keeps of a book.
    fileprivate static let authorLimit = 50

    /// The record of a CSV row with its subtitle split off the title, and its authors separated.
    var separated: BookRecord {
        var record = self
        if subtitle == nil { (record.title, record.subtitle) = Title.splitSubtitle(title) }
        record.authors = authors.prefix(Self.authorLimit).flatMap { field in
            let parts = PersonName.parts(of: field)
            let names = parts.count > 1 ? parts.compactMap(PersonName.init) : []
            return names.count > 1 ? names.map(\.displayName) : [field]
        }
        return record
    }
}

extension RowBatch {
    /// Adds the rows of a book; equal descriptions give equal rows, whatever their IDs.
    ///
    /// - Parameters:
    ///   - isbns: all of the book's, that of the record among them.
    ///   - romanised: the same book in Latin letters, which becomes an edition of the same work.
    mutating func append(_ book: BookRecord, isbns: [ISBN], alsoAs romanised: BookRecord? = nil) {
        let work = Self.work(of: book)
        let edition = append(edition: book, ofWork: work)
        works.append(
            WorkRow(id: work, title: edition.title, subtitle: edition.subtitle, authors: edition.authors))
        for other in Set(isbns).sorted() where other.number != edition.isbn {
            otherISBNs.append((other.number, edition.id))
        }
        // After the original, where both answer a question.
        if let romanised { _ = append(edition: romanised, ofWork: work, id: edition.id + 1) }
    }

    /// Returns the ID of the work that a book describes.
    static func work(of book: BookRecord) -> Int64 {
        var described = book
        // A title that has only symbols is used as it is.
        described.work =
            TextNormalisation.fold(book.title).isEmpty ? book.title + "\u{1}" + (book.authors.first ?? "") : nil
        return Identity.hash(["work", described.workKey])
    }

    /// - Parameter id: nil for one made of the values.
    private mutating func append(edition book: BookRecord, ofWork work: Int64, id: Int64? = nil) -> EditionRow {
        let isbn = book.isbn.flatMap { ISBN($0) }
        let authorIDs = book.authors.prefix(BookRecord.authorLimit).map { name in
            let id = Identity.hash(["author", name])
            authors.append(AuthorRow(id: id, name: append(name)))
            return id
        }
        var edition = EditionRow(
            id: id
                ?? Identity.hash([
                    "edition", String(work), isbn?.isbn13 ?? "", TextNormalisation.fold(book.subtitle ?? ""),
                    TextNormalisation.fold(book.publisher ?? ""), book.year.map { String($0) } ?? "",
                ]))
        edition.work = work
        edition.isbn = isbn?.number ?? 0
        edition.title = append(book.title)
        edition.subtitle = append(book.subtitle ?? "")
        edition.authors = append(ids: authorIDs)
        edition.series = append(book.series ?? "")
        edition.publisher = append(book.publisher ?? "")
        edition.language = append(book.language ?? "")
        edition.year = book.year ?? 0
        edition.pages = book.pages ?? 0
        edition.cover = book.cover ?? 0
        editions.append(edition)
        return edition
    }
}
