import Bibliography

/// A book as described by a MARC record or a CSV row.
struct BookDescription: Equatable, Sendable {
    var title: String
    var subtitle: String?
    var authors: [String] = []
    var series: String?
    var isbns: [ISBN] = []
    var publisher: String?
    var year: Int?
    var pages: Int?
    var language: String?
    /// Open Library's number of the cover.
    var cover: Int?

    init(title: String) { self.title = title }

    /// Converts a CSV row; splits off the subtitle and separates the authors.
    init(_ record: Record) {
        if let subtitle = record.subtitle {
            title = record.title
            self.subtitle = subtitle
        } else {
            (title, subtitle) = Title.splitSubtitle(record.title)
        }
        authors = record.authors.flatMap { field in
            let names = PersonName.list(field)
            return names.count > 1 ? names.map(\.displayName) : [field]
        }
        series = record.series
        isbns = record.isbn.flatMap { ISBN($0) }.map { [$0] } ?? []
        publisher = record.publisher
        year = record.year
        pages = record.pages
        language = record.language
        cover = record.cover
    }
}

extension BookDescription {
    /// Equal for descriptions of one work; see `Record.workKey`.
    fileprivate var workKey: String {
        var record = Record(id: "", title: title, subtitle: subtitle, authors: authors)
        // The title has only symbols, so it is used as it is.
        if TextNormalisation.fold(title).isEmpty { record.work = title + "\u{1}" + (authors.first ?? "") }
        return record.workKey
    }
}

extension RowBatch {
    /// Adds the rows of a description; equal descriptions give equal rows.
    mutating func append(_ book: BookDescription) {
        let authorIDs = book.authors.prefix(50).map { name in
            let id = Identity.hash(["author", name])
            authors.append(AuthorRow(id: id, name: append(name)))
            return id
        }
        let work = Identity.hash(["work", book.workKey])
        var edition = EditionRow(
            id: Identity.hash([
                "edition", String(work), book.isbns.first?.isbn13 ?? "", TextNormalisation.fold(book.subtitle ?? ""),
                TextNormalisation.fold(book.publisher ?? ""), book.year.map { String($0) } ?? "",
            ]))
        edition.work = work
        edition.isbn = book.isbns.first?.number ?? 0
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
        works.append(
            WorkRow(id: work, title: edition.title, subtitle: edition.subtitle, authors: edition.authors))
        for isbn in Set(book.isbns.dropFirst()).sorted() where isbn != book.isbns.first {
            otherISBNs.append((isbn.number, edition.id))
        }
    }
}
