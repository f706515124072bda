import Bibliography
import ShelflistAPI

/// The copies that a photo of a place is expected to show.
///
/// They win ties against works from elsewhere. Those that no spine shows surely are assigned one to one to the spines
/// without a sure record.
struct ExpectedCopies {
    /// A difference between two scores that says nothing.
    private static let tie = 0.5
    /// How far the score of an assigned copy is above that of the place's next copy without a spine.
    private static let lead = 2.0
    /// The least share, by rarity, of what was read that an assigned copy explains; where nothing of the title was read,
    /// that its authors explain.
    private static let explained = 0.7
    private static let explainedByAuthor = 0.5
    /// The most that may be left over then of words that the catalog has, by rarity: they are the title of another book.
    private static let leftOver = 0.3
    /// The least sum of the rarities of what was read of an assigned copy: most of a word that a single work has.
    private static let mass = 0.6
    /// With less of the title read, only the authors name the book.
    private static let titleMass = 0.3
    /// Authors are named from this similarity of their surname.
    private static let surname = 0.75
    /// The confidence in an assigned copy.
    ///
    /// It and the bounds above were chosen on the labelled photos and not fitted on held-out ones, so it may be too high.
    private static let confidence = 0.9

    /// Of finding the clearest copy of one spine, about.
    private static let stepsOfSpine = 300

    /// The number of copies of each work.
    private let counts: [String: Int]
    private let ranker: LinearModel

    /// - Parameters:
    ///   - records: those of the library, one for each copy.
    ///   - ranker: that of the matching model.
    init(_ records: [BookRecord], ranker: LinearModel) {
        counts = Dictionary(grouping: records, by: \.workKey).mapValues(\.count)
        self.ranker = ranker
    }

    func contains(_ record: BookRecord) -> Bool {
        record.source == BookRecord.librarySource && counts[record.workKey] != nil
    }

    /// Returns the ranker's score of a candidate as if the catalog had found all candidates at once: where the text does
    /// not decide, their order is that of their words in the index.
    private func score(_ candidate: SpineMatcher.Candidate) -> Double {
        var features = candidate.features.values
        features[MatchFeature.rank.rawValue] = 0
        return ranker.value(features)
    }

    // MARK: Ties

    /// Returns the candidates of a spine with an expected copy first where no other work explains the text clearly better.
    ///
    /// The works that it outdoes do not compete with it any more.
    func winningTies(_ ranked: [SpineMatcher.Candidate]) -> [SpineMatcher.Candidate] {
        guard !counts.isEmpty, let first = ranked.first else { return ranked }
        let scores = ranked.map(score)
        let open = ranked.indices.filter { !ranked[$0].isExcluded }
        let (own, others) = (open.filter { contains(ranked[$0].record) }, open.filter { !contains(ranked[$0].record) })
        guard let place = own.max(by: { (scores[$0], $1) < (scores[$1], $0) }), Self.isShown(ranked[place]),
            others.allSatisfy({ scores[$0] <= scores[place] + Self.tie })
        else { return ranked }
        var ranked = ranked
        for other in others where scores[other] >= scores[place] - Self.tie {
            ranked[other].isExcluded = true
            ranked[other].score = min(ranked[other].score, ranked[place].score)
        }
        var features = ranked.map(\.features)
        MatchFeatures.compare(&features, withoutRivals: Set(ranked.indices.filter { ranked[$0].isExcluded }))
        ranked[place].features = features[place]
        ranked[place].score = first.score
        ranked.insert(ranked.remove(at: place), at: 0)
        return ranked
    }

    // MARK: Assignment

    private struct Pair {
        var spine: Int
        /// The place among the candidates of the spine.
        var candidate: Int
        var score: Double
    }

