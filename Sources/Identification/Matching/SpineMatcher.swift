package import Bibliography
import Foundation
import Synchronization

/// Finds the records that a spine's text may mean, with a calibrated confidence.
///
/// A catalog proposes candidates; each is compared with the spine (`MatchFeatures`), a fitted model orders them and
/// says how likely the first is the book.
package struct SpineMatcher: Sendable {
    /// Candidates that the catalog is asked for.
    package static let candidateCount = 120
    /// Candidates whose editions are looked at.
    private static let editionCount = 3

    let catalog: any RecordSearch
    let model: MatchingModel
    let weights: WordWeights
    private let records = RecordMemory()

    /// - Throws: where the program's own weights file is spoilt.
    package init(catalog: any RecordSearch) throws {
        catalog.prepareForQuestions()
        self.init(catalog: catalog, model: try MatchingModel.fitted.get(), weights: WordWeights(catalog: catalog))
    }

    package init(catalog: any RecordSearch, model: MatchingModel, weights: WordWeights) {
        self.catalog = catalog
        self.model = model
        self.weights = weights
    }

    /// A record beside a spine.
    package struct Candidate: Sendable {
        package var record: Record
        package var features: MatchFeatures
        /// The ranker's sum; more is better.
        package var score = 0.0
    }

    /// The records that the text may mean, best first, at most one for each work.
    ///
    /// - Parameters:
    ///   - lines: the spine's text in reading order.
    ///   - limit: of matches; there are never more than 120.
    /// - Throws: errors of the catalog.
    package func matches(for lines: [ReadText], limit: Int = 50) throws -> [BookMatch] {
        let spine = try SpineWords(lines, weights: weights)
        let ranked = try ranked(candidates(for: spine), on: spine)
        guard let first = ranked.first else { return [] }
        let second = ranked.dropFirst().first?.score
        let confidence = model.text.probability(
            LeadFeatures.values(first.features, score: first.score, second: second))
        return Self.matches(ranked.prefix(max(0, limit)), confidence: confidence)
    }

    /// The candidates in the ranker's order, at most one for each work, for each of several spines of one photo.
    ///
    /// - Parameter spines: the lines of each, and records to be compared besides those that the catalog proposes.
    package func ranked(_ spines: [(lines: [ReadText], others: [Record])], among limit: Int) throws -> [[Candidate]] {
        try weights.prepare(spines.lazy.flatMap { $0.lines.lazy.flatMap { TextNormalisation.words($0.text) } })
        let read = try spines.map { try SpineWords($0.lines, weights: weights) }
        let found = try catalog.candidates(forEach: read.map(\.text), limit: limit)
        return try read.indices.map { index in
            try Task.checkCancellation()
            guard !read[index].text.isEmpty else { return [] }
            return try ranked(compared(read[index], found[index], besides: spines[index].others), on: read[index])
        }
    }

    /// In the ranker's order, the first few in the editions that the spine shows.
    private func ranked(_ candidates: [Candidate], on spine: SpineWords) throws -> [Candidate] {
        var candidates = candidates
        for index in candidates.indices {
            candidates[index].score = model.ranker.value(candidates[index].features.values)
        }
        let order = candidates.indices.sorted { (candidates[$0].score, $1) > (candidates[$1].score, $0) }
        var ranked = order.map { candidates[$0] }
        for (index, words) in try words(of: ranked.prefix(Self.editionCount).map(\.record)).enumerated() {
            ranked[index].record = try EditionChoice(spine, record: words).edition(of: words.record, in: catalog)
        }
        return ranked
    }

    /// The catalog's candidates with their features, in the catalog's order, at most one for each work.
    ///
    /// - Parameter hidden: numbers of records that count as not in the catalog; for fitting.
    package func candidates(for lines: [ReadText], without hidden: Set<String> = []) throws -> [Candidate] {
        try candidates(for: SpineWords(lines, weights: weights), without: hidden)
    }

    private func candidates(for spine: SpineWords, without hidden: Set<String> = []) throws -> [Candidate] {
        guard !spine.text.isEmpty else { return [] }
        let found = try catalog.candidates(forWords: spine.text, limit: Self.candidateCount)
        return try compared(spine, found.filter { !hidden.contains($0.id) }, besides: [])
    }

    private func compared(_ spine: SpineWords, _ found: [Record], besides others: [Record]) throws -> [Candidate] {
        var found = found
        if !others.isEmpty {
            var works = Set(found.map(\.workKey))
            for record in others where works.insert(record.workKey).inserted { found.append(record) }
        }
        var features = try words(of: found).enumerated().map { MatchFeatures(spine, $1, rank: $0) }
        MatchFeatures.compare(&features)
        return zip(found, features).map { Candidate(record: $0, features: $1) }
    }

    /// The words of records, each taken apart once.
    func words(of found: [Record]) throws -> [RecordWords] { try records.words(of: found, weights: weights) }

    /// What is printed and stored; those after the first share what confidence it leaves, by their scores.
    static func matches(_ ranked: some Collection<Candidate>, confidence: Double) -> [BookMatch] {
        guard let best = ranked.first?.score else { return [] }
        let odds = ranked.map { exp(max(-30, $0.score - best)) }
        let rest = max(1e-9, odds.dropFirst().reduce(0, +))
        return zip(ranked, odds).enumerated().map { place, entry in
            let (candidate, odds) = entry
            let share = place == 0 ? confidence : min(confidence, (1 - confidence) * odds / max(1, rest))
            return BookMatch(
                title: candidate.record.title, subtitle: candidate.record.subtitle,
                author: candidate.record.authors.isEmpty ? nil : candidate.record.authors.joined(separator: ", "),
                isbn: candidate.record.isbn, confidence: (share * 1000).rounded() / 1000,
                source: candidate.record.source)
        }
    }
}

/// The words of records that were compared before: the same ones come up on every shelf.
private final class RecordMemory: Sendable {
    /// Beyond this many all are forgotten: 20,000 take about 40 MB.
    private static let limit = 20_000
    private let known = Mutex<[String: RecordWords]>([:])

    func words(of records: [Record], weights: WordWeights) throws -> [RecordWords] {
        let keys = records.map { $0.source + "\u{1}" + $0.id }
        var words = known.withLock { known in keys.map { known[$0] } }
        let missing = words.indices.filter { words[$0] == nil }
        if !missing.isEmpty {
            try weights.prepare(missing.lazy.flatMap { RecordWords.text(of: records[$0]) })
            for index in missing { words[index] = try RecordWords(records[index], weights: weights) }
            known.withLock { known in
                if known.count + missing.count > Self.limit { known = [:] }
                for index in missing { known[keys[index]] = words[index] }
            }
        }
        return words.compactMap { $0 }
    }
}
