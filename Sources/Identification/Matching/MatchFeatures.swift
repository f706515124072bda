import Bibliography
import Foundation

/// A measure of one spine compared with one record, or of that record compared with the other candidates for the spine.
///
/// The raw value is its place among `MatchFeatures.values`; the weights file knows it by the name of the case. Shares and
/// similarities are in 0...1, masses are sums of rarities (see `WordWeight`).
package enum MatchFeature: Int, CaseIterable, CodingKey {
    case titleCoverage, titleExact, titleLetters, titlePartial, titleMass, titleMissing, titleWords, titleFirst
    case titleLast, titleOrder, titleRarest, subtitleCoverage, subtitleMass, hasSubtitle, fullCoverage, authorCoverage
    case surname, surnamePartial, given, authorMass, hasAuthor, authorsNamed, seriesCoverage, publisherCoverage
    case explained, explainedLetters, explainedByTitle, explainedByAuthor, unexplainedMass, spineWords, spineMass
    case plainRatio, fullRatio, sortedRatio, commonShare, evidence, callNumber, figures, rank, unexplainedKnown
    case unexplainedUnknown, explainedOfKnown, titleClearness, contradiction, titleSkipped, titleBroken, otherPerson
    // The leads over the best other candidate.
    case titleCoverageLead, titlePartialLead, titleMassLead, fullCoverageLead, authorCoverageLead, authorMassLead
    case explainedLead, explainedLettersLead, plainRatioLead, fullRatioLead, sortedRatioLead, evidenceLead
    case rivals

    package static let names = allCases.map(\.stringValue)

    /// The measures of which the lead is a feature, too.
    package static let compared = allCases.compactMap { feature in
        MatchFeature(stringValue: feature.stringValue + "Lead").map { (of: feature, lead: $0) }
    }
}

/// The input of the matching model: measures of one spine compared with one record.
///
/// The one implementation: fitting and matching both go through it.
package struct MatchFeatures: Sendable {
    /// One for each `MatchFeature`; 0 for those that compare candidates until `compare`.
    package private(set) var values: [Double]

    package private(set) subscript(feature: MatchFeature) -> Double {
        get { values[feature.rawValue] }
        set { values[feature.rawValue] = newValue }
    }

    /// Compares a spine with one record.
    ///
    /// - Parameter rank: of the record among the catalog's candidates, from 0.
    package init(_ spine: SpineWords, _ record: RecordWords, rank: Int) {
        let comparison = MatchComparison(spine, record, rank: rank)
        values = MatchFeature.allCases.map { comparison.measure($0) ?? 0 }
    }

    /// Adds the measures that compare a candidate with the other candidates for the same spine.
    ///
    /// - Parameters:
    ///   - candidates: at most one for each work.
    ///   - excluded: the places of candidates with which the others are not compared.
    package static func compare(_ candidates: inout [MatchFeatures], withoutRivals excluded: Set<Int> = []) {
        let rivals = candidates.indices.filter { !excluded.contains($0) }
        for (feature, lead) in MatchFeature.compared {
            var first = -Double.infinity
            var second = -Double.infinity
            for rival in rivals {
                let value = candidates[rival][feature]
                if value > first {
                    (first, second) = (value, first)
                } else {
                    second = max(second, value)
                }
            }
            for index in candidates.indices {
                let value = candidates[index][feature]
                let other = value == first ? second : first
                candidates[index][lead] = other.isFinite ? value - other : value
            }
        }
        for index in candidates.indices {
            let own = candidates[index][.evidence]
            let count = rivals.count { $0 != index && candidates[$0][.evidence] >= own - 0.1 }
            candidates[index][.rivals] = Double(min(10, count)) / 10
        }
    }
}

extension MatchComparison {
    /// Returns a measure of this record; nil for the features that compare candidates.
    fileprivate func measure(_ feature: MatchFeature) -> Double? {
        switch feature {
        case .titleCoverage: title.coverage
        case .titleExact: title.exactCoverage
        case .titleLetters: title.letterCoverage
        case .titlePartial: LetterAlignment.partialRatio(of: record.compactTitle, in: spine.compact)
        case .titleMass: title.mass
        case .titleMissing: title.missing
        case .titleWords: Double(min(10, title.count)) / 10
        case .titleFirst: MatchComparison.edge(titleWords, record, alignment)
        case .titleLast: MatchComparison.edge(titleWords.reversed(), record, alignment)
        case .titleOrder: MatchComparison.order(titleWords, alignment)
        case .titleRarest: rarest
        case .subtitleCoverage: subtitle.coverage
        case .subtitleMass: subtitle.mass
        case .hasSubtitle: subtitle.count > 0 ? 1 : 0
        case .fullCoverage: full.coverage
        case .authorCoverage: author.coverage
        case .surname: surnames.max() ?? 0
        case .surnamePartial:
            record.compactSurname.count >= 4
                ? LetterAlignment.partialRatio(of: record.compactSurname, in: spine.compact) : 0
        case .given: given
        case .authorMass: authorMass
        case .hasAuthor: record.authorCount > 0 ? 1 : 0
        case .authorsNamed: surnames.isEmpty ? 0 : Double(surnames.filter { $0 >= 0.75 }.count) / Double(surnames.count)
        case .seriesCoverage: series.coverage
        case .publisherCoverage: publisher.coverage
        case .explained: shares.all
        case .explainedLetters: shares.letters
        case .explainedByTitle: shares.title
        case .explainedByAuthor: shares.author
        case .unexplainedMass: shares.unexplained
        case .spineWords: Double(min(20, spine.words.count)) / 10
        case .spineMass: shares.mass
        case .plainRatio: plain.best
        case .fullRatio: fullRatio
        case .sortedRatio: spine.sortedLetters.ratio(with: record.sortedLetters)
        case .commonShare: Double(plain.common) / Double(max(1, spine.compact.count))
        case .evidence: evidence
        case .callNumber: MatchComparison.callNumber(spine.callLetters, record)
        case .figures: MatchComparison.agreement(spine.figures, figures)
        case .rank: 1 / Double(1 + rank)
        case .unexplainedKnown: shares.unexplainedKnown
        case .unexplainedUnknown: shares.unexplained - shares.unexplainedKnown
        case .explainedOfKnown: shares.known > 0 ? shares.explainedKnown / shares.known : 0
        case .titleClearness: title.clearness
        // Other words stand where words of the title are missing: a sibling, by the same author or in the same series.
        case .contradiction: min(title.missing, shares.unexplainedKnown)
        case .titleSkipped: breaks.skipped
        case .titleBroken: breaks.foreign
        case .otherPerson: MatchComparison.otherPerson(spine, alignment)
        case .titleCoverageLead, .titlePartialLead, .titleMassLead, .fullCoverageLead, .authorCoverageLead,
            .authorMassLead, .explainedLead, .explainedLettersLead, .plainRatioLead, .fullRatioLead,
            .sortedRatioLead, .evidenceLead, .rivals:
            nil
        }
    }
}
