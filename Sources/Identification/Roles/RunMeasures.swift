import Foundation

/// What the features of a way to read a spine need of its title or author alone.
struct RunMeasures {
    /// How far the score of the line that is read worst is below 0.95.
    let weakness: Double
    /// The mean over letters, in pixels; 0 without parts.
    let height: Double
    /// The log ratio of the largest and the smallest height, 0...1.5.
    let spread: Double
    /// The largest gap between consecutive parts, 0...1 for 0 to 5 heights.
    let gap: Double
    /// The size of the text, in relative units.
    let prominence: Double
    /// Of the words, that they are part of a name, in nats.
    let (meanOdds, worstOdds, topOdds): (Double, Double, Double)
    /// The share of words that no list has.
    let unknown: Double
    let (hasCommonWord, hasDigit, hasMark, endsWithComma, isPossessive): (Bool, Bool, Bool, Bool, Bool)
    /// Whether there is a function word that does not join the names of people.
    let hasWordOfNoName: Bool
    /// Whether the last word is one with which no name ends: a function word of several letters, or `edition`.
    let endsUnlikeName: Bool
    /// Whether there are only articles and letters.
    let isParticle: Bool
    let (isMixedDirection, isMixedCase): (Bool, Bool)
    /// Whether the first word is a given name, or a function word.
    let (startsGiven, startsCommon): (Bool, Bool)
    /// Whether all words are given names and initials.
    let isGivenPart: Bool
    /// Whether the number of words and letters is that of one person's name.
    let isNameShaped: Bool

    init(_ parts: [SpinePart], words: [String], odds: [Double], text: String) {
        weakness = max(0, 0.95 - (parts.map(\.score).min() ?? 0))
        height = Self.mean(parts)
        let heights = parts.map(\.height)
        spread = min(1.5, log((heights.max() ?? 1) / (heights.min() ?? 1)))
        gap = zip(parts, parts.dropFirst()).reduce(0) { max($0, Self.distance([$1.0], [$1.1])) }
        prominence = parts.reduce(0) { $0 + $1.prominence }
        meanOdds = odds.isEmpty ? 0 : odds.reduce(0, +) / Double(odds.count)
        (worstOdds, topOdds) = (odds.min() ?? 0, max(-4, odds.max() ?? 0))
        unknown = Double(parts.reduce(0) { $0 + $1.unknown }) / Double(max(1, words.count))
        let hasCommonWord = parts.contains(where: \.hasCommonWord)
        hasWordOfNoName = words.contains { word in
            CommonWords.contains(word) && !Self.conjunctions.contains(word) && !NameInLine.isInitial(word, of: text)
        }
        let hasDigit = parts.contains(where: \.hasDigit)
        (self.hasCommonWord, self.hasDigit) = (hasCommonWord, hasDigit)
        hasMark = NameInLine.hasMark(text)
        endsWithComma = parts.last?.text.hasSuffix(",") == true
        let end = text.suffix(2).lowercased()
        isPossessive = end == "'s" || end == "’s"
        endsUnlikeName =
            words.last.map { $0.count > 1 && CommonWords.contains($0) || Numbering.isEdition($0) } == true
        isParticle = !words.isEmpty && words.allSatisfy { $0.count == 1 || CommonWords.contains($0) }
        isMixedDirection = parts.dropFirst().contains { $0.isVertical != parts[0].isVertical }
        isMixedCase = Set(parts.compactMap(\.shouts)).count > 1
        startsGiven = words.first.map(NameWords.isGiven) == true
        startsCommon = words.first.map(CommonWords.contains) == true
        isGivenPart = NameInLine.isGivenPart(words)
        let long = words.count { $0.count > 2 }
        isNameShaped = (1...2).contains(long) && words.count <= 4 && !hasCommonWord && !hasDigit
    }

    private static let conjunctions: Set<String> = ["and", "und", "et"]

    private static func mean(_ parts: [SpinePart]) -> Double {
        let letters = parts.reduce(0.0) { $0 + Double(max(1, $1.letters)) }
        return parts.reduce(0.0) { $0 + $1.height * Double(max(1, $1.letters)) } / max(1, letters)
    }

    /// The distance between two groups along and across the spine, in letter heights, 0...1 for 0 to 5 heights.
    static func distance(_ a: [SpinePart], _ b: [SpinePart]) -> Double {
        var least = Double.infinity
        for p in a {
            for q in b {
                let gap = max(p.along.gap(to: q.along), p.across.gap(to: q.across))
                least = min(least, gap / max(p.height, q.height))
            }
        }
        return min(5, least) / 5
    }
}
