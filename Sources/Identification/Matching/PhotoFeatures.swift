import Bibliography
package import ShelflistAPI
import SpineReading

/// The features that determine the confidence in a record for a spine of a photo.
package enum PhotoFeatures {
    /// The features of the first candidate that do not depend on how a library labels its books.
    private static let taken: [MatchFeature] = [
        .titleCoverage, .titleExact, .titlePartial, .titleMass, .titleMissing, .titleWords, .fullCoverage,
        .authorCoverage, .surname, .authorMass, .hasAuthor, .explained, .explainedLetters, .explainedByTitle,
        .unexplainedKnown, .plainRatio, .fullRatio, .evidence, .evidenceLead, .fullRatioLead, .titleMassLead,
        .figures, .titleClearness, .contradiction, .rivals,
    ]
    package static let names =
        taken.map(\.stringValue) + [
            "textLogit", "scoreLead", "lowestScore", "lines", "led", "repeated", "mass", "kin", "surplus",
            "crowd", "bareTitle",
        ]

    /// - Parameters:
    ///   - textLogit: the log odds from the spine's text alone.
    ///   - scoreLead: the ranker's score minus that of the second candidate.
    ///   - lines: of the spine, with their reading scores.
    ///   - isLed: whether the record led the assembly of the spine.
    ///   - repeated: how many other spines of the photo show the same record more clearly.
    ///   - kin: how many other spines show another book of the same series.
    ///   - information: the weight of a word that occurs in a single work, in nats: the logarithm of the catalog's
    ///     size.
    package static func values(
        _ features: MatchFeatures, textLogit: Double, scoreLead: Double, lines: [ReadText], isLed: Bool, repeated: Int,
        kin: Int, information: Double
    ) -> [Double] {
        let mass = features[.titleMass] + features[.authorMass]
        return taken.map { features[$0] } + [
            max(-8, min(8, textLogit)) / 4, max(0, min(10, scoreLead)) / 5, lines.map(\.score).min() ?? 0,
            Double(min(8, lines.count)) / 8, isLed ? 1 : 0, Double(min(3, repeated)) / 3, min(3, mass) / 3,
            Double(min(2, kin)) / 2,
            // The log number of works in which the words read would occur by chance; below 0 for more than one.
            max(-1, min(1.5, mass - 1)) * information / 10, (information - 10) / 5,
            // Whether the title words that were read carry hardly any information.
            max(0, 1 - features[.titleMass] / 0.3),
        ]
    }
}

/// The features that determine the confidence in a title and an author that no record confirms.
package enum ReadingFeatures {
    package static let names =
        [
            "hasAuthor", "oneWord", "twoWords", "manyWords", "lines", "leftOver", "lowestScore", "titleScore",
            "besideCatalog", "shortTitle", "commonWord", "titleShare", "figures",
        ] + SpineRoles.evidenceNames

    /// - Parameter besideCatalog: whether a source that checks spines was queried and had no better match.
    package static func values(_ roles: SpineRoles, _ lines: [UprightLine], besideCatalog: Bool) -> [Double] {
        let words = TextNormalisation.words(roles.title ?? "")
        let title = zip(lines, roles.roles).filter { $0.1 == .title }.map(\.0)
        let other = roles.roles.filter { $0 == .other }.count
        let letters = lines.reduce(0) { $0 + $1.words.joined().count }
        return [
            roles.author == nil ? 0 : 1, words.count == 1 ? 1 : 0, words.count == 2 ? 1 : 0, words.count > 8 ? 1 : 0,
            Double(min(8, lines.count)) / 8, Double(min(4, other)) / 4, lines.map(\.line.score).min() ?? 0,
            (title.isEmpty ? lines : title).map(\.line.score).min() ?? 0, besideCatalog ? 1 : 0,
            words.joined().count < 5 ? 1 : 0, words.contains(where: CommonWords.contains) ? 1 : 0,
            Double(words.joined().count) / Double(max(1, letters)),
            words.contains { $0.contains(where: \.isNumber) } ? 1 : 0,
        ] + roles.evidence
    }
}
