package import Bibliography
import Concurrency
import Foundation
import Imaging
package import ShelflistAPI

/// Finds the records that a spine's text may refer to, with a calibrated confidence.
///
/// The catalog proposes candidates, each is compared with the spine (`MatchFeatures`), and a fitted model ranks them
/// and estimates the probability that the first is the book.
package struct SpineMatcher: Sendable {
    /// Candidates requested from the catalog.
    package static let candidateCount = 120
    /// Candidates whose editions are compared.
    private static let editionCount = 3

    let catalog: any RecordSearch
    let model: MatchingModel
    let weights: WordWeights
    private let records = RecordCache()
    private let threads: Int

    /// - Parameters:
    ///   - weights: of the words; nil for those of the catalog.
    ///   - threads: of the processor, for each photo.
    /// - Throws: an error if the built-in weights file is damaged.
    package init(catalog: any RecordSearch, weights: WordWeights? = nil, threads: Int = 1) throws {
        catalog.prepareForQuestions()
        self.catalog = catalog
        self.threads = threads
        self.weights = weights ?? WordWeights(catalog: catalog)
        model = try MatchingModel.fitted.get()
    }

    /// A record compared with a spine.
    package struct Candidate: Sendable {
        package var record: BookRecord
        package var features: MatchFeatures
        /// The ranker's score; higher is better.
        package var score = 0.0
        /// Whether the spine shows another number than that of this volume.
        package var isExcluded = false
        /// Whether the spine does not show which volume of the work it is.
        package var isOpenVolume = false
        /// Whether it was found by the transliteration of the spine's text, with which it is compared.
        package var isTransliterated = false

        /// What the confidence in this candidate cannot exceed, 0...1.
        var highest: Double {
            if isOpenVolume { return SpineMatcher.highestOfOpenVolume }
            let isUnconfirmed = isTransliterated && features[.surname] < SpineMatcher.readSurname
            return isUnconfirmed ? SpineMatcher.highestOfTransliteration : 1
        }
    }

    /// The highest confidence in a volume whose number the spine does not show: below every threshold.
    package static let highestOfOpenVolume = 0.39
    /// The same by a transliteration that no author's name confirms: below the default review threshold (0.60).
    private static let highestOfTransliteration = 0.59
    /// An author was read from this similarity of a surname on.
    static let readSurname = 0.75
    /// A title was found from this share of its words on.
    private static let foundTitle = 0.7

    /// Returns the records that the text may refer to, best first, at most one per work.
    ///
    /// - Parameters:
    ///   - lines: the spine's text in reading order.
    ///   - limit: maximum number of matches; there are never more than 120.
    /// - Throws: errors of the catalog.
    package func matches(for lines: [ReadText], limit: Int = 50) throws -> [BookMatch] {
        let ranked = try ranked([(lines, [])], among: Self.candidateCount)[0]
        guard let first = ranked.first else { return [] }
        let second = ranked.rivalScore
        let confidence = model.text.probability(
            LeadFeatures.values(first.features, score: first.score, second: second))
        return Self.matches(ranked.prefix(max(0, limit)), confidence: min(confidence, first.highest))
    }

    /// Returns the ranked candidates, at most one per work, for each of several spines of one photo.
    ///
    /// - Parameter spines: the lines of each, and records to compare in addition to the catalog's candidates.
    package func ranked(_ spines: [(lines: [ReadText], others: [BookRecord])], among limit: Int) throws -> [[Candidate]]
    {
        var found = try compared(spines, among: limit)
        // Of a book in Cyrillic letters, a catalog may have the romanisation only.
        let unfound = spines.indices.filter { place in
            spines[place].lines.contains(where: \.isCyrillic)
                && !found[place].contains { $0.features[.titleCoverage] >= Self.foundTitle }
        }
        guard !unfound.isEmpty else { return found }
        let second = try compared(unfound.map { (spines[$0].lines.map(\.transliterated), []) }, among: limit)
        for (place, others) in zip(unfound, second) {
            let works = Set(found[place].map(\.record.workKey))
            let new = others.filter { !works.contains($0.record.workKey) }.map { candidate in
                var candidate = candidate
                candidate.isTransliterated = true
                return candidate
            }
            if (new.first?.score ?? -.infinity) > (found[place].first?.score ?? -.infinity) {
                found[place] = new + found[place]
            }
        }
        return found
    }

    private func compared(_ spines: [(lines: [ReadText], others: [BookRecord])], among limit: Int) throws
        -> [[Candidate]]
    {
        try weights.prepare(spines.lazy.flatMap { $0.lines.lazy.flatMap { TextNormalisation.words($0.text) } })
        let read = try spines.map { try SpineWords($0.lines, weights: weights) }
        let found = try records(forEach: read.map(\.text), limit: limit)
        return try Array(read.indices).concurrentMap(threads: threads) { index in
            try Task.checkCancellation()
            guard !read[index].text.isEmpty else { return [] }
            return try ranked(compared(read[index], found[index], besides: spines[index].others), on: read[index])
        }
    }

    /// Sorts by the ranker's score and replaces the first few by the editions that the spine shows.
    private func ranked(_ candidates: [Candidate], on spine: SpineWords) throws -> [Candidate] {
        var candidates = candidates
        for index in candidates.indices {
            candidates[index].score = model.ranker.value(candidates[index].features.values)
        }
        let order = candidates.indices.sorted { (candidates[$0].score, $1) > (candidates[$1].score, $0) }
        var ranked = Self.withOtherVolumesLater(order.map { candidates[$0] })
        for (index, words) in try records.words(of: ranked.prefix(Self.editionCount).map(\.record), weights: weights)
            .enumerated()
        {
            ranked[index].record = try EditionChoice(spine, record: words).edition(of: words.record, in: catalog)
        }
        return ranked
    }

    /// Returns the candidates with the volumes that the spine excludes after the best of the others.
    ///
    /// Their scores are lowered accordingly, so that they share what the best leaves over.
    private static func withOtherVolumesLater(_ ranked: [Candidate]) -> [Candidate] {
        guard let first = ranked.first, first.isExcluded, let best = ranked.firstIndex(where: { !$0.isExcluded })
        else { return ranked }
        var ranked = ranked
        let winner = ranked.remove(at: best)
        for index in ranked.indices { ranked[index].score = min(ranked[index].score, winner.score) }
        return [winner] + ranked
    }

    /// Returns the catalog's candidates with their features, in the catalog's order, at most one per work.
    package func candidates(for lines: [ReadText]) throws -> [Candidate] {
        let spine = try SpineWords(lines, weights: weights)
        guard !spine.text.isEmpty else { return [] }
        let found = try catalog.candidates(forWords: spine.text, limit: Self.candidateCount)
        return try compared(spine, found, besides: [])
    }

    private func compared(_ spine: SpineWords, _ found: [BookRecord], besides others: [BookRecord]) throws
        -> [Candidate]
    {
        var found = found
        if !others.isEmpty {
            var works = Set(found.map(\.workKey))
            for record in others where works.insert(record.workKey).inserted { found.append(record) }
        }
        let words = try records.words(of: found, weights: weights)
        let volumes = VolumeChoice(numbers: spine.volumeNumbers, records: words)
        var features = words.enumerated().map { MatchFeatures(spine, $1, rank: $0) }
        // A volume that the spine excludes does not compete with the one that it shows.
        MatchFeatures.compare(&features, withoutRivals: volumes.excluded)
        return found.indices.map { place in
            Candidate(
                record: found[place], features: features[place], isExcluded: volumes.excluded.contains(place),
                isOpenVolume: volumes.open.contains(place))
        }
    }

    /// Returns the catalog's candidates for each of the queries, at most `limit`.
    func records(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]] {
        try queries.split(into: threads).concurrentMap { try catalog.candidates(forEach: $0, limit: limit) }
            .flatMap(\.self)
    }

    /// Returns the words of records, each parsed once.
    func words(of found: [BookRecord]) throws -> [RecordWords] {
        try found.split(into: threads).concurrentMap { try records.words(of: $0, weights: weights) }.flatMap(\.self)
    }

    /// Converts candidates to matches; those after the first share the remaining confidence by their scores.
    static func matches(_ ranked: some Collection<Candidate>, confidence: Double) -> [BookMatch] {
        guard let best = ranked.first?.score else { return [] }
        let odds = ranked.map { exp(max(-30, $0.score - best)) }
        let rest = max(1e-9, odds.dropFirst().reduce(0, +))
        return zip(ranked, odds).enumerated().map { place, entry in
            let (candidate, odds) = entry
            let share = place == 0 ? confidence : min(confidence, (1 - confidence) * odds / max(1, rest))
            return BookMatch(candidate.record, confidence: share.thousandths)
        }
    }
}

