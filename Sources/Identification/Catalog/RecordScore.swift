/// How well a record explains a group of lines.
struct RecordScore: Sendable {
    /// Evidence in nats: matched words add their weight, unexplained and missing words subtract.
    let evidence: Double
    /// Weighted share, 0...1, of the main title's words that were read.
    let titleCoverage: Double
    /// Weighted share, 0...1, of the read words that the record explains.
    let explained: Double

    /// - Parameters:
    ///   - matches: one per line, in the same order as `lines`.
    init(_ record: RecordWords, lines: [LineWords], matches: [WordAlignment]) {
        var titleMass = 0.0
        var titleTotal = 0.0
        var authorMass = 0.0
        var authorTotal = 0.0
        var hasAuthor = false
        var surnameSeen = false
        var otherMass = 0.0
        for (index, word) in record.words.enumerated() {
            let similarity = matches.reduce(0) { max($0, $1.record[index]) }
            let matched = word.weight.evidence * max(0, (similarity - 0.4) / 0.6)
            switch word.field {
            case .title:
                titleTotal += word.weight.evidence
                titleMass += matched
            case .author:
                hasAuthor = true
                authorTotal += word.weight.evidence
                authorMass += matched
                if word.isSurname, similarity >= 0.75 { surnameSeen = true }
            case .subtitle: otherMass += 0.6 * matched
            case .series: otherMass += 0.3 * matched
            case .publisher: break
            }
        }
        titleCoverage = titleTotal > 0 ? titleMass / titleTotal : 0
        let authorShare = authorTotal > 0 ? authorMass / authorTotal : 0
        // A surname alone counts as most of a name.
        let authorCoverage = surnameSeen ? max(0.8, authorShare) : authorShare

        var readTotal = 0.0
        var readExplained = 0.0
        for (line, match) in zip(lines, matches) {
            for (weight, similarity) in zip(line.weights, match.spine) {
                readTotal += weight
                readExplained += weight * similarity
            }
        }
        explained = readTotal > 0 ? readExplained / readTotal : 0
        evidence =
            titleMass + 0.8 * authorMass + otherMass - 0.5 * (readTotal - readExplained)
            - 0.8 * (titleTotal - titleMass) - (hasAuthor && authorCoverage < 0.3 ? 1 : 0)
    }
}
