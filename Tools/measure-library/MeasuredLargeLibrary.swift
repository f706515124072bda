import Fixtures
import Foundation
import Library
import ShelflistAPI

/// The pages of a library of 50,000 copies on 2,400 shelves, in seconds of processor time.
struct MeasuredLargeLibrary {
    static let books = 50_000
    /// The innermost shelves; 444 others are around them.
    static let boards = 2000

    let store: LibraryStore

    /// Imports a list of the copies with their places.
    func fill() async throws {
        var random = SeededGenerator(seed: 4)
        let rows = (0..<Self.books).map { number in
            let title = "\(MeasureLibrary.word(&random)) of \(MeasureLibrary.word(&random)) \(number)"
            let author = "\(MeasureLibrary.word(&random)) \(MeasureLibrary.word(&random))"
            return "\(title),\(author),\(Self.place(number)),\(number % 1000) \(number)"
        }
        let list = Array("title,author,shelf,call number\n\(rows.joined(separator: "\n"))\n".utf8)
        let report = try await store.importBooks(list, name: "large.csv")
        precondition(report.added == Self.books, "every row is a book")
    }

    static func place(_ number: Int) -> String {
        "House \(number % 4) / Room \(number % 40 / 4) / Case \(number % 400 / 40) / Board \(number % boards / 400)"
    }

    /// Measures each page `rounds` times.
    func measure(rounds: Int) async throws -> [String: [Double]] {
        var times: [String: [Double]] = [:]
        func time(_ name: String, _ work: () async throws -> Void) async throws {
            let start = Self.processorSeconds
            try await work()
            times[name, default: []].append(Self.processorSeconds - start)
        }
        func page(_ sort: LibraryQuery.Sort, offset: Int) async throws {
            var query = EntryQuery(sort: sort, limit: 50)
            query.offset = offset
            let (entries, total) = try await store.entries(query)
            precondition(entries.count == 50 && total == Self.books, "a whole page")
        }
        for _ in 0..<rounds {
            try await time("first page by shelf") { try await page(.shelf, offset: 0) }
            try await time("last page by shelf") { try await page(.shelf, offset: Self.books - 50) }
            try await time("first page by title") { try await page(.title, offset: 0) }
            try await time("last page by title") { try await page(.title, offset: Self.books - 50) }
            try await time("label of one copy") {
                var query = EntryQuery(sort: .shelf)
                query.ids = [RowID(17)]
                let copies = try await store.entries(query).entries
                precondition(copies.map(\.id) == ["17"], "one copy")
            }
            try await time("first page of 500 shelves") { _ = try await store.shelves(limit: 500, offset: 0) }
            try await time("last page of 500 shelves") { _ = try await store.shelves(limit: 500, offset: 2000) }
            try await time("whole list by shelf") { _ = try await store.entries(EntryQuery(sort: .shelf)) }
        }
        return times
    }

    /// The processor time of this process, all threads.
    private static var processorSeconds: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
