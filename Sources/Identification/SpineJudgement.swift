import Bibliography
import Concurrency
import ShelflistAPI
import SpineReading

/// Decides what each spine of a photo shows: the record that explains it, or the text read if none does.
///
/// All spines are judged together: a record that another spine shows more clearly is less likely here.
struct SpineJudgement {
    let matcher: SpineMatcher?
    /// Whether a spine for which the matcher has no record is thereby checked.
    let checks: Bool
    let expected: ExpectedCopies
    let callNumbers: CallNumbers
    let roleCache: RoleCache
    /// Of the processor.
    let threads: Int
    let effort: IdentificationEffort
    /// The candidates of the spines judged so far: most spines of a photo are judged twice.
    private let known = BoundedCache<Question, [SpineMatcher.Candidate]>(limit: 2_000)

    private struct Question: Hashable {
        var lines: [ReadText]
        var others: [String]
    }

    init(
        matcher: SpineMatcher?, checks: Bool, expected: ExpectedCopies, callNumbers: CallNumbers, roleCache: RoleCache,
        threads: Int, effort: IdentificationEffort
    ) {
        (self.matcher, self.checks, self.expected, self.callNumbers) = (matcher, checks, expected, callNumbers)
        (self.roleCache, self.threads, self.effort) = (roleCache, threads, effort)
    }

    /// Below the default review threshold (0.60); text alone is never accepted, see `DetectedBook.status`.
    private static let highestWithoutRecord = 0.59
    /// Higher probabilities are compressed into the range up to `highestWithoutRecord`, so that they still sort the books
    /// to review.
    private static let compressedWithoutRecord = 0.55
    /// A record that is at least this probable is named rather than what was read where that is its author's name only, or
    /// its title beside a scrap.
    private static let likelyRecord = 0.3
    static let matchCount = 5
    /// Candidates requested per spine.
    ///
    /// More cost time without improving the match.
    private static let candidateCount = 40
    /// Of a question to the catalog, and of comparing one letter of a spine with the candidates, about.
    private static let (stepsOfQuestion, stepsOfLetter) = (20_000, 500)

    /// - Parameters:
    ///   - lines: of the photo.
    ///   - opinions: of models, one or none for each spine; nil for none at all.
    /// - Throws: errors of the catalog, `CancellationError`.
    func judge(
        _ spines: [AssembledSpine], _ lines: [UprightLine], _ opinions: [SpineOpinion?]? = nil
    ) throws -> [JudgedSpine] {
        let opinions = opinions ?? spines.map { _ in nil }
        let spines = spines.map { spine in
            (
                lines: ReadingOrder.sorted(spine.lines.map { lines[$0] }), led: spine.records,
                rest: ReadingOrder.sorted(spine.rest.map { lines[$0] }).flatMap(\.words)
            )
        }
        // Their letters are those of an author or a title, but they are not part of one.
        let labels = try callNumbers.owned(by: spines.map(\.lines), effort: effort)
        let whole = zip(spines, labels).map { spine, labels in
            labels.isEmpty ? spine.lines : ReadingOrder.sorted(spine.lines + labels.flatMap(\.lines))
        }
        let texts = whole.map(\.readTexts)
        let named = try matcher.map { try OpinionRecords(matcher: $0).records(of: opinions) }
        let asked = spines.indices.map { (lines: texts[$0], others: spines[$0].led + (named?[$0] ?? [])) }
        let byText = try candidates(for: asked)
        let ranked = zip(byText, opinions).map { expected.winningTies($1?.sorted($0) ?? $0) }
        let model = try MatchingModel.fitted.get()
        let leads = ranked.map { $0.first.map(Lead.init) }
        try effort.spend(10 * leads.count * leads.count)
        var beliefs = try ranked.indices.map { index in
            try belief(
                spines[index].led, texts[index], spines[index].rest, ranked[index], leads, at: index, opinions[index],
                model)
        }
        for place in FurtherCopies.lesser(
            ranked.map(\.first), probabilities: beliefs.map { $0?.probability ?? 0 }, lines: spines.map(\.lines))
        {
            beliefs[place]?.limit(to: RecordLimit.part)
        }
        let names = KnownNames.all(of: spines.map(\.lines), records: ranked.map { $0.map(\.record) })
        let judged = try Array(spines.indices).concurrentMap(threads: threads) { [beliefs] index in
            let (belief, candidates) = (beliefs[index], ranked[index])
            var judged = JudgedSpine(
                confidence: 0, belief: belief, checked: checks, matches: [], candidates: candidates,
                lines: whole[index], text: texts[index], callNumber: labels[index].first?.text)
            if let belief {
                judged.matches = SpineMatcher.matches(
                    candidates.prefix(Self.matchCount), confidence: belief.probability)
                let best = judged.matches[0]
                (judged.title, judged.author, judged.isbn) = (best.title, best.author, best.isbn)
                (judged.confidence, judged.checked) = (belief.probability, checks || best.isRecord)
                // No reading is more probable than that, and deciding which words are the title takes long. The title of
                // all volumes together is not that of the book.
                if belief.probability >= Self.highestWithoutRecord || candidates[0].isOpenVolume { return judged }
            }
            let read = try read(
                spines[index].lines, filedUnder: labels[index].first?.filedUnder, knowing: names[index], model)
            guard let belief else { return judged.named(read, checked: checks) }
            guard read.probability > judged.confidence else { return judged }
            let isLikely = belief.probability >= Self.likelyRecord
            if read.isName(of: belief.record) {
                return isLikely ? judged : judged.named(read.asName(on: spines[index].lines), checked: checks)
            }
            if isLikely, try read.hasScrap(besides: belief.record, isKnown: isKnown) { return judged }
            return judged.named(read, checked: checks)
        }
        return judged
    }

