package import Bibliography

package struct WorkText {
    package var title: [String]
    package var subtitle: [String]
    package var authors: [String]
    package var series: [String]

    package init(_ record: BookRecord) {
        title = TextNormalisation.words(record.title)
        subtitle = record.subtitle.map(TextNormalisation.words) ?? []
        authors = record.authors.flatMap(TextNormalisation.words)
        series = record.series.map(TextNormalisation.words) ?? []
    }

    /// A key that is equal for the same book from two files, or for duplicate entries.
    package var key: [String] { title + subtitle + ["\u{1}"] + authors.sorted() }
}
