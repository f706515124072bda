import Bibliography
import Foundation

/// The input of the matching model: measures of one spine compared with one record.
///
/// The one implementation: fitting and matching both go through it. Shares and similarities lie in 0...1, masses are
/// sums of rarities (see `WordWeight`).
package struct MatchFeatures: Sendable {
    /// One of `values`: its name, which the weights file knows it by, and how it is computed.
    private struct Feature: Sendable {
        var name: String
        /// Whether the lead over the best other candidate is a feature, too.
        var hasLead: Bool
        var value: @Sendable (MatchComparison) -> Double

        init(_ name: String, hasLead: Bool = false, _ value: @escaping @Sendable (MatchComparison) -> Double) {
            self.name = name
            self.hasLead = hasLead
            self.value = value
        }
    }

    private static let features: [Feature] = [
        Feature("titleCoverage", hasLead: true) { $0.title.coverage },
        Feature("titleExact") { $0.title.exactCoverage },
        Feature("titleLetters") { $0.title.letterCoverage },
        Feature("titlePartial", hasLead: true) {
            LetterAlignment.partialRatio(of: $0.record.compactTitle, in: $0.spine.compact)
        },
        Feature("titleMass", hasLead: true) { $0.title.mass },
        Feature("titleMissing") { $0.title.missing },
        Feature("titleWords") { Double(min(10, $0.title.count)) / 10 },
        Feature("titleFirst") { MatchComparison.edge($0.titleWords, $0.record, $0.alignment) },
        Feature("titleLast") { MatchComparison.edge($0.titleWords.reversed(), $0.record, $0.alignment) },
        Feature("titleOrder") { MatchComparison.order($0.titleWords, $0.alignment) },
        Feature("titleRarest") { $0.rarest },
        Feature("subtitleCoverage") { $0.subtitle.coverage },
        Feature("subtitleMass") { $0.subtitle.mass },
        Feature("hasSubtitle") { $0.subtitle.count > 0 ? 1 : 0 },
        Feature("fullCoverage", hasLead: true) { $0.full.coverage },
        Feature("authorCoverage", hasLead: true) { $0.author.coverage },
        Feature("surname") { $0.surnames.max() ?? 0 },
        Feature("surnamePartial") {
            $0.record.compactSurname.count >= 4
                ? LetterAlignment.partialRatio(of: $0.record.compactSurname, in: $0.spine.compact) : 0
        },
        Feature("given") { $0.given },
        Feature("authorMass", hasLead: true) { $0.authorMass },
        Feature("hasAuthor") { $0.record.authorCount > 0 ? 1 : 0 },
        Feature("authorsNamed") {
            $0.surnames.isEmpty ? 0 : Double($0.surnames.filter { $0 >= 0.75 }.count) / Double($0.surnames.count)
        },
        Feature("seriesCoverage") { $0.series.coverage },
        Feature("publisherCoverage") { $0.publisher.coverage },
        Feature("explained", hasLead: true) { $0.shares.all },
        Feature("explainedLetters", hasLead: true) { $0.shares.letters },
        Feature("explainedByTitle") { $0.shares.title },
        Feature("explainedByAuthor") { $0.shares.author },
        Feature("unexplainedMass") { $0.shares.unexplained },
        Feature("spineWords") { Double(min(20, $0.spine.words.count)) / 10 },
        Feature("spineMass") { $0.shares.mass },
        Feature("plainRatio", hasLead: true) { $0.ratio(with: $0.record.compactTitle, $0.authorText) },
        Feature("fullRatio", hasLead: true) {
            $0.ratio(with: MatchComparison.letters(of: $0.record, in: [.title, .subtitle]), $0.authorText)
        },
        Feature("sortedRatio", hasLead: true) { $0.spine.sortedLetters.ratio(with: MatchComparison.sorted($0.record)) },
        Feature("commonShare") {
            Double($0.spine.letters.commonLength(with: $0.authorText + $0.record.compactTitle))
                / Double(max(1, $0.spine.compact.count))
        },
        Feature("evidence", hasLead: true) { $0.evidence },
        Feature("callNumber") { MatchComparison.callNumber($0.spine.callLetters, $0.record) },
        Feature("figures") { MatchComparison.agreement($0.spine.figures, $0.figures) },
        Feature("rank") { 1 / Double(1 + $0.rank) },
        Feature("unexplainedKnown") { $0.shares.unexplainedKnown },
        Feature("unexplainedUnknown") { $0.shares.unexplained - $0.shares.unexplainedKnown },
        Feature("explainedOfKnown") { $0.shares.known > 0 ? $0.shares.explainedKnown / $0.shares.known : 0 },
        Feature("titleClearness") { $0.title.clearness },
        // Other words stand where words of the title are missing: a sibling, by the same author or in the same series.
        Feature("contradiction") { min($0.title.missing, $0.shares.unexplainedKnown) },
        Feature("titleSkipped") { $0.breaks.skipped },
        Feature("titleBroken") { $0.breaks.foreign },
        Feature("otherPerson") { MatchComparison.otherPerson($0.spine, $0.alignment) },
    ]

    /// One name for each of `values` before `compare`, in their order.
    package static let names = features.map(\.name)
    /// One name for each of `values` after `compare`, in their order.
    package static let allNames = names + features.filter(\.hasLead).map { $0.name + "Lead" } + ["rivals"]
    private static let comparedPlaces = features.indices.filter { features[$0].hasLead }
    private static let evidencePlace = place(of: "evidence")

    package private(set) var values: [Double]

    subscript(name: String) -> Double { values[Self.place(of: name)] }

    /// The place of a feature in `values`; traps for a name that no feature has.
    static func place(of name: String) -> Int {
        guard let place = allNames.firstIndex(of: name) else { preconditionFailure("No feature is named \(name).") }
        return place
    }

    /// Compares a spine with one record.
    ///
    /// - Parameter rank: of the record among the catalog's candidates, from 0.
    package init(_ spine: SpineWords, _ record: RecordWords, rank: Int) {
        let comparison = MatchComparison(spine, record, rank: rank)
        values = Self.features.map { $0.value(comparison) }
    }

    /// Adds the measures that compare a candidate with the other candidates for the same spine.
    ///
    /// - Parameters:
    ///   - candidates: at most one for each work.
    ///   - excluded: the places of candidates with which the others are not compared.
    package static func compare(_ candidates: inout [MatchFeatures], withoutRivals excluded: Set<Int> = []) {
        let raw = candidates.map(\.values)
        let rivals = raw.indices.filter { !excluded.contains($0) }
        for place in comparedPlaces {
            var first = -Double.infinity
            var second = -Double.infinity
            for values in rivals.lazy.map({ raw[$0] }) {
                if values[place] > first {
                    (first, second) = (values[place], first)
                } else {
                    second = max(second, values[place])
                }
            }
            for index in candidates.indices {
                let value = raw[index][place]
                let other = value == first ? second : first
                candidates[index].values.append(other.isFinite ? value - other : value)
            }
        }
        for index in candidates.indices {
            let own = raw[index][evidencePlace]
            let count = rivals.count { $0 != index && raw[$0][evidencePlace] >= own - 0.1 }
            candidates[index].values.append(Double(min(10, count)) / 10)
        }
    }
}
