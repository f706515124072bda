import ArgumentParser
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryStatsCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show how many books there are, how they came, and what became of scans.",
        discussion: "The figures are counted from the library and its activity log, and are sent nowhere.")

    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let stats = try await client.library.stats()
        options.show(stats) { Self.lines(stats) }
    }

    private static func lines(_ stats: LibraryStats) -> [String] {
        var lines = [
            "\(stats.entries) books, \(stats.authors) authors, \(stats.shelves) shelves, \(stats.photos) photos"
        ]
        if !stats.bySource.isEmpty {
            let sources = stats.bySource.map { (EntrySource(rawValue: $0.key)?.words ?? $0.key, $0.count) }
            lines += [""] + table("added", sources)
        }
        if !stats.byStatus.isEmpty { lines += [""] + table("status", stats.byStatus.map { ($0.key, $0.count) }) }
        guard !stats.scansByMonth.isEmpty else { return lines }
        let scans = TerminalTable(
            columns: [
                .init("month", atLeast: 10), .init("scans", isRightAligned: true),
                .init("completed", isRightAligned: true),
            ],
            rows: stats.scansByMonth.map { [.init($0.month), .init("\($0.started)"), .init("\($0.completed)")] })
        return lines + [""] + scans.onTerminal()
    }

    private static func table(_ name: String, _ counts: [(name: String, count: Int)]) -> [String] {
        TerminalTable(
            columns: [.init(name, atLeast: 10), .init("books", isRightAligned: true)],
            rows: counts.map { [.init($0.name), .init("\($0.count)")] }
        ).onTerminal()
    }
}

extension EntrySource {
    fileprivate var words: String {
        switch self {
        case .photo: "by photo"
        case .barcode: "by barcode"
        case .list: "by list"
        case .hand: "by hand"
        }
    }
}
