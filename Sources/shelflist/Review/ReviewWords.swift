import Bibliography
import Foundation
import Library
import ShelflistAPI
import Terminal

enum ReviewWords {
    static func sureness(_ item: ReviewQueueItem) -> String {
        guard let confidence = item.confidence, let tier = item.tier else { return "not rated" }
        return tier.sureness(confidence)
    }

    /// - Parameter word: the API's word for an action.
    static func action(_ word: String) -> String { ReviewActionKind(rawValue: word).map(action) ?? word }

    static func action(_ kind: ReviewActionKind) -> String {
        switch kind {
        case .verify: "verified"
        case .verifyAll: "verified all"
        case .keepEdit: "saved an edit"
        case .correct: "corrected"
        case .reject: "rejected"
        case .match: "matched"
        case .recrop: "another crop"
        case .duplicate: "decided on duplicates"
        case .remove: "removed"
        case .move: "moved"
        case .addScan: "added a scan"
        case .addBook: "added a book"
        case .addList: "imported a list"
        case .edit: "edited"
        case .addShelf: "added shelves"
        case .renameShelf: "renamed a shelf"
        case .moveShelf: "moved a shelf"
        case .removeShelf: "removed a shelf"
        case .startStocktake: "started a stocktake"
        case .closeStocktake: "closed a stocktake"
        case .removeStocktake: "removed a stocktake"
        case .seeCopies: "saw copies in a stocktake"
        case .dismiss: "dismissed rows of a list"
        case .enrich: "found records and covers"
        case .lookUp: "looked up online"
        case .identify: "identified online"
        }
    }

    static func spine(_ item: ReviewQueueItem) -> String? {
        item.text.isEmpty ? nil : item.text.map(\.text).joined(separator: " · ")
    }

    static func counts(_ counts: ReviewQueueCounts) -> String {
        func tier(_ tier: ConfidenceTier, _ count: Int) -> (Int, String) {
            (count, "\(tier.mark) \(count) \(tier.words)")
        }
        let parts = [
            tier(.needsReview, counts.needsReview), tier(.verify, counts.verify), tier(.ready, counts.ready),
            tier(.notChecked, counts.notChecked),
            (counts.failedRows, "\(counts.failedRows) rows of lists failed"),
            (counts.duplicateQuestions, "\(counts.duplicateQuestions) may be duplicates"),
            (counts.missing, "\(counts.missing) missing on their shelf"),
            (counts.incomplete, "\(counts.incomplete) without a record or cover"),
        ]
        return parts.filter { $0.0 > 0 }.map(\.1).joined(separator: "   ")
    }
}

extension ReviewQueueItem {
    /// The number by which commands take it: of the book, else of the question or the row.
    var number: String { entryId ?? id.trimmingCharacters(in: .letters) }
}
