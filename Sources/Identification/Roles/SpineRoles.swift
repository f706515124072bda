import Bibliography
import Foundation
import Imaging
import SpineReading

/// The role of a line on a spine.
package enum LineRole: String, Sendable {
    case title
    case author
    case publisher
    /// A volume number, call number or other number.
    case number
    case other
}

/// Title and author as read on a spine, without a catalog.
package struct SpineRoles: Sendable {
    package var title: String?
    package var author: String?
    /// One role per line.
    package var roles: [LineRole]
    /// How sure the choice is, by `evidenceNames`; zeros if there was none.
    package var evidence = [Double](repeating: 0, count: evidenceNames.count)

    /// The log odds of all ways to read the spine with this title and author, and with this title; then measures of the
    /// title, as in `ParseFeatures`.
    static let evidenceNames = ["waySure", "titleSure"] + ofTitle
    fileprivate static let ofTitle = ["titleOdds", "titleTopOdds", "titleHeight"]
}

/// Decides which lines of one spine are title, author and publisher, based on size, position, casing and words.
package enum RoleAssignment {
    /// - Parameters:
    ///   - lines: of one spine, in reading order.
    ///   - start: of the author's name or of the title, by the label of the spine; nil where it has none.
    ///   - names: of the spine.
    /// - Throws: `IdentificationError.tooMuchText`.
    package static func assign(
        _ lines: [UprightLine], filedUnder start: String? = nil, knowing names: KnownNames = KnownNames(),
        by model: LinearModel, effort: IdentificationEffort = IdentificationEffort()
    ) throws -> SpineRoles {
        if let roles = EastAsianRoles.assign(lines) ?? UncasedRoles.assign(lines) { return roles }
        var ways = try Ways(lines, effort)
        if let start { ways.keepThose(filedUnder: start) }
        ways.leaveOut(series: lines.indices.filter { names.isSeries(lines[$0].words) }, names: lines.map(\.words))
        let values = zip(ways.parses, ways.features).map { way, features in
            // `The Diary of` needs the name after it.
            let isOpen = way.title.parts.last?.isOpen == true
            return model.value(features) + (isOpen ? 0 : names.evidence(for: way.author.words))
        }
        guard let best = ReadingRules.best(of: ways.parses, values, knowing: names) else {
            return SpineRoles(title: nil, author: nil, roles: ways.kinds)
        }
        let (title, author) = (ways.parses[best].title.text, ways.parses[best].author.text)
        let odds = values.map { exp($0 - values[best]) }
        let total = odds.reduce(0, +)
        /// The log odds of the ways that agree with the chosen one, -1.75...1.75 for -7...7 nats.
        func sureness(_ agrees: (SpineParse) -> Bool) -> Double {
            let share = zip(ways.parses, odds).reduce(0) { $0 + (agrees($1.0) ? $1.1 : 0) } / total
            return (log(max(0.001, share)) - log(max(0.001, 1 - share))) / 4
        }
        var chosen = ways.roles(of: ways.parses[best])
        chosen.evidence =
            [
                sureness { $0.title.text == title && $0.author.text == author },
                sureness { $0.title.text == title },
            ] + placesOfTitle.map { ways.features[best][$0] }
        return chosen
    }

    private static let placesOfTitle = SpineRoles.ofTitle.compactMap(ParseFeatures.names.firstIndex)

    /// A way to read a spine and its features.
    package struct Reading: Sendable {
        package var roles: SpineRoles
        package var features: [Double]
    }

    /// Returns all ways that are considered.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    package static func readings(of lines: [UprightLine]) throws -> [Reading] {
        let ways = try Ways(lines, IdentificationEffort())
        return zip(ways.parses, ways.features).map { Reading(roles: ways.roles(of: $0), features: $1) }
    }

    /// The ways to read a spine that are considered.
    private struct Ways {
        /// What the words of each line alone say.
        let kinds: [LineRole]
        /// The author where no person is: the organisation that a line names.
        private let organisation: (line: Int, text: String)?
        private(set) var parses: [SpineParse] = []
        /// One for each parse.
        private(set) var features: [[Double]] = []

        init(_ lines: [UprightLine], _ effort: IdentificationEffort) throws {
            let credits = Contributors.credits(lines.map(\.words))
            let kinds = LineKinds.all(of: lines, credits: credits)
            self.kinds = kinds
            organisation = lines.indices
                .first { kinds[$0] == .publisher && Publishers.isCorporateAuthor(lines[$0].words) }
                .map { ($0, lines[$0].line.text) }
            let text = lines.indices.filter { kinds[$0] == .other }
            // Only a publisher's name is not a book.
            guard !text.isEmpty || kinds.contains(.number) else { return }
            let letters = text.reduce(0) { $0 + lines[$1].words.joined().count }
            let clear = text.filter { lines[$0].line.score >= 0.6 && lines[$0].words.joined().count > 2 }
            let tallest = (clear.isEmpty ? Array(lines.indices) : clear).map { lines[$0].height }.max() ?? 1
            parses = ReadingRules.possible(
                try SpineParse.all(of: lines, kinds: kinds, credits: credits, effort: effort),
                lines: lines.map(\.line.text), kinds: kinds, credits: credits)
            features = parses.map { ParseFeatures.values($0, tallest: max(1, tallest), letters: letters) }
        }

        /// Keeps those with an author one of whose names starts so, or whose title does; all where there are none.
        mutating func keepThose(filedUnder start: String) {
            let kept = parses.indices.filter { place in
                let (author, title) = (parses[place].author.words, parses[place].title.words)
                return author.contains { $0.hasPrefix(start) } || title.first?.hasPrefix(start) == true
            }
            keep(kept)
        }

        /// Leaves out those whose title has one of these lines, unless all have; then those whose author has one that is no
        /// name.
        mutating func leaveOut(series: [Int], names lines: [[String]]) {
            guard !series.isEmpty else { return }
            keep(parses.indices.filter { place in series.allSatisfy { !parses[place].title.lines.contains($0) } })
            let others = series.filter { NameWords.odds(of: lines[$0]).reduce(0, +) <= 0 }
            keep(parses.indices.filter { place in others.allSatisfy { !parses[place].author.lines.contains($0) } })
        }

        private mutating func keep(_ kept: [Int]) {
            guard !kept.isEmpty else { return }
            (parses, features) = (kept.map { parses[$0] }, kept.map { features[$0] })
        }

        func roles(of parse: SpineParse) -> SpineRoles {
            var kinds = kinds
            for part in parse.author.parts { kinds[part.line] = .author }
            for part in parse.title.parts { kinds[part.line] = .title }
            var author = parse.author.author
            if author == nil, let organisation, !parse.title.lines.contains(organisation.line) {
                author = Casing.settled(organisation.text)
                kinds[organisation.line] = .author
            }
            return SpineRoles(title: parse.title.title(beside: author), author: author, roles: kinds)
        }
    }
}
