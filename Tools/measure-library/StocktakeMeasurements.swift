import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import ShelflistAPI

/// What several people wait for during a stocktake of 50,000 copies on 2,444 shelves.
///
/// Each operation has its seconds of processor time and of the clock.
struct StocktakeMeasurements {
    private static let books = 50_000
    /// Of a page, as the web app asks for it.
    private static let spines = 100

    let store: LibraryStore

    /// Imports a list of the copies with their places and barcodes.
    func fill() async throws {
        var random = SeededGenerator(seed: 5)
        let rows = (0..<Self.books).map { number in
            let title = "\(MeasureLibrary.word(&random)) of \(MeasureLibrary.word(&random)) \(number)"
            let author = "\(MeasureLibrary.word(&random)) \(MeasureLibrary.word(&random))"
            let board = "Board \(number % 2000 / 400)"
            let place = "House \(number % 4) / Room \(number % 40 / 4) / Case \(number % 400 / 40) / \(board)"
            return "\(title),\(author),\(place),b\(number)"
        }
        let list = Array("title,author,shelf,barcode\n\(rows.joined(separator: "\n"))\n".utf8)
        let report = try await store.importBooks(list, name: "large.csv")
        precondition(report.added == Self.books, "every row is a book")
    }

    /// Measures stocktakes of all copies, one after the other.
    func measure(rounds: Int) async throws -> [String: [Double]] {
        var times: [String: [Double]] = [:]
        func time<Result>(_ name: String, _ work: () async throws -> Result) async throws -> Result {
            let (clock, processor) = (ContinuousClock.now, Self.processorSeconds)
            let result = try await work()
            times["\(name), processor", default: []].append(Self.processorSeconds - processor)
            times["\(name), clock", default: []].append((ContinuousClock.now - clock) / .seconds(1))
            return result
        }
        for round in 0..<rounds {
            let started = try await time("start a stocktake") {
                try await store.startStocktake(named: "Round \(round)", of: .everything, by: nil)
            }
            guard let id = RowID<Stocktake>(started.id) else { preconditionFailure("It has a number.") }
            // Half of the copies are seen.
            for first in stride(from: 1, to: Self.books / 2, by: 5000) {
                _ = try await store.see((first..<first + 5000).map { RowID(Int64($0)) }, in: id)
            }
            try await photograph(round)
            for number in 0..<10 {
                try await time("scan a barcode") {
                    let copy = try await store.copy(withBarcode: "b\(Self.books - 1 - number)")
                    let seen = try await store.see([copy], in: id, by: .barcode)
                    precondition(seen.changed == 1, "it was not seen before")
                }
            }
            try await time("page of \(Self.spines) unsure spines") {
                let page = try await store.unsureSpines(of: id, on: nil, limit: Self.spines, offset: 0)
                precondition(page.spines.count == Self.spines, "a whole page")
            }
            try await measureReading(of: id, "an open stocktake", time)
            let token = UndoToken()
            _ = try await time("close a stocktake") { try await store.actions(as: token).closeStocktake(id) }
            try await time("undo the closing") { _ = try await store.undo(token) }
            _ = try await store.closeStocktake(id)
            try await measureReading(of: id, "a closed stocktake", time)
            // The next round has no copies that are missing.
            try await time("remove a stocktake") { try await store.removeStocktake(id) }
            let missing = (Self.books / 2..<Self.books + 1).map { RowID<LibraryEntry>(Int64($0)) }
            _ = try await store.updateAll(missing) { $0.setMissing(false) }
        }
        return times
    }

    private func measureReading(
        of id: RowID<Stocktake>, _ name: String,
        _ time: (String, () async throws -> Void) async throws -> Void
    ) async throws {
        try await time("list of stocktakes with \(name)") {
            let list = try await store.stocktakes(limit: 50, offset: 0)
            precondition(list.stocktakes.contains { $0.counts.expected >= Self.books }, "one of everything")
        }
        try await time("first page of the report of \(name)") {
            _ = try await store.stocktake(id, states: [.misplaced, .unseen, .lent, .missing], limit: 500)
        }
        let first = try await store.copies(of: id, limit: 500)
        try await time("next page of the report of \(name)") {
            let page = try await store.copies(of: id, from: first.next, limit: 500)
            precondition(page.copies.count == 500, "a whole page")
        }
    }

    /// Adds a photo of spines of which the catalog knows none, most of them misread.
    private func photograph(_ round: Int) async throws {
        var random = SeededGenerator(seed: UInt64(6 + round))
        let spines = (0..<Self.spines).map { number in
            let text = "\(MeasureLibrary.word(&random)) \(MeasureLibrary.word(&random)) \(MeasureLibrary.word(&random))"
            return DetectedBook(
                id: "\(number)", title: text, confidence: 0.3, checked: false, reviewStatus: .needsReview,
                outline: SpineOutline(UnitRect(x: Double(number) / 120, y: 0.1, width: 0.007, height: 0.8)),
                text: [ReadText(text: text, score: 0.5)], matches: [])
        }
        _ = try await store.importScan(
            ScanImport(
                job: "round \(round)", stored: nil, size: PixelSize(width: 4000, height: 3000), books: spines))
    }

    /// The processor time of this process, all threads.
    private static var processorSeconds: Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
