import Bibliography
import Bounds

/// What the features of one record are computed from.
struct MatchComparison {
    let spine: SpineWords
    let record: RecordWords
    let rank: Int
    let alignment: WordAlignment
    private(set) var title = Tally()
    private(set) var subtitle = Tally()
    /// Title and subtitle.
    private(set) var full = Tally()
    private(set) var series = Tally()
    private(set) var publisher = Tally()
    /// The author who is read best.
    let author: Tally
    let authorMass: Double
    let surnames: [Double]
    /// The best read given name of the author who is read best.
    let given: Double
    let plain: Ratio
    let fullRatio: Double
    private(set) var rarest = 0.0
    private(set) var figures: Set<String> = []
    let titleWords: [Int]
    let shares: Shares
    let breaks: (skipped: Double, foreign: Double)

    init(_ spine: SpineWords, _ record: RecordWords, rank: Int) {
        self.spine = spine
        self.record = record
        self.rank = rank
        alignment = WordAlignment(spine.folded, record.folded)
        var authors = [Tally](repeating: Tally(), count: record.authorCount)
        var surnames = [Double](repeating: 0, count: record.authorCount)
        var given = surnames
        for (index, word) in record.words.enumerated() {
            let similarity = alignment.record[index]
            let folded = record.folded[index]
            if word.field == .title || word.field == .subtitle {
                full.add(similarity, folded, word)
                if let figure = Figures.value(folded.text) { figures.insert(figure) }
            }
            switch word.field {
            case .title:
                title.add(similarity, folded, word)
                if similarity >= 0.7 { rarest = max(rarest, word.weight.rarity) }
            case .subtitle: subtitle.add(similarity, folded, word)
            case .author:
                authors[word.author].add(similarity, folded, word)
                if word.isSurname {
                    surnames[word.author] = max(surnames[word.author], similarity)
                } else {
                    given[word.author] = max(given[word.author], similarity)
                }
            case .series: series.add(similarity, folded, word)
            case .publisher: publisher.add(similarity, folded, word)
            }
        }
        let best = authors.indices.max { authors[$0].coverage < authors[$1].coverage }
        author = best.map { authors[$0] } ?? Tally()
        authorMass = authors.reduce(0) { $0 + $1.mass }
        self.surnames = surnames
        self.given = best.map { given[$0] } ?? 0
        plain = Ratio(spine.letters, title: record.compactTitle, author: record.authorLetters)
        fullRatio =
            record.titleLetters == record.compactTitle
            ? plain.best : Ratio(spine.letters, title: record.titleLetters, author: record.authorLetters).best
        titleWords = record.words.indices.filter { record.words[$0].field == .title }
        shares = Self.shares(spine, record, alignment)
        breaks = Self.breaks(titleWords, spine, record, alignment)
    }

    var evidence: Double {
        title.mass + 0.8 * authorMass + 0.5 * subtitle.mass + 0.3 * series.mass - 0.5 * shares.unexplained
            - 0.7 * title.missing
    }

    /// How much the spine's letters are those of a title.
    struct Ratio {
        /// With the author before or after it or without, 0...1.
        let best: Double
        /// The number of letters in common with the author and the title after it.
        let common: Int

        init(_ spine: LetterAlignment, title: [UInt8], author: [UInt8]) {
            let behind = author + title
            common = spine.commonLength(with: behind)
            let alone = author.isEmpty ? 0 : max(spine.ratio(with: title + author), spine.ratio(with: title))
            best = max(spine.ratio(common, of: behind), alone)
        }
    }

    /// Words of one field, as far as they were read.
    struct Tally {
        private(set) var count = 0
        private(set) var mass = 0.0
        private var exact = 0.0
        private var total = 0.0
        private var touched = 0.0
        private var letters = 0.0
        private var lettersRead = 0.0

        mutating func add(_ similarity: Double, _ folded: FoldedWord, _ word: RecordWords.Word) {
            let read = max(0, (similarity - 0.4) / 0.6)
            count += 1
            total += word.weight.rarity
            mass += word.weight.rarity * read
            if similarity == 1 { exact += word.weight.rarity }
            if similarity > 0 { touched += word.weight.rarity }
            letters += Double(folded.count)
            lettersRead += Double(folded.count) * read
        }

        /// Of the words that were read at all, how clearly.
        var clearness: Double { touched > 0 ? mass / touched : 0 }
        var missing: Double { total - mass }
        var coverage: Double { total > 0 ? mass / total : 0 }
        var exactCoverage: Double { total > 0 ? exact / total : 0 }
        var letterCoverage: Double { letters > 0 ? lettersRead / letters : 0 }
    }

    struct Shares {
        var all = 0.0
        var letters = 0.0
        var title = 0.0
        var author = 0.0
        var unexplained = 0.0
        var mass = 0.0
        /// Of the words that the catalog has.
        var known = 0.0
        var explainedKnown = 0.0
        var unexplainedKnown: Double { known - explainedKnown }
    }

