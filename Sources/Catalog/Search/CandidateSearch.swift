import Bibliography
import Foundation

/// Finds and ranks the works that match a query, within a bounded amount of work.
///
/// Rare words lead: the documents of each are read, the rarest word first, until the budget is spent. Words too
/// frequent for that only help to rank what the rare ones found; where all are frequent, they must stand together.
struct CandidateSearch {
    let reader: CatalogReader
    let query: CandidateQuery
    /// FTS5's column filter, for example `title :`; empty for all.
    var column = ""

    /// Postings read for one query.
    ///
    /// Reading one costs about a third of a microsecond.
    private static let postingBudget = 40_000
    /// Documents whose text is loaded to rank them properly; loading one costs about five microseconds.
    private static let rankedDocuments = 400
    private static let mostRankedDocuments = 1200

    /// Documents with their scores, the best first, one for each work.
    func best(_ limit: Int) throws -> [(document: Int64, work: Int64, score: Double, text: WorkText)] {
        var ranked: [(document: Int64, work: Int64, score: Double, text: WorkText)] = []
        for document in try promising() {
            guard let (work, text) = try reader.text(ofDocument: document) else { continue }
            let score = try query.score(text, frequency: reader.documentFrequency)
            if score > 0 { ranked.append((document, work, score, text)) }
        }
        ranked.sort { ($0.score, $1.document) > ($1.score, $0.document) }
        var seen: Set<Int64> = []
        var seenTexts: Set<[String]> = []
        var best: [(document: Int64, work: Int64, score: Double, text: WorkText)] = []
        for candidate in ranked where seen.insert(candidate.work).inserted {
            // The same book from another file, or entered twice: equal titles and authors.
            let key = candidate.text.title + candidate.text.subtitle + ["\u{1}"] + candidate.text.authors.sorted()
            guard seenTexts.insert(key).inserted else { continue }
            best.append(candidate)
            if best.count == limit { break }
        }
        return best
    }

    /// The documents with the heaviest words of the query.
    private func promising() throws -> [Int64] {
        let terms = query.terms.sorted { ($0.frequency, $0.slot, $0.word) < ($1.frequency, $1.slot, $1.word) }
        var left = Self.postingBudget
        var scores: [Int64: Score] = [:]
        var frequent: [CandidateQuery.Term] = []
        for term in terms {
            guard term.frequency <= left else {
                frequent.append(term)
                continue
            }
            left -= term.frequency
            try reader.forEachDocument(matching: column + CatalogReader.quoted(term.word)) { document in
                scores[document, default: Score()].add(term)
                return true
            }
        }
        if scores.isEmpty { try addIntersections(of: frequent, to: &scores) }
        return heaviest(scores)
    }

    /// Documents with as many of the frequent words together as there are any for.
    private func addIntersections(of terms: [CandidateQuery.Term], to scores: inout [Int64: Score]) throws {
        var terms = Array(terms.prefix(8))
        while !terms.isEmpty {
            var count = 0
            let expression = terms.map { column + CatalogReader.quoted($0.word) }.joined(separator: " AND ")
            try reader.forEachDocument(matching: expression) { document in
                for term in terms { scores[document, default: Score()].add(term) }
                count += 1
                return count < Self.mostRankedDocuments
            }
            if count >= 50 { return }
            terms.removeLast()
        }
    }

    private func heaviest(_ scores: [Int64: Score]) -> [Int64] {
        guard scores.count > Self.rankedDocuments else { return Array(scores.keys) }
        let sorted = scores.map { (document: $0.key, weight: $0.value.total) }
            .sorted { ($0.weight, $1.document) > ($1.weight, $0.document) }
        // All that tie with the last one count, as far as there is time for them.
        let threshold = sorted[Self.rankedDocuments - 1].weight * 0.999
        return sorted.prefix(Self.mostRankedDocuments).prefix { $0.weight >= threshold }.map(\.document)
    }

    /// The weight of the query's words in a document, the heaviest reading of each slot.
    private struct Score {
        private(set) var total: Float = 0
        // A document rarely matches more than one reading of a slot; the last slot seen is enough of a memory,
        // because what this lets through is ranked again with exact weights.
        private var slot: Int32 = -1
        private var slotWeight: Float = 0

        mutating func add(_ term: CandidateQuery.Term) {
            let weight = Float(term.weight)
            if Int32(term.slot) == slot {
                if weight > slotWeight {
                    total += weight - slotWeight
                    slotWeight = weight
                }
            } else {
                total += weight
                (slot, slotWeight) = (Int32(term.slot), weight)
            }
        }
    }
}
