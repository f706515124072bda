/// The fields that all descriptions of a book share.
///
/// Search, lookup and library use its extensions, so that they fill gaps by the same rule.
package protocol BibliographicDescription {
    associatedtype Author
    associatedtype Number

    var subtitle: String? { get set }
    /// Whether a number in a series says which volume it is.
    var isNumberedVolume: Bool { get }
    /// Takes over the series of another description, with the number, if this one has none.
    mutating func fillSeries(from other: Self)
    var authors: [Author] { get set }
    var isbn: Number? { get set }
    var publisher: String? { get set }
    var year: Int? { get set }
    var pages: Int? { get set }
    var language: String? { get set }
}

extension BibliographicDescription {
    /// Fills missing fields from another description of the same book.
    ///
    /// - Parameter sameEdition: whether both describe one edition. The publisher, year, pages and language of another
    ///   edition would describe a book that the user does not have.
    package mutating func fillGaps(from other: Self, sameEdition: Bool) {
        subtitle = subtitle ?? other.subtitle
        // A number in a series is that of one volume, which another ISBN is not.
        if sameEdition || !other.isNumberedVolume { fillSeries(from: other) }
        if authors.isEmpty { authors = other.authors }
        if sameEdition { fillEdition(from: other) }
    }

    /// Fills missing fields of the edition from another description of the same edition.
    package mutating func fillEdition(from other: Self) {
        isbn = isbn ?? other.isbn
        publisher = publisher ?? other.publisher
        year = year ?? other.year
        pages = pages ?? other.pages
        language = language ?? other.language
    }
}

extension BookRecord: BibliographicDescription {
    package var isNumberedVolume: Bool { series.map { SeriesStatement($0).number != nil } ?? false }

    package mutating func fillSeries(from other: BookRecord) { series = series ?? other.series }
}

extension BookRecord {
    /// Returns this record with missing fields, including the cover, filled from another record of the same book.
    package func filled(from other: BookRecord, sameEdition: Bool) -> BookRecord {
        var record = self
        record.fillGaps(from: other, sameEdition: sameEdition)
        record.coverURL = coverURL ?? other.coverURL
        if cover == nil, other.source == source { record.cover = other.cover }
        return record
    }
}