    /// Returns the ranked candidates for each spine; empty without a matcher.
    private func candidates(for asked: [(lines: [ReadText], others: [BookRecord])]) throws -> [[SpineMatcher.Candidate]]
    {
        guard let matcher else { return asked.map { _ in [] } }
        let questions = asked.map { Question(lines: $0.lines, others: $0.others.map { $0.source + " " + $0.id }) }
        var answers = known[questions]
        let new = answers.indices.filter { answers[$0] == nil }
        for index in new {
            let letters = asked[index].lines.reduce(0) { $0 + $1.text.utf8.count }
            try effort.spend(Self.stepsOfQuestion + Self.stepsOfLetter * letters)
        }
        let found = try matcher.ranked(new.map { asked[$0] }, among: Self.candidateCount)
        for (index, candidates) in zip(new, found) { answers[index] = candidates }
        known.keep(zip(new.map { questions[$0] }, found))
        return answers.map { $0 ?? [] }
    }

    /// Returns title and author as read, and the probability that they name the book.
    private func read(
        _ lines: [UprightLine], filedUnder start: String?, knowing names: KnownNames, _ model: MatchingModel
    ) throws -> ReadBook {
        let lines = lines.filter { !$0.isUnread }
        guard !lines.isEmpty else { return ReadBook() }
        let roles = try roleCache.roles(of: lines, filedUnder: start, knowing: names, by: model.roles, effort: effort)
        let reading = ReadBook(title: roles.title, author: roles.author)
        if roles.title == nil || ReadingRules.areOneName(roles) { return reading.asName(on: lines) }
        let features = ReadingFeatures.values(roles, lines, besideCatalog: checks)
        let (probability, start) = (model.reading.probability(features), Self.compressedWithoutRecord)
        let above = max(0, probability - start) / (1 - start)
        return ReadBook(
            title: roles.title, author: roles.author,
            probability: min(probability, start) + above * (Self.highestWithoutRecord - start))
    }

    /// Whether the catalog or the list of well-known works has a word, so that it was hardly misread.
    private func isKnown(_ word: String) throws -> Bool {
        if NameWords.odds(word) != nil { return true }
        return try matcher?.weights.weight(of: word).isKnown ?? false
    }

    /// Returns the evidence for the best record of one spine, and the upper limit of its probability.
    ///
    /// - Parameters:
    ///   - rest: the words of smaller text beside that of the spine.
    ///   - leads: of all spines.
    ///   - opinion: about this spine.
    /// - Throws: errors of the catalog.
    private func belief(
        _ led: [BookRecord], _ text: [ReadText], _ rest: [String], _ candidates: [SpineMatcher.Candidate],
        _ leads: [Lead?], at index: Int,
        _ opinion: SpineOpinion?, _ model: MatchingModel
    ) throws -> JudgedSpine.Belief? {
        guard let best = candidates.first, let lead = leads[index] else { return nil }
        let second = candidates.rivalScore
        let others = leads.indices.lazy.filter { $0 != index }.compactMap { leads[$0] }
        let features = PhotoFeatures.values(
            best.features,
            textLogit: model.text.value(LeadFeatures.values(best.features, score: best.score, second: second)),
            scoreLead: best.score - (second ?? best.score - 10), lines: text,
            isLed: led.first?.workKey == lead.workKey, repeated: others.count { $0.isClearer(than: lead) },
            kin: others.count { $0.isKin(of: lead) },
            information: matcher?.weights.information ?? 0)
        let limit = RecordLimit(candidates, text: text, rest: rest, isKnown: isKnown)
        let highest = min(try limit.highest(), best.highest)
        let probability = min(highest, model.photo.probability(features))
        return JudgedSpine.Belief(
            record: best.record, features: features, isUntitled: limit.isUntitled, highest: highest,
            probability: opinion?.weighed(probability, of: best, highest: highest) ?? probability)
    }
}

/// What the best candidate of one spine has in common with those of others; found once, because all are compared in pairs.
private struct Lead {
    let workKey: String
    private let source: String
    private let score: Double
    private let author: String?
    /// The folded words of the series without its numbers, and of the title without an article.
    private let (series, title): ([String], [String])

    init(_ candidate: SpineMatcher.Candidate) {
        let record = candidate.record
        (workKey, source, score, author) = (record.workKey, record.source, candidate.score, record.authors.first)
        series = TextNormalisation.words(record.series ?? "").filter { Figures.value($0) == nil }
        title = TextNormalisation.withoutLeadingArticles(TextNormalisation.words(record.title))
    }

    /// Whether this is a different book of the same series, or by the same author with a similar title; volumes of a series
    /// are shelved together.
    func isKin(of best: Lead) -> Bool {
        guard score > 0, workKey != best.workKey else { return false }
        if !best.series.isEmpty, best.series == series { return true }
        guard let author, author == best.author else { return false }
        return zip(best.title, title).prefix { $0 == $1 }.contains { !CommonWords.contains($0.0) }
    }

    /// Whether this is the same record with better evidence.
    func isClearer(than best: Lead) -> Bool {
        workKey == best.workKey && source == best.source && score > best.score + 0.5
    }
}