extension BookMatch {
    init(_ record: BookRecord, confidence: Double) {
        self.init(
            title: record.title, subtitle: record.subtitle,
            author: record.authors.isEmpty ? nil : record.authors.joined(separator: ", "), isbn: record.isbn,
            confidence: confidence, source: record.source)
        series = record.series
    }
}

extension ReadText {
    var isCyrillic: Bool { text.unicodeScalars.contains(where: Transliteration.isCyrillic) }

    /// The folded words in Latin letters.
    var transliterated: ReadText {
        let words = TextNormalisation.words(text).map(Transliteration.latin)
        return ReadText(text: words.joined(separator: " "), score: score)
    }
}

extension [SpineMatcher.Candidate] {
    /// The score of the best candidate after the first that the spine does not exclude.
    var rivalScore: Double? { dropFirst().first { !$0.isExcluded }?.score }
}

/// Caches the words of records, because the same records are candidates for many spines.
private final class RecordCache: Sendable {
    /// 20,000 records take about 40 MB.
    private let known = BoundedCache<String, RecordWords>(limit: 20_000)

    func words(of records: [BookRecord], weights: WordWeights) throws -> [RecordWords] {
        let keys = records.map { $0.source + "\u{1}" + $0.id }
        var words = known[keys]
        let missing = words.indices.filter { words[$0] == nil }
        if !missing.isEmpty {
            try weights.prepare(missing.lazy.flatMap { RecordWords.text(of: records[$0]) })
            for index in missing { words[index] = try RecordWords(records[index], weights: weights) }
            known.keep(missing.compactMap { index in words[index].map { (keys[index], $0) } })
        }
        return words.compactMap { $0 }
    }
}
