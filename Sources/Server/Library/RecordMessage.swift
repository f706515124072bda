import Bibliography
import Foundation
import Library
import Lookup
import ShelflistAPI

/// A record that search returns and that matching accepts.
struct RecordMessage: Codable {
    var id: String
    var source: String
    var title: String
    @Null var subtitle: String?
    var authors: [String]
    @Null var isbn: String?
    @Null var publisher: String?
    @Null var year: Int?
    @Null var pages: Int?
    @Null var language: String?
    @Null var series: String?
    @Null var coverUrl: ServerPath?
    var work: String?
    var sources: [String]?

    init(_ offer: MatchOffer) {
        let record = offer.record
        id = record.id
        source = record.source
        title = record.title
        subtitle = record.subtitle
        authors = record.authors
        isbn = record.isbn
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
