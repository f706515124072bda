/// What descriptions of a book have in common, whatever they are made of.
///
/// The rule for filling gaps is here, so that search, lookup and library agree on it.
package protocol BibliographicDescription {
    associatedtype Author
    associatedtype Number

    var subtitle: String? { get set }
    var series: String? { get set }
    var authors: [Author] { get set }
    var isbn: Number? { get set }
    var publisher: String? { get set }
    var year: Int? { get set }
    var pages: Int? { get set }
    var language: String? { get set }
}

extension BibliographicDescription {
    /// Fills what this description does not say from another description of the same book.
    ///
    /// - Parameter sameEdition: whether both describe one edition. The publisher, year, pages and language of another
    ///   edition would describe a book that the user does not have.
    package mutating func fillGaps(from other: Self, sameEdition: Bool) {
        subtitle = subtitle ?? other.subtitle
        series = series ?? other.series
        if authors.isEmpty { authors = other.authors }
        if sameEdition { fillEdition(from: other) }
    }

    /// Fills what is not said about the edition from another description of it.
    package mutating func fillEdition(from other: Self) {
        isbn = isbn ?? other.isbn
        publisher = publisher ?? other.publisher
        year = year ?? other.year
        pages = pages ?? other.pages
        language = language ?? other.language
    }
}

extension Record: BibliographicDescription {}

extension Record {
    /// This record with its gaps filled from another record of the same book, its cover included.
    package func filled(from other: Record, sameEdition: Bool) -> Record {
        var record = self
        record.fillGaps(from: other, sameEdition: sameEdition)
        record.coverURL = coverURL ?? other.coverURL
        if cover == nil, other.source == source { record.cover = other.cover }
        return record
    }
}
