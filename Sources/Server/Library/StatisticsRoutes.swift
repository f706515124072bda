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
        table.add(.get, "api/v1/stats", needs: .viewer, stats)
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

    private func stats(_ request: Request, _ context: AppContext) async throws -> StatsMessage {
        let entries = try await library.entries().entries
        func counted(_ keys: some Sequence<String>) -> [CountMessage] {
            Dictionary(grouping: keys, by: { $0 }).map { CountMessage(key: $0.key, count: $0.value.count) }
                .sorted { ($1.count, $0.key) < ($0.count, $1.key) }
        }
        let month = Date.ISO8601FormatStyle().year().month()
        var message = StatsMessage()
        message.entries = entries.count
        message.works = Set(entries.map(\.work)).count
        message.authors = try await library.authors().count
        message.shelves = try await library.shelves().count
        message.byShelf = counted(entries.map { $0.shelfName ?? "" })
        message.byStatus = counted(
            entries.map { $0.ownership == .owned ? $0.reading.map(\.apiName) ?? "none" : $0.ownership.rawValue }
        )
        message.byDecade = counted(entries.compactMap { $0.year.map { "\($0 / 10 * 10)" } }).sorted { $0.key < $1.key }
        message.byAuthor = Array(counted(entries.flatMap(\.authors)).prefix(20))
        message.addedByMonth = counted(entries.map { $0.addedAt.formatted(month) }).sorted { $0.key < $1.key }
        message.photos = try await library.photos().filter { $0.shownFile != nil }.count
        let folder = library.folder
        message.storageBytes = .init(
            photos: try Self.size(of: folder.photos), covers: try Self.size(of: folder.covers),
            database: try Self.bytes(of: folder.database)
                + Self.bytes(of: URL(filePath: folder.database.path + "-wal")))
        return message
    }

    private static func size(of folder: URL) throws -> Int {
        do {
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
                .reduce(0) { $0 + (try bytes(of: $1)) }
        } catch CocoaError.fileReadNoSuchFile {
            // The folder is created with its first file.
            return 0
        }
    }

    private static func bytes(of file: URL) throws -> Int {
        do {
            return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        } catch CocoaError.fileReadNoSuchFile {
            // The file was deleted after the folder was listed.
            return 0
        }
    }
}

private struct ThresholdMessage: ResponseEncodable {
    var threshold: Double
    var reviews: Int
    var wouldAsk: Int
    var asked: Int
    var missed: Int
}

private struct StatsMessage: ResponseEncodable {
    struct Storage: Encodable {
        var photos = 0
        var covers = 0
        var database = 0
    }

    var entries = 0
    var works = 0
    var authors = 0
    var shelves = 0
    var byShelf: [CountMessage] = []
    var byStatus: [CountMessage] = []
    var byDecade: [CountMessage] = []
    var byAuthor: [CountMessage] = []
    var addedByMonth: [CountMessage] = []
    var photos = 0
    var storageBytes = Storage()
}

private struct ActivityMessage: Encodable {
    var time: Date
    var action: String
    var after: [String: ActivityValue]

    init(_ event: RecordedActivity) { (time, action, after) = (event.at, event.name, event.data) }
}
