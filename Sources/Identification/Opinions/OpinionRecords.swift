import Bibliography
import SpineReading

/// The records that opinions name, which the text of a spine alone may not suggest.
struct OpinionRecords {
    /// Records of the catalog considered for an opinion.
    private static let candidateCount = 8

    let matcher: SpineMatcher

    /// Returns the catalog's records that each opinion names; where it has none, the opinion itself as a record.
    func records(of opinions: [SpineOpinion?]) throws -> [[BookRecord]] {
        guard opinions.contains(where: { $0 != nil }) else { return opinions.map { _ in [] } }
        let queries = opinions.map { opinion in
            opinion.map { TextNormalisation.words([$0.title, $0.author ?? ""].joined(separator: " ")) } ?? []
        }
        let found = try matcher.records(forEach: queries, limit: Self.candidateCount)
        return zip(opinions, found).map { opinion, records in
            guard let opinion else { return [] }
            let named = records.filter { opinion.names($0) }
            return named.isEmpty ? [opinion.record] : named
        }
    }
}
