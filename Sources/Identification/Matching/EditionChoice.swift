import Bibliography

/// Chooses the edition of a work that a spine shows.
///
/// Only text on the spine counts: the publisher's name, the year, words and numbers of series and subtitle.
/// Translations have their own titles and are separate candidates.
struct EditionChoice {
    /// Famous works have thousands of editions.
    private static let editionLimit = 200

    /// The words that neither title nor authors explain, and the numbers.
    private let words: [FoldedWord]
    private let figures: Set<String>

    /// - Parameter record: the record that the spine was matched to.
    init(_ spine: SpineWords, record: RecordWords) {
        let alignment = WordAlignment(spine.folded, record.folded)
        var explained: Set<Int> = []
        for (index, word) in record.words.enumerated() where word.field == .title || word.field == .author {
            if alignment.record[index] >= 0.7 { explained.insert(alignment.place[index]) }
        }
        words = spine.folded.indices.filter { !explained.contains($0) && spine.folded[$0].count >= 3 }
            .map { spine.folded[$0] }
        let ofTitle = record.words.indices.filter { record.words[$0].field == .title }
            .compactMap { Figures.value(record.folded[$0].text) }
        figures = spine.figures.subtracting(ofTitle)
    }

    /// Returns the edition with the most support, or the record itself if no edition has more than it.
    func edition(of record: BookRecord, in catalog: any RecordSearch) throws -> BookRecord {
        guard !words.isEmpty || !figures.isEmpty else { return record }
        var best = (record: record, support: support(for: record))
        let title = TextNormalisation.fold(record.title)
        for edition in try catalog.editions(of: record, limit: Self.editionLimit)
        where TextNormalisation.fold(edition.title) == title {
            let support = support(for: edition)
            if support > best.support + 0.01 { best = (edition, support) }
        }
        return best.record
    }

    /// A year or volume number counts as much as a publisher's full name; a wrong volume counts against.
    private func support(for edition: BookRecord) -> Double {
        let publisher = TextNormalisation.words(edition.publisher ?? "").filter { !Publishers.isDecoration($0) }
        let series = TextNormalisation.words(edition.series ?? "")
        let volumes = Set(series.compactMap(Figures.value))
        var support = share(of: publisher) + share(of: series.filter { Figures.value($0) == nil })
        support += 0.5 * share(of: TextNormalisation.words(edition.subtitle ?? ""))
        if let year = edition.year, figures.contains(String(year)) { support += 1 }
        if !volumes.isEmpty, !figures.isEmpty { support += volumes.isDisjoint(with: figures) ? -0.5 : 1 }
        return support
    }

    /// The share, 0...1, of the words that are on the spine.
    private func share(of wanted: [String]) -> Double {
        let wanted = wanted.filter { $0.utf8.count >= 3 && !CommonWords.contains($0) }.map { FoldedWord($0) }
        guard !wanted.isEmpty else { return 0 }
        return Double(wanted.count { word in words.contains { $0.similarity(to: word) >= 0.8 } }) / Double(wanted.count)
    }
}
