import ArgumentParser
import Bibliography
import Bounds
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

struct ReviewStatsCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how often the reader was right, by tier, confidence and month.",
        discussion: """
            A reading counts as right if you changed neither title nor author. Only reviewed books count. The last table \
            shows the effect of other thresholds; set one with: shelflist library settings --threshold 0.6 \
            Books that were not checked always need review; they count in the tiers and months, and as asked.
            """)

    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let stats = try await client.review.stats()
        options.show(stats) { Self.lines(stats) }
    }

    private static func lines(_ stats: ReviewStats) -> [String] {
        guard stats.reviewed > 0 else { return ["Nothing was reviewed yet."] }
        let tiers = stats.byTier.map { row in
            let mark = ConfidenceTier(rawValue: row.tier).map { $0.mark + " " } ?? ""
            return Row(name: mark + row.tier, reviewed: row.reviewed, correct: row.correct)
        }
        let all = Row(name: "all", reviewed: stats.reviewed, correct: stats.correct)
        let bins = stats.byConfidence.filter { $0.reviewed > 0 }.map {
            Row(name: "\(percent($0.from))–\(percent($0.to))", reviewed: $0.reviewed, correct: $0.correct)
        }
        let months = stats.byMonth.map { Row(name: $0.month, reviewed: $0.reviewed, correct: $0.correct) }
        let thresholds = TerminalTable(
            columns: [
                .init("threshold"), .init("not asked", isRightAligned: true),
                .init("wrong among them", isRightAligned: true), .init("asked", isRightAligned: true), .init(""),
            ],
            rows: stats.thresholds.map {
                [
                    .init(String(format: "%.2f", $0.threshold)), .init(String($0.accepted)),
                    .init(String($0.acceptedWrong)),
                    .init(String($0.asked)), .init(abs($0.threshold - stats.threshold) < 0.001 ? "now" : "", .dim),
                ]
            })
        return table("tier", tiers + [all]) + [""] + table("confidence", bins) + [""]
            + table("month", months) + [""] + thresholds.onTerminal()
    }

    private struct Row {
        var name: String
        var reviewed: Int
        var correct: Int

        /// 0...1; nil without a reading.
        var share: Double? { reviewed == 0 ? nil : Double(correct) / Double(reviewed) }
    }

    private static func table(_ name: String, _ rows: [Row]) -> [String] {
        TerminalTable(
            columns: [
                .init(name), .init("reviewed", isRightAligned: true), .init("right", isRightAligned: true), .init(""),
            ],
            rows: rows.map { row in
                [
                    .init(row.name), .init(String(row.reviewed)), .init(row.share.map(percent) ?? "–"),
                    .init(String(repeating: "█", count: Int(saturating: ((row.share ?? 0) * 20).rounded())), .dim),
                ]
            }
        ).onTerminal()
    }

    private static func percent(_ share: Double) -> String { "\(Int(saturating: (share * 100).rounded())) %" }
}
