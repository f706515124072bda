import Bibliography

/// Finds and ranks the works that match a query, at bounded cost.
///
/// Reads the documents of each word, the rarest first, until the budget is spent. More frequent words are used only for
/// ranking; if all words are frequent, documents must contain several of them.
struct CandidateSearch {
    let reader: CatalogReader
    let query: CandidateQuery
    /// FTS5's column filter, for example `title :`; empty for all.
    var column = ""

    /// The maximum number of postings read for one query, at about a third of a microsecond each.
    static let postingBudget = 30_000
    /// The maximum number of postings in small catalogs, as a share of the works.
    static let postingShare = 0.5
    /// The number of documents whose text is loaded for exact ranking, at about four microseconds each.
    static let rankedDocuments = 150
    static let mostRankedDocuments = 900

    struct Found {
        var record: BookRecord
        var text: WorkText
        var score: Double
    }

    /// Returns one record for each of the best works.
    func best(_ limit: Int) throws -> [Found] {
        var ranker = CandidateRanker(query)
        var ranked: [(document: Int64, work: Int64, score: Double)] = []
        for document in try promising(max(Self.rankedDocuments, 2 * limit)) {
            guard let folded = try reader.folded(document: document) else { continue }
            let score = folded.text.withUnsafeBufferPointer { text in
                ranker.score(
                    title: UnsafeBufferPointer(rebasing: text.prefix(folded.titleLength)),
                    rest: UnsafeBufferPointer(rebasing: text.dropFirst(folded.titleLength)))
            }
            if score > 0 { ranked.append((document, folded.work, score)) }
        }
        ranked.sort { ($0.score, $1.document) > ($1.score, $0.document) }

        var works: Set<Int64> = []
        var texts: Set<[String]> = []
        var best: [Found] = []
        for candidate in ranked where works.insert(candidate.work).inserted {
            guard let record = try reader.record(ofDocument: candidate.document) else { continue }
            let text = WorkText(record)
            guard texts.insert(text.key).inserted else { continue }
            best.append(Found(record: record, text: text, score: candidate.score))
            if best.count == limit { break }
        }
        return best
    }

    /// Returns about `count` documents with the heaviest words of the query; more in case of ties.
    private func promising(_ count: Int) throws -> [Int64] {
        // Certain readings are looked up before guesses.
        let terms = query.terms.sorted {
            (Double($0.frequency) / $0.certainty, $0.slot, $0.word) < (
                Double($1.frequency) / $1.certainty, $1.slot, $1.word
            )
        }
        var left = reader.postingBudget
        var scores = reader.takeScores()
        defer {
            scores.clear()
            reader.giveBack(scores)
        }
        var frequent: [CandidateQuery.Term] = []
        for (place, term) in terms.enumerated() {
            guard term.frequency <= left else {
                frequent.append(term)
                continue
            }
            left -= term.frequency
            let documents = try reader.documents(matching: CatalogReader.expression(term, column: column))
            // A document with this and all later words only would be lighter than enough others.
            let isLate =
                term.frequency > Self.rankedDocuments
                && scores.hasDocuments(count, heavierThan: Self.mostWeight(of: terms[place...]))
            scores.add(term, to: documents, onlyKnown: isLate)
        }
        if scores.isEmpty { try addIntersections(of: frequent, to: &scores) }
        return scores.heaviest(count, atMost: max(count, Self.mostRankedDocuments))
    }

    /// Returns the weight of a document with all of these words.
    private static func mostWeight(of terms: ArraySlice<CandidateQuery.Term>) -> Double {
        Dictionary(terms.map { ($0.slot, $0.weight) }, uniquingKeysWith: max).values.reduce(0, +)
    }

    /// Adds the documents that contain most of the frequent words, with fewer words until there are enough documents.
    private func addIntersections(of terms: [CandidateQuery.Term], to scores: inout ScoreTable) throws {
        var terms = Array(terms.prefix(8))
        while !terms.isEmpty {
            var count = 0
            let expression = terms.map { CatalogReader.expression($0, column: column) }.joined(separator: " AND ")
            try reader.forEachDocument(matching: expression) { document in
                for term in terms { scores.add(term, to: CollectionOfOne(document)) }
                count += 1
                return count < Self.mostRankedDocuments
            }
            if count >= 50 { return }
            terms.removeLast()
        }
    }
}

