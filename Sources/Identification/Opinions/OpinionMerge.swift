import Bibliography
import Foundation
import ShelflistAPI
import SpineReading

/// How an opinion enters the judgement of the spine that it is about.
extension SpineOpinion {
    /// Returns the candidates of a spine, those that the opinion names moved up by as much as it raises their odds.
    func sorted(_ candidates: [SpineMatcher.Candidate]) -> [SpineMatcher.Candidate] {
        let lead = log(OpinionWeight.agreement(self))
        let order = candidates.indices.map { index in
            (index: index, score: candidates[index].score + (names(candidates[index].record) ? lead : 0))
        }.sorted { ($0.score, $1.index) > ($1.score, $0.index) }
        return order.map { candidates[$0.index] }
    }

    /// Returns the probability of a spine's best candidate, given the opinion.
    ///
    /// - Parameters:
    ///   - probability: by the text alone, 0...1.
    ///   - highest: the upper limit by the text, 0...1.
    func weighed(_ probability: Double, of best: SpineMatcher.Candidate, highest: Double) -> Double {
        guard names(best.record) else {
            return OpinionWeight.probability(probability, times: OpinionWeight.disagreement(self))
        }
        // A model that completes a title which was not read may do so from memory.
        let isRead = highest > RecordLimit.untitled
        let limit =
            best.record.source != reader
            ? isRead ? highest : max(probability, OpinionWeight.highestFromMemory)
            : isRead ? OpinionWeight.highestWithoutRecord : OpinionWeight.highestFromMemory
        return min(limit, OpinionWeight.probability(probability, times: OpinionWeight.agreement(self)))
    }
}

extension JudgedSpine {
    /// Adds an opinion to what the text alone says.
    ///
    /// A book that is verified by its text keeps its record, and its confidence does not fall: the opinion may only raise
    /// it, or is shown beside it.
    ///
    /// - Parameters:
    ///   - weighed: the same spine, judged with the opinion.
    ///   - threshold: from which confidence a book is verified, 0...1.
    func considering(_ opinion: SpineOpinion?, weighed: Self, threshold: Double) -> Self {
        guard let opinion else { return self }
        guard isVerified(from: threshold) else { return weighed.showing(opinion) }
        var kept = self
        if weighed.title == title, weighed.author == author, weighed.isbn == isbn, weighed.confidence > confidence {
            (kept.confidence, kept.matches) = (weighed.confidence, weighed.matches)
        }
        return kept.showing(opinion)
    }

    /// Shows a person what a model read beside what the text says.
    ///
    /// Where the text says next to nothing, the book has the model's name.
    func showing(_ opinion: SpineOpinion) -> Self {
        var shown = self
        let memory = OpinionWeight.highestFromMemory * opinion.certainty
        let isNamed = title.map { opinion.names(title: $0, authors: author.map { [$0] } ?? []) } ?? false
        if !isNamed, confidence < memory {
            (shown.title, shown.author, shown.isbn) = (opinion.title, opinion.author, nil)
            shown.confidence = memory
        }
        let isOffered = matches.contains { match in
            opinion.names(title: match.title, authors: match.author.map { [$0] } ?? [])
        }
        if !isOffered { shown.matches.append(opinion.match(confidence: min(memory, 1 - confidence))) }
        return shown
    }
}
