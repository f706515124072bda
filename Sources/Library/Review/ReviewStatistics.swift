import Bibliography
import Foundation
import GRDB

/// The reader's accuracy, measured by the users' decisions on its readings.
///
/// A reading is right if the user changed neither title nor author. Only reviewed books count. Above the threshold,
/// those are the few that a user opened, so the accuracy shown there is too low.
package struct ReviewStatistics: Hashable, Codable, Sendable {
    /// The number of judged readings.
    package var total: Accuracy
    /// Accuracy by tier.
    package var tiers: [String: Accuracy]
    /// Accuracy of the checked books by confidence, in ten bins of 0...1.
    package var bins: [Bin]
    /// Accuracy by month (UTC), oldest first.
    package var months: [Month]
    /// The results that other thresholds would have given for the same readings.
    package var thresholds: [Threshold]

    package struct Accuracy: Hashable, Codable, Sendable {
        package var reviewed = 0
        package var right = 0

        package init() {}

        /// 0...1; `nil` without a reading.
        package var share: Double? { reviewed == 0 ? nil : Double(right) / Double(reviewed) }

        mutating func count(_ isRight: Bool) {
            reviewed += 1
            if isRight { right += 1 }
        }
    }

    package struct Bin: Hashable, Codable, Sendable {
        package var lower: Double
        package var upper: Double
        package var accuracy: Accuracy
    }

    package struct Month: Hashable, Codable, Sendable {
        /// In the form `2026-11`.
        package var month: String
        package var accuracy: Accuracy
        package var tiers: [String: Accuracy]
    }

    package struct Threshold: Hashable, Codable, Sendable {
        package var threshold: Double
        /// Readings at or above the threshold, which would not have been queued.
        package var accepted: Int
        /// The number of these that were wrong.
        package var acceptedWrong: Int
        /// Readings below the threshold, which would have been queued.
        package var asked: Int
    }
}

extension LibraryStore {
    /// Returns accuracy over time, by tier and by confidence.
    ///
    /// Undone decisions do not count, and only the last decision about a detection does.
    package func reviewStatistics() async throws -> ReviewStatistics {
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
        return ReviewStatistics(judged)
    }
}

private struct JudgedReading: LibraryRecord {
    var confidence: Double
    var checked: Bool
    var isRight: Bool
    var at: Date
}

extension ReviewStatistics {
    fileprivate init(_ judged: [JudgedReading]) {
        total = Accuracy()
        tiers = Self.noTiers
        bins = (0..<10).map { Bin(lower: Double($0) / 10, upper: Double($0 + 1) / 10, accuracy: Accuracy()) }
        var months: [String: Month] = [:]
        for reading in judged {
            let tier = ConfidenceTier(confidence: reading.confidence, checked: reading.checked).rawValue
            let month = String(reading.at.formatted(.iso8601).prefix(7))
            total.count(reading.isRight)
            tiers[tier, default: Accuracy()].count(reading.isRight)
            // The tolerance corrects binary rounding: 0.3 * 10 is less than 3.
            if reading.checked { bins[min(9, Int(reading.confidence * 10 + 1e-9))].accuracy.count(reading.isRight) }
            var entry = months[month] ?? Month(month: month, accuracy: Accuracy(), tiers: Self.noTiers)
            entry.accuracy.count(reading.isRight)
            entry.tiers[tier, default: Accuracy()].count(reading.isRight)
            months[month] = entry
        }
        self.months = months.values.sorted { $0.month < $1.month }
        thresholds = stride(from: 40, through: 90, by: 5).map { percent in
            let threshold = Double(percent) / 100
            let accepted = judged.filter { $0.checked && $0.confidence >= threshold }
            return Threshold(
                threshold: threshold, accepted: accepted.count, acceptedWrong: accepted.count { !$0.isRight },
                asked: judged.count - accepted.count)
        }
    }

    private static let noTiers = Dictionary(
        uniqueKeysWithValues: ConfidenceTier.allCases.map { ($0.rawValue, Accuracy()) })
}
