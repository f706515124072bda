import Bibliography
import Foundation
import Hummingbird
import Library
import ShelflistAPI

/// The routes for statistics and the activity log.
struct StatisticsRoutes: Sendable {
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/settings/threshold-preview", needs: .viewer, thresholdPreview)
        table.add(.get, "api/v1/stats", needs: .viewer) { _, _ in try await library.stats() }
        table.add(.get, "api/v1/stats/value", needs: .viewer) { _, _ in try await library.value() }
        table.add(.get, "api/v1/stats/review", needs: .viewer) { _, _ in try await library.reviewStats() }
        table.add(.get, "api/v1/activity", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            let (events, total) = try await library.latestActivity(limit: paging.limit, offset: paging.offset)
            return paging.page(events.map(ActivityMessage.init), total: total)
        }
    }

    private func thresholdPreview(_ request: Request, _ context: AppContext) async throws -> ThresholdMessage {
        guard let wanted = try Query(request).number("threshold", in: 0.4...0.9) else {
            throw Problem.invalidField(
                "threshold", "The query has no threshold. Send one from 0.4 to 0.9.", status: 400)
        }
        let stats = try await library.reviewStats()
        // The results are computed for discrete thresholds; use the nearest.
        let nearest = stats.thresholds.min { abs($0.threshold - wanted) < abs($1.threshold - wanted) }
        let wrong = stats.reviewed - stats.correct
        return ThresholdMessage(
            threshold: nearest?.threshold ?? wanted, reviews: stats.reviewed,
            wouldAsk: nearest?.asked ?? 0, asked: wrong - (nearest?.acceptedWrong ?? 0),
            missed: nearest?.acceptedWrong ?? 0)
    }
}

private struct ThresholdMessage: ResponseEncodable {
    var threshold: Double
    var reviews: Int
    var wouldAsk: Int
    var asked: Int
    var missed: Int
}

private struct ActivityMessage: Encodable {
    var time: Date
    var action: String
    var after: [String: ActivityValue]

    init(_ event: RecordedActivity) { (time, action, after) = (event.at, event.name, event.data) }
}
