import Bibliography
import Foundation

/// Names of people on one spine that are known to be names without their words: from records, and from other spines.
package struct KnownNames: Hashable, Sendable {
    /// The folded words of authors of records.
    private let listed: Set<[String]>
    /// The folded words of lines and ends of lines that look like names and are on another spine, too.
    private let repeated: Set<[String]>
    /// The folded words of lines that are those of a series, or an author, see `SeriesLines`.
    private let series: Set<[String]>

    package init(listed: Set<[String]> = [], repeated: Set<[String]> = [], series: Set<[String]> = []) {
        (self.listed, self.repeated, self.series) = (listed, repeated, series)
    }

    /// Whether a line is not the title, nor a part of it, because it is on other spines, too.
    func isSeries(_ line: [String]) -> Bool { series.contains(line) }

    /// In nats, by the rule of succession: on labelled photos, 32 of 32 listed and 15 of 15 repeated names on spines without a
    /// record were those of the book's author.
    private static let (ofListed, ofRepeated) = (log(33.0), log(16.0))
    private static let words = 2...4
    /// Of all authors of a spine.
    ///
    /// The ways to divide words into names grow by the power of their number.
    private static let mostWords = 12
    /// Of text that looks like a name, see `NameInLine.likeness`.
    private static let leastLikeness = 0.7

    /// Returns how much a known name, or several, speak for being the author, in nats; 0 for other text.
    func evidence(for author: [String]) -> Double {
        if author.isEmpty || author.count > Self.mostWords || listed.isEmpty && repeated.isEmpty { return 0 }
        if consists(author, of: listed) { return Self.ofListed }
        return consists(author, of: listed.union(repeated)) ? Self.ofRepeated : 0
    }

    /// Whether words are names, one after the other, with words that join names between them.
    private func consists(_ words: [String], of names: Set<[String]>) -> Bool {
        names.contains { name in
            guard words.starts(with: name) else { return false }
            let rest = Array(words.dropFirst(name.count).drop(while: NameInLine.joins))
            return words.count == name.count || consists(rest, of: names)
        }
    }

    /// Returns the known names of each spine of a photo.
    ///
    /// O(spines × (lines + candidates)).
    ///
    /// - Parameters:
    ///   - spines: the lines of each, in reading order.
    ///   - records: that its text may refer to.
    static func all(of spines: [[UprightLine]], records: [[BookRecord]]) -> [KnownNames] {
        let texts = spines.map { Set(names(in: $0)) }
        var counts: [[String]: Int] = [:]
        for name in texts.joined() { counts[name, default: 0] += 1 }
        let series = SeriesLines.words(of: spines)
        return spines.indices.map { place in
            let words = Set(spines[place].flatMap(\.words))
            let authors = records[place].flatMap(\.authors).flatMap(PersonName.list)
                .map { TextNormalisation.words($0.displayName) }
            return KnownNames(
                listed: Set(authors.filter { Self.words ~= $0.count && $0.allSatisfy(words.contains) }),
                repeated: texts[place].filter { counts[$0, default: 0] > 1 },
                series: series.intersection(spines[place].map(\.words)))
        }
    }

    /// Returns the lines, pairs of short lines and ends of lines that look like names.
    private static func names(in lines: [UprightLine]) -> [[String]] {
        let whole = lines.map(\.words)
        let pairs = zip(whole, whole.dropFirst()).filter { max($0.count, $1.count) < words.upperBound }.map { $0 + $1 }
        let ends = whole.flatMap { line in words.filter { $0 < line.count }.map { Array(line.suffix($0)) } }
        return (whole + pairs + ends).filter { name in
            words ~= name.count && !Publishers.isPublisher(name) && !Publishers.isOrganisation(name)
                && NameInLine.likeness(name, name.joined(separator: " ")) >= leastLikeness
        }
    }
}