    /// Assigns the copies that no spine shows surely to the spines without a sure record, the clearest pair first.
    ///
    /// Each copy is assigned at most once. After each pair, the others are compared with the copies that are left.
    ///
    /// - Parameters:
    ///   - shown: the places of the spines that are books.
    ///   - threshold: from which confidence a record is sure, 0...1.
    /// - Throws: `IdentificationError.tooMuchText`.
    func assign(
        to spines: inout [JudgedSpine], shown: [Int], threshold: Double, effort: IdentificationEffort
    ) throws {
        guard !counts.isEmpty else { return }
        var left = counts
        var open: [Int] = []
        for spine in shown {
            if !spines[spine].isVerified(from: threshold) {
                open.append(spine)
            } else if let record = spines[spine].record, contains(record) {
                left[record.workKey, default: 0] -= 1
            }
        }
        while let pair = open.compactMap({ clearest(spines[$0].candidates, of: $0, left) })
            .max(by: { ($0.score, $1.spine) < ($1.score, $0.spine) })
        {
            try effort.spend(Self.stepsOfSpine * open.count)
            let record = spines[pair.spine].candidates[pair.candidate].record
            spines[pair.spine].assign(pair.candidate, confidence: Self.confidence)
            left[record.workKey, default: 0] -= 1
            open.removeAll { $0 == pair.spine }
        }
    }

    /// Returns the copy that a spine shows more clearly than any other copy that is left; nil if there is none.
    private func clearest(_ candidates: [SpineMatcher.Candidate], of spine: Int, _ left: [String: Int]) -> Pair? {
        // What other spines show surely does not compete.
        let open = candidates.indices.filter { place in
            let candidate = candidates[place]
            return !candidate.isExcluded
                && (!contains(candidate.record) || left[candidate.record.workKey, default: 0] > 0)
        }
        let (own, others) = (
            open.filter { contains(candidates[$0].record) }, open.filter { !contains(candidates[$0].record) }
        )
        guard let place = own.max(by: { (score(candidates[$0]), $1) < (score(candidates[$1]), $0) }) else { return nil }
        let best = candidates[place]
        guard Self.isShown(best), !others.contains(where: { explains(candidates[$0], better: best) }),
            !own.contains(where: { $0 != place && competes(candidates[$0], with: best) })
        else { return nil }
        return Pair(spine: spine, candidate: place, score: score(best))
    }

    /// Whether a spine shows enough of a copy, and little else.
    private static func isShown(_ copy: SpineMatcher.Candidate) -> Bool {
        let features = copy.features
        guard features[.titleMass] + features[.authorMass] >= mass else { return false }
        return isTitled(copy)
            ? features[.explained] >= explained
            : features[.surname] >= surname && features[.explainedByAuthor] >= explainedByAuthor
                && features[.unexplainedKnown] <= leftOver
    }

    private static func isTitled(_ candidate: SpineMatcher.Candidate) -> Bool {
        candidate.features[.titleMass] >= titleMass
    }

    /// Whether a work from elsewhere explains a spine better than an expected copy.
    ///
    /// Of two works of whose titles nothing was read, neither does: their scores differ by the lengths of their titles.
    private func explains(_ other: SpineMatcher.Candidate, better best: SpineMatcher.Candidate) -> Bool {
        score(other) > score(best) + Self.tie && (Self.isTitled(other) || Self.isTitled(best))
    }

    /// Whether a spine may as well show another expected copy.
    private func competes(_ other: SpineMatcher.Candidate, with best: SpineMatcher.Candidate) -> Bool {
        Self.isTitled(best)
            ? score(best) - score(other) < Self.lead : other.features[.surname] >= Self.surname || Self.isTitled(other)
    }
}

extension JudgedSpine {
    /// Makes a candidate the spine's book.
    fileprivate mutating func assign(_ candidate: Int, confidence: Double) {
        let order = [candidate] + candidates.indices.filter { $0 != candidate }
        matches = SpineMatcher.matches(
            order.prefix(SpineJudgement.matchCount).map { candidates[$0] }, confidence: confidence)
        (title, author, isbn) = (matches[0].title, matches[0].author, matches[0].isbn)
        (self.confidence, checked, named) = (confidence, true, candidates[candidate].record)
    }
}
