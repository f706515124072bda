package import Bibliography
import Bounds
package import ShelflistAPI

/// A work of the library: the data that its editions and copies share.
package struct Work: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Work>
    package var title: String
    package var subtitle: String?
    package var series: String?
    package var seriesNumber: SeriesNumber?
    /// The authors in the order of the title page.
    package var authors: [AuthorCredit]
    package var reviewStatus: ReviewStatus
    /// The revision, which grows with every change; clients pass the one they saw as `ifRevision`.
    package var revision: Int

    /// The series with the number: `Earthsea, #3`.
    package var seriesText: String? { series.map { SeriesStatement(name: $0, number: seriesNumber).text } }
}

/// A contributor of the library: the same person in all their works.
package enum Author {}

/// One publication of a work.
package struct Edition: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Edition>
    package var work: RowID<Work>
    package var isbn: ISBN?
    package var publisher: String?
    /// 1000...2100.
    package var year: Int?
    package var pages: Int?
    package var language: String?
    package var binding: String?
    /// A file name in the folder `covers`.
    package var cover: String?
    /// The catalog that described the edition, and its number there.
    package var source: String?
    package var sourceID: String?
}

/// The data of a book apart from the user's copy: the fields that a correction can change.
package struct BookDetails: Hashable, Codable, Sendable {
    package var title: String
    package var subtitle: String?
    package var series: String?
    package var seriesNumber: SeriesNumber?
    package var authors: [AuthorCredit]
    package var isbn: ISBN?
    package var publisher: String?
    package var year: Int?
    package var pages: Int?
    package var language: String?
    package var binding: String?

    package init(
        title: String, subtitle: String? = nil, series: String? = nil, seriesNumber: SeriesNumber? = nil,
        authors: [AuthorCredit] = [], isbn: ISBN? = nil, publisher: String? = nil, year: Int? = nil, pages: Int? = nil,
        language: String? = nil,
        binding: String? = nil
    ) {
        (self.title, self.subtitle, self.series, self.seriesNumber) = (title, subtitle, series, seriesNumber)
        (self.authors, self.isbn, self.publisher, self.year) = (authors, isbn, publisher, year)
        (self.pages, self.language, self.binding) = (pages, language, binding)
    }

    /// The largest number of authors of a book.
    package static let authorLimit = 100

    /// The series with the number: `Earthsea, #3`.
    package var seriesText: String? { series.map { SeriesStatement(name: $0, number: seriesNumber).text } }

    /// The authors' names; nil if there are none.
    var authorLine: String? { authors.isEmpty ? nil : authors.map(\.name).joined(separator: ", ") }

    /// Returns whether the record is of this book: the same ISBN, or otherwise the same title and author.
    package func isSameBook(as record: BookRecord) -> Bool {
        if let isbn, let other = record.isbn.flatMap({ ISBN($0) }), isbn == other { return true }
        let theirs = BookKey(title: record.title, subtitle: record.subtitle, authors: record.authors)
        return BookKey(self).agreement(with: theirs) == .same
    }

    /// Creates the details from a catalog record.
    ///
    /// An invalid ISBN and impossible years and page counts are dropped. Headings (`Beauvoir, Simone de, 1908-1986`)
    /// are converted to natural order.
    package init(_ record: BookRecord) {
        let series = record.series.map { SeriesStatement($0) }
        self.init(
            title: record.title, subtitle: record.subtitle, series: series?.name, seriesNumber: series?.number,
            // One more than a book may have, so that too many are refused.
            authors: record.authors.prefix(Self.authorLimit + 1).flatMap(AuthorCredit.list),
            isbn: record.isbn.flatMap { ISBN($0) },
            publisher: record.publisher,
            year: record.year.flatMap { Year.range.contains($0) ? $0 : nil },
            pages: record.pages.flatMap { PageCount.range.contains($0) ? $0 : nil }, language: record.language)
    }
}

extension BookDetails: BibliographicDescription {
    package var isNumberedVolume: Bool { seriesNumber != nil }

    package mutating func fillSeries(from other: BookDetails) {
        if series == nil { (series, seriesNumber) = (other.series, other.seriesNumber) }
    }
}

extension BookCorrection {
    /// - Throws: `LibraryError.invalid` for an ISBN or a number in a series that is not valid.
    package func apply(to book: inout BookDetails) throws {
        if let title { book.title = title }
        if let authors {
            // Authors who are already credited keep their roles.
            book.authors = authors.map { name in
                book.authors.first { $0.name == name } ?? AuthorCredit(name: name)
            }
        }
        subtitle.apply(to: &book.subtitle)
        publisher.apply(to: &book.publisher)
        year.apply(to: &book.year)
        pages.apply(to: &book.pages)
        if case .set(let text) = series {
            let place = SeriesStatement(text)
            (book.series, book.seriesNumber) = (place.name, place.number ?? book.seriesNumber)
        } else {
            series.apply(to: &book.series)
        }
        book.seriesNumber = try seriesNumber.value(from: book.seriesNumber) { text in
            guard let number = SeriesNumber(rawValue: text) else {
                throw LibraryError.invalid(
                    field: "seriesNumber",
                    reason: "'\(text.shortened(to: 40))' is not a number in a series. Write 3, 2.5 or 1-3.")
            }
            return number
        }
        language.apply(to: &book.language)
        book.isbn = try isbn.value(from: book.isbn) { text in
            guard let number = ISBN(text) else {
                throw LibraryError.invalid(
                    field: "isbn", reason: "'\(text.shortened(to: 40))' is not a valid ISBN. Check its digits.")
            }
            return number
        }
    }
}
