import Bibliography
import Foundation
import Library
import Lookup
import ShelflistAPI

extension SearchRecord {
    init(_ offer: MatchOffer) {
        let record = offer.record
        self.init(
            id: record.id, source: record.source, title: record.title, authors: record.authors, isbn: record.isbn)
        subtitle = record.subtitle
        publisher = record.publisher
        year = record.year
        pages = record.pages
        language = record.language
        series = record.series
        work = record.work
        coverUrl = CoverName.of(record.coverURL?.absoluteString).map(CoverURL.of)
        sources = offer.sources
    }

    /// The name of the provider's cover for the record.
    var coverName: String? { coverUrl?.text.split(separator: "/").last.map(String.init) }

    var record: Record {
        Record(
            id: id, work: work, title: title, subtitle: subtitle,
            // One more than a book may have, so that too many are refused before their names are read.
            authors: Array(authors.prefix(BookDetails.authorLimit + 1)), series: series, isbn: isbn,
            publisher: publisher, year: year, pages: pages, language: language, source: source)
    }
}
