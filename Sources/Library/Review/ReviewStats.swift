import Bibliography
import Bounds
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns accuracy over time, by tier and by confidence.
    ///
    /// A reading is right if the user changed neither title nor author. Undone decisions do not count, and only the
    /// last decision about a detection does. Above the threshold, only the few books count that a user opened, so the
    /// accuracy shown there is too low.
    package func reviewStats() async throws -> ReviewStats {
        let judged = try await read { db in
            try JudgedReading.fetchAll(
                db,
                sql: """
                    SELECT confidence, checked, reviewHistory.at AS at,
                        judgement <> 'rejected' AND NOT titleChanged AND NOT authorChanged AS isRight, max(reviewHistory.id)
                    FROM reviewHistory JOIN reviewAction a ON a.id = action
                    WHERE undoneAt IS NULL AND judgement NOT IN ('recropped', 'identified', 'withdrawn') AND confidence IS NOT NULL
                        AND detection IS NOT NULL
                    GROUP BY detection
                    """)
        }
        return ReviewStats(judged, threshold: try await reviewThreshold())
    }
}

private struct JudgedReading: LibraryRecord {
    var confidence: Double
    var checked: Bool
    var isRight: Bool
    var at: Date

    var tier: ConfidenceTier { ConfidenceTier(confidence: confidence, checked: checked) }
    /// In the form `2026-11`.
    var month: String { String(at.formatted(.iso8601).prefix(7)) }
    /// Of ten bins of 0...1.
    ///
    /// The tolerance corrects binary rounding: 0.3 * 10 is less than 3.
    var bin: Int { min(9, Int(saturating: confidence * 10 + 1e-9)) }
}

extension Sequence<JudgedReading> {
    /// The numbers of readings and of right ones.
    fileprivate var accuracy: (reviewed: Int, correct: Int) {
        reduce(into: (0, 0)) { $0 = ($0.0 + 1, $0.1 + ($1.isRight ? 1 : 0)) }
    }
}

extension ReviewStats {
    fileprivate init(_ judged: [JudgedReading], threshold: Double) {
        let all = judged.accuracy
        let checked = judged.filter(\.checked)
        self.init(
            reviewed: all.reviewed, correct: all.correct,
            byTier: ConfidenceTier.allCases.map { tier in
                let count = judged.filter { $0.tier == tier }.accuracy
                return Tier(tier: tier.rawValue, reviewed: count.reviewed, correct: count.correct)
            },
            byConfidence: (0..<10).map { bin in
                let count = checked.filter { $0.bin == bin }.accuracy
                return Bin(
                    from: Double(bin) / 10, to: Double(bin + 1) / 10, reviewed: count.reviewed, correct: count.correct)
            },
            byMonth: Dictionary(grouping: judged, by: \.month).sorted { $0.key < $1.key }.map { month, judged in
                let count = judged.accuracy
                return Month(month: month, reviewed: count.reviewed, correct: count.correct)
            },
            threshold: threshold,
            thresholds: stride(from: 40, through: 90, by: 5).map { percent in
                let threshold = Double(percent) / 100
                let accepted = checked.filter { $0.confidence >= threshold }
                return Threshold(
                    threshold: threshold, accepted: accepted.count, acceptedWrong: accepted.count { !$0.isRight },
                    asked: judged.count - accepted.count)
            })
    }
}
