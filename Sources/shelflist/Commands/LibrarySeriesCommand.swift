import ArgumentParser
import Bibliography
import Bounds
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibrarySeriesCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "series", abstract: "List the series of your books, and what is missing of them.",
        discussion: """
            Missing are the whole numbers between 1 and the highest volume that you have, or the number of volumes if you \
            enter it. Nothing is missing of a series that is complete, nor of one with many more gaps than books, as \
            publishers' series are, unless you enter its number of volumes.

              shelflist library series --gaps
              shelflist library series Earthsea --volumes 6 --wish
              shelflist library edit BOOK --series Earthsea --series-number 3
            """)

    @Argument(help: "A series: its name or a part of it, or its number in the list. (default: all)") var series: String?
    @Flag(help: "Only series of which volumes are missing.") var gaps = false
    @Flag(help: "Put the missing volumes of the series on the wish list.") var wish = false
    @Option(help: "How many volumes the series has, 1 to 1000; 0 if that is not known.") var volumes: Int?
    @Flag(inversion: .prefixedNo, help: "Whether the series is complete for you, so that nothing is missing.")
    var complete: Bool?
    @Option(help: "A new name for the series. That of another series joins both.") var rename: String?
    @OptionGroup var options: LibraryOptions

    private var changes: Bool { wish || volumes != nil || complete != nil || rename != nil }

    func validate() throws {
        if changes, series == nil { throw ValidationError("Name the series to change.") }
        if gaps, series != nil { throw ValidationError("--gaps lists series. Leave out the name.") }
    }

    func run(_ client: ShelflistClient) async throws {
        guard let series else {
            var list: [BookSeries] = []
            for try await one in client.library.series(withGaps: gaps) { list.append(one) }
            return options.show(Document(series: list)) { Self.lines(list, gaps: gaps) }
        }
        var chosen = try await client.library.existingSeries(named: series)
        if volumes != nil || complete != nil || rename != nil {
            var change = SeriesChange()
            if let volumes { change.volumes = volumes == 0 ? .clear : .set(volumes) }
            (change.complete, change.name) = (complete, rename)
            chosen = try await client.library.change(series: chosen.id, change)
        }
        if wish { try await client.library.wish(forVolumes: chosen.missing, ofSeries: chosen.id) }
        let shown = try await client.library.series(chosen.id)
        options.show(shown) { Self.lines(shown) }
    }

    private struct Document: Encodable {
        var series: [BookSeries]
    }

    private static func lines(_ list: [BookSeries], gaps: Bool) -> [String] {
        guard !list.isEmpty else { return [gaps ? "Nothing is missing of any series." : "No book is in a series."] }
        let table = TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("series", atLeast: 20),
                .init("author", atLeast: 12, dropped: 1),
                .init("books", isRightAligned: true), .init("missing", atLeast: 10),
            ],
            rows: list.map { one in
                [
                    .init(one.id, .dim), .init(one.name), .init(one.authors.first ?? "", .dim),
                    .init(String(one.owned)),
                    .init(one.complete ? "complete" : numbers(one.missing), one.complete ? .dim : .yellow),
                ]
            })
        return table.onTerminal()
    }

    private static func lines(_ series: BookSeries) -> [String] {
        let table = TerminalTable(
            columns: [
                .init("no.", isRightAligned: true), .init("title", atLeast: 20), .init("author", atLeast: 12),
                .init(""),
            ],
            rows: (series.books ?? []).map { book in
                [
                    .init(book.seriesNumber ?? "", .dim), .init(book.title), .init(book.author, .dim),
                    .init(book.ownership == .wishlist ? "wish list" : book.shelf?.path ?? "", .dim),
                ]
            })
        let state = series.complete ? ", complete" : series.volumes.map { ", \($0) volumes" } ?? ""
        let missing = series.missing.isEmpty ? [] : ["Missing: \(numbers(series.missing))"]
        return ["\(TerminalText.safe(series.name))\(state)"] + table.onTerminal() + missing
    }

    /// Returns `1-3, 5`.
    private static func numbers(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = ClosedRange(ordered: last.lowerBound, number)
            } else {
                ranges.append(ClosedRange(ordered: number, number))
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }
}

extension LibraryRequests {
    /// Returns the series with that number or name; a part of a name suffices if no other series has it.
    ///
    /// - Throws: `CommandError` if there is none or several.
    func existingSeries(named text: String) async throws -> BookSeries {
        var list: [BookSeries] = []
        for try await one in series() { list.append(one) }
        let folded = TextNormalisation.fold(text)
        func named(_ matches: (String) -> Bool) -> [BookSeries] {
            list.filter { matches(TextNormalisation.fold($0.name)) }
        }
        let found =
            [list.filter { $0.id == text }, named { $0 == folded }, named { $0.contains(folded) }]
            .first { !$0.isEmpty } ?? []
        guard found.count == 1, let one = found.first else {
            let names = found.prefix(10).map { "“\(TerminalText.safe($0.name))”" }.joined(separator: ", ")
            let shown = TerminalText.safe(text)
            throw CommandError(
                found.isEmpty
                    ? "There is no series “\(shown)”. 'shelflist library series' lists them."
                    : "“\(shown)” is in the names of several series: \(names). Write one of them.")
        }
        return one
    }
}
