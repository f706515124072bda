/// The folded words of a work, and how well a query's terms explain them.
package struct WorkText {
    package var title: [String]
    package var subtitle: [String]
    package var authors: [String]
    package var series: [String]

    package init(_ record: Record) {
        title = TextNormalisation.words(record.title)
        subtitle = record.subtitle.map(TextNormalisation.words) ?? []
        authors = record.authors.flatMap(TextNormalisation.words)
        series = record.series.map(TextNormalisation.words) ?? []
    }

    package var allWords: Set<String> { Set(title).union(subtitle).union(authors).union(series) }
}

extension CandidateQuery {
    /// How well a work explains the query, to rank candidates: the weight of what was recognised, more where it makes
    /// up the title and little of the title is missing.
    ///
    /// - Parameter frequency: the document frequency of a word of the work, for weighing what was not recognised.
    package func score(_ work: WorkText, frequency: (String) throws -> Int) rethrows -> Double {
        var best = [String: Double](minimumCapacity: terms.count)  // the work's word → weight of the best reading
        var slotBest = [Double](repeating: 0, count: slotCount)
        let words = work.allWords
        for term in terms where words.contains(term.word) {
            best[term.word] = max(best[term.word] ?? 0, term.weight)
            slotBest[term.slot] = max(slotBest[term.slot], term.weight)
        }
        let explained = slotBest.reduce(0, +)
        guard explained > 0 else { return 0 }

        // Long titles stand for their beginning: the rest is mostly a subtitle, which spines leave out.
        var titleMass = 0.0
        var titleFound = 0.0
        for (place, word) in work.title.enumerated() {
            let share = place < 6 ? 1.0 : 0.25
            titleMass += try inverseFrequency(frequency(word)) * share
            titleFound += (best[word] ?? 0) * share
        }
        let coverage = titleMass > 0 ? min(1, titleFound / titleMass) : 0
        return explained * (0.6 + 0.4 * coverage)
    }
}