/// A hash table of fixed capacity that maps documents to the total weight of the query's words in them.
struct ScoreTable {
    private struct Entry {
        var document: Int64 = -1
        var weight: Float = 0
        // A document rarely matches several readings of a slot, so comparing with the last slot suffices; the exact
        // ranking corrects the rest.
        var slot: Int32 = -1
        var slotWeight: Float = 0
    }

    private var entries: [Entry]
    /// The indices of the entries in use.
    private var used: [Int] = []
    private var mostWeight: Float = 0

    var isEmpty: Bool { used.isEmpty }

    init(capacity: Int) {
        var size = 1024
        while size < 2 * capacity { size *= 2 }
        entries = [Entry](repeating: Entry(), count: size)
    }

    mutating func clear() {
        for place in used { entries[place] = Entry() }
        used.removeAll(keepingCapacity: true)
        mostWeight = 0
    }

    /// - Parameters:
    ///   - documents: with the word of the term.
    ///   - onlyKnown: whether to leave out documents without a weight.
    mutating func add(_ term: CandidateQuery.Term, to documents: some Sequence<Int64>, onlyKnown: Bool = false) {
        let (weight, slot) = (Float(term.weight), Int32(term.slot))
        // Owned here, so that the loop checks once that no copy shares them.
        var (used, most): ([Int], Float) = ([], mostWeight)
        swap(&used, &self.used)
        entries.withUnsafeMutableBufferPointer { entries in
            for document in documents {
                guard let place = Self.place(of: document, in: entries, &used, onlyKnown: onlyKnown) else { continue }
                if entries[place].slot != slot {
                    entries[place].weight += weight
                    (entries[place].slot, entries[place].slotWeight) = (slot, weight)
                } else if weight > entries[place].slotWeight {
                    entries[place].weight += weight - entries[place].slotWeight
                    entries[place].slotWeight = weight
                }
                most = max(most, entries[place].weight)
            }
        }
        swap(&used, &self.used)
        mostWeight = most
    }

    /// Returns the index of a document's entry; nil if it has none and is not to get one, or the table is full.
    private static func place(
        of document: Int64, in entries: UnsafeMutableBufferPointer<Entry>, _ used: inout [Int], onlyKnown: Bool
    ) -> Int? {
        let mask = entries.count - 1
        // The documents of a word come in order, so their places are near each other in memory.
        var place = Int(truncatingIfNeeded: document) & mask
        while entries[place].document != document {
            if entries[place].document == -1 {
                guard !onlyKnown, used.count * 2 < entries.count else { return nil }
                entries[place].document = document
                used.append(place)
                break
            }
            place = (place + 1) & mask
        }
        return place
    }

    /// Whether at least `count` documents stay heavier than a weight, also than ties with the last of them.
    func hasDocuments(_ count: Int, heavierThan weight: Double) -> Bool {
        let least = Float(weight) / Self.tie
        guard used.count >= count, mostWeight > least else { return false }
        return used.lazy.filter { entries[$0].weight > least }.prefix(count).count == count
    }

    /// Documents with at least this share of a weight tie with it.
    private static let tie: Float = 0.999

    /// Returns the `count` heaviest documents and ties with the last of them, at most `limit`.
    func heaviest(_ count: Int, atMost limit: Int) -> [Int64] {
        guard used.count > count else { return used.map { entries[$0].document } }
        let threshold = weight(ofHeaviest: count) * Self.tie
        let above = used.filter { entries[$0].weight >= threshold }.map { entries[$0] }
        guard above.count > limit else { return above.map(\.document) }
        return above.sorted { ($0.weight, $1.document) > ($1.weight, $0.document) }.prefix(limit).map(\.document)
    }

    /// Returns the weight of the document in this place by weight, from 1.
    ///
    /// O(documents) for a small place, because few are among the heaviest so far.
    private func weight(ofHeaviest place: Int) -> Float {
        var heaviest: [Float] = []
        for entry in used {
            let weight = entries[entry].weight
            if heaviest.count == place {
                guard weight > heaviest[0] else { continue }
                heaviest.removeFirst()
            }
            heaviest.insert(weight, at: heaviest.firstIndex { $0 >= weight } ?? heaviest.endIndex)
        }
        return heaviest[0]
    }
}