    /// How much of what was read the record explains, and which of its fields does.
    private static func shares(_ spine: SpineWords, _ record: RecordWords, _ alignment: WordAlignment) -> Shares {
        var shares = Shares()
        var explained = 0.0
        var letters = 0.0
        var explainedLetters = 0.0
        for (index, word) in spine.words.enumerated() {
            let similarity = alignment.spine[index]
            shares.mass += word.rarity
            explained += word.rarity * similarity
            if word.isKnown {
                shares.known += word.rarity
                shares.explainedKnown += word.rarity * similarity
            }
            let count = Double(spine.folded[index].count)
            if !word.isFigure {
                letters += count
                explainedLetters += count * similarity
            }
        }
        for (index, word) in record.words.enumerated() where alignment.place[index] >= 0 {
            let rarity = spine.words[alignment.place[index]].rarity * alignment.record[index]
            switch word.field {
            case .title: shares.title += rarity
            case .author: shares.author += rarity
            default: break
            }
        }
        let mass = max(1e-6, shares.mass)
        shares.all = explained / mass
        shares.letters = letters > 0 ? explainedLetters / letters : 0
        shares.title = min(1, shares.title / mass)
        shares.author = min(1, shares.author / mass)
        shares.unexplained = shares.mass - explained
        return shares
    }

    /// The similarity of the first word that is more than an article.
    static func edge(_ words: some Sequence<Int>, _ record: RecordWords, _ alignment: WordAlignment) -> Double {
        for word in words where record.words[word].weight.rarity > 0.1 { return alignment.record[word] }
        return 0
    }

    /// The share of the title's neighbouring words that also stand side by side on the spine.
    static func order(_ words: [Int], _ alignment: WordAlignment) -> Double {
        guard words.count > 1 else { return words.first.map { alignment.record[$0] >= 0.7 ? 1 : 0 } ?? 0 }
        let pairs = zip(words, words.dropFirst()).filter { first, second in
            let (a, b) = (alignment.place[first], alignment.place[second])
            return a >= 0 && b >= 0 && (0...1).contains(b - a)
        }
        return Double(pairs.count) / Double(words.count - 1)
    }

    /// How the title of a sibling differs where the rest agrees: words of the title left out between two that stand
    /// side by side on the spine, and words of the catalog on the spine between two that stand side by side in the title.
    private static func breaks(
        _ title: [Int], _ spine: SpineWords, _ record: RecordWords, _ alignment: WordAlignment
    ) -> (skipped: Double, foreign: Double) {
        var breaks = (skipped: 0.0, foreign: 0.0)
        let read = title.indices.filter { alignment.record[title[$0]] >= 0.7 }
        for (first, second) in zip(read, read.dropFirst()) {
            let (from, to) = (alignment.place[title[first]], alignment.place[title[second]])
            guard to > from, to - from <= 4 else { continue }
            if Range(from: from + 1, upTo: to).allSatisfy({ alignment.spine[$0] >= 0.5 }) {
                for word in title[(first + 1)..<second] { breaks.skipped += record.words[word].weight.rarity }
            } else if second == first + 1 {
                for place in Range(from: from + 1, upTo: to)
                where spine.words[place].isKnown && alignment.spine[place] < 0.5 {
                    breaks.foreign += spine.words[place].rarity
                }
            }
        }
        return breaks
    }

    /// Whether the spine names a person that the record does not: a given name and the word after it, both unexplained.
    static func otherPerson(_ spine: SpineWords, _ alignment: WordAlignment) -> Double {
        let isNamed = spine.words.indices.dropLast().contains { place in
            alignment.spine[place] < 0.5 && alignment.spine[place + 1] < 0.5 && spine.isGivenName[place]
                && spine.folded[place + 1].count >= 3 && !spine.words[place + 1].isFigure
        }
        return isNamed ? 1 : 0
    }

    /// 1 where the call number's letters begin the surname, or the title of a book without author; −1 where they
    /// begin neither.
    static func callNumber(_ letters: [[UInt8]], _ record: RecordWords) -> Double {
        if letters.isEmpty { return 0 }
        if letters.contains(where: record.compactSurname.starts(with:)) { return 1 }
        let title = record.folded.indices.first { index in
            record.words[index].field == .title && !TextNormalisation.isArticle(record.folded[index].text)
        }
        guard let title, letters.contains(where: record.folded[title].bytes.starts(with:)) else { return -1 }
        return record.authorCount == 0 ? 1 : 0.5
    }

    /// Volumes and years: 1 where spine and title have the same figures, −1 where they have other ones.
    static func agreement(_ spine: Set<String>, _ title: Set<String>) -> Double {
        if title.isEmpty { return 0 }
        return title.isSubset(of: spine) ? 1 : spine.isDisjoint(with: title) ? (spine.isEmpty ? -0.5 : -1) : 0
    }
}

extension FoldedWord {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}
