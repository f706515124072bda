import ArgumentParser
import Bibliography
import Foundation
import Library

struct ReviewStatsCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how often the reader was right, by tier, confidence and month.",
        discussion: """
            A reading counts as right if you changed neither title nor author. Only reviewed books count. The last table \
            shows the effect of other thresholds; set one with: shelflist library settings --threshold 0.6 \
            Books that were not checked always need review; they count in the tiers and months, and as asked.
            """)

    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "The web app shows these statistics"

    func run(_ store: LibraryStore) async throws {
        let statistics = try await store.reviewStatistics()
        let threshold = try await store.reviewThreshold()
        options.show(statistics) { Self.lines(statistics, threshold) }
    }

    private static func lines(_ statistics: ReviewStatistics, _ threshold: Double) -> [String] {
        guard statistics.total.reviewed > 0 else { return ["Nothing was reviewed yet."] }
        let tiers = ConfidenceTier.allCases.map { tier in
            ("\(tier.mark) \(tier.rawValue)", statistics.tiers[tier.rawValue] ?? .init())
        }
        let bins = statistics.bins.filter { $0.accuracy.reviewed > 0 }.map {
            ("\(percent($0.lower))–\(percent($0.upper))", $0.accuracy)
        }
        let months = statistics.months.map { ($0.month, $0.accuracy) }
        let thresholds = TerminalTable(
            columns: [
                .init("threshold"), .init("not asked", isRightAligned: true),
                .init("wrong among them", isRightAligned: true), .init("asked", isRightAligned: true), .init(""),
            ],
            rows: statistics.thresholds.map {
                [
                    .init(String(format: "%.2f", $0.threshold)), .init(String($0.accepted)),
                    .init(String($0.acceptedWrong)),
                    .init(String($0.asked)), .init(abs($0.threshold - threshold) < 0.001 ? "now" : "", .dim),
                ]
            })
        return table("tier", tiers + [("all", statistics.total)]) + [""] + table("confidence", bins) + [""]
            + table("month", months) + [""] + thresholds.onTerminal()
    }

    private static func table(_ name: String, _ rows: [(String, ReviewStatistics.Accuracy)]) -> [String] {
        TerminalTable(
            columns: [
                .init(name), .init("reviewed", isRightAligned: true), .init("right", isRightAligned: true), .init(""),
            ],
            rows: rows.map { name, accuracy in
                [
                    .init(name), .init(String(accuracy.reviewed)), .init(accuracy.share.map(percent) ?? "–"),
                    .init(String(repeating: "█", count: Int(((accuracy.share ?? 0) * 20).rounded())), .dim),
                ]
            }
        ).onTerminal()
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
