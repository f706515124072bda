import ArgumentParser
import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import ShelflistAPI

/// Measures the operations that users wait for in a large library; Benchmarks/run.sh library records the figures.
@main
struct MeasureLibrary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure-library", abstract: "Measure a library of many generated books; print JSON.")

    @Option(help: "Number of books.") var books = 10_000
    @Option(help: "Repetitions of each operation.") var rounds = 15
    @Option(help: "Photo from which spines are cropped.") var photo: String?
    @Option(help: "Number of shelves. Measures them instead of the list and the queue.") var shelves: Int?
    @Flag(help: "Measure the processor time of pages with 50,000 copies on 2,400 shelves instead.") var large = false

    @Flag(help: "Measures a stocktake of 50,000 copies on 2,444 shelves instead.") var stocktake = false

    func run() async throws {
        let folder = LibraryFolder(
            FileManager.default.temporaryDirectory.appending(path: "measure-\(UUID().uuidString)"))
        defer {
            do { try FileManager.default.removeItem(at: folder.url) } catch { print("left behind: \(folder.url.path)") }
        }
        var times: [String: [Double]] = [:]
        if stocktake {
            let stocktakes = StocktakeMeasurements(store: try LibraryStore(folder: folder))
            times["import"] = [try await seconds { try await stocktakes.fill() }]
            times.merge(try await stocktakes.measure(rounds: rounds), uniquingKeysWith: +)
            return try Self.show(times)
        }
        if let shelves {
            let places = MeasuredPlaces(store: try LibraryStore(folder: folder), shelves: shelves, books: books)
            times["import"] = [try await seconds { try await places.fill() }]
            for round in 0..<rounds { times.merge(try await places.measure(round, seconds), uniquingKeysWith: +) }
            return try Self.show(times)
        }
        if large {
            let library = MeasuredLargeLibrary(store: try LibraryStore(folder: folder))
            times["import"] = [try await seconds { try await library.fill() }]
            times.merge(try await library.measure(rounds: rounds)) { $1 }
            return try Self.show(times)
        }
        times["import"] = [try await seconds { try await fill(folder) }]
        times["list"] = [try await takeList(into: folder.url.appending(path: "lists"))]
        for _ in 0..<rounds { try await round(folder, &times) }
        if let photo { try await crops([UInt8](try Data(contentsOf: URL(filePath: photo))), folder, &times) }
        try Self.show(times)
    }

    private static func show(_ times: [String: [Double]]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(times), as: UTF8.self))
    }

    /// A hundred books per photo; three of ten need review.
    private func fill(_ folder: LibraryFolder) async throws {
        var random = SeededGenerator(seed: 1)
        let store = try LibraryStore(folder: folder)
        for start in stride(from: 0, to: books, by: 100) {
            let found = (start..<min(start + 100, books)).map { number in
                let title = "\(Self.word(&random)) and \(Self.word(&random)) \(number)"
                let author = "\(Self.word(&random)) \(Self.word(&random))"
                let confidence = Double.random(in: 0.43...1, using: &random)
                let others = (0..<4).map { _ in
                    BookMatch(title: Self.word(&random), author: Self.word(&random), confidence: 0.2, source: "local")
                }
                return DetectedBook(
                    id: "\(number)", title: title, author: author, confidence: confidence, checked: true,
                    reviewStatus: .needsReview,
                    outline: SpineOutline(UnitRect(x: Double(number % 100) / 100, y: 0.1, width: 0.01, height: 0.8)),
                    text: (0..<4).map { _ in ReadText(text: Self.word(&random), score: 0.9) },
                    matches: [BookMatch(title: title, author: author, confidence: confidence, source: "local")] + others
                )
            }
            _ = try await store.importScan(
                ScanImport(
                    job: "\(start)", stored: nil, size: PixelSize(width: 4000, height: 3000), books: found))
        }
    }

    /// Imports a list of as many books into an empty library.
    ///
    /// - Returns: the seconds.
    private func takeList(into url: URL) async throws -> Double {
        var random = SeededGenerator(seed: 2)
        let rows = (0..<books).map { number in
            let title = "\(Self.word(&random)) and \(Self.word(&random)): \(Self.word(&random))"
            return "\(title),\(Self.word(&random)) \(Self.word(&random)),\(1900 + number % 120)"
        }
        let list = Array("title,author,year\n\(rows.joined(separator: "\n"))\n".utf8)
        let store = try LibraryStore(folder: LibraryFolder(url))
        return try await seconds {
            let report = try await store.importBooks(list, name: "list.csv")
            precondition(report.added == books, "every row is a book")
        }
    }

    static func word(_ random: inout SeededGenerator) -> String {
        let letters = (0..<Int.random(in: 4...9, using: &random)).map { _ in
            "abcdefghilmnoprstuv".randomElement(using: &random) ?? "a"
        }
        return String(letters).capitalized
    }

    private func round(_ folder: LibraryFolder, _ times: inout [String: [Double]]) async throws {
        func time(_ name: String, _ work: () async throws -> Void) async throws {
            times[name, default: []].append(try await seconds(work))
        }
        try await time("open and list all") {
            let page = try await LibraryStore(folder: folder).entries()
            precondition(page.entries.count == books, "the whole library")
        }
        let store = try LibraryStore(folder: folder)
        try await time("list a page of 50") { _ = try await store.entries(EntryQuery(limit: 50)) }
        try await time("search") { _ = try await store.entries(EntryQuery(text: "ma", limit: 50)) }
        try await time("queue with counts") {
            _ = try await store.reviewCounts()
            _ = try await store.inbox()
        }
        try await time("open and load the queue") {
            let fresh = try LibraryStore(folder: folder)
            _ = try await fresh.reviewCounts()
            _ = try await fresh.inbox()
        }
        let waiting = try await store.inbox(InboxFilter(kinds: [.detection]), limit: 1).items
        guard let book = waiting.first?.entryId.flatMap({ RowID<LibraryEntry>($0) }) else {
            preconditionFailure("Some books need review.")
        }
        try await time("verify") { _ = try await store.verify(book) }
        _ = try await store.undo()
    }

    private func crops(_ bytes: [UInt8], _ folder: LibraryFolder, _ times: inout [String: [Double]]) async throws {
        let store = try LibraryStore(folder: folder)
        let stored = try await store.storePhoto(bytes)
        let size = try PhotoDecoder.decode(bytes).originalSize
        let spines = (0..<20).map { number in
            DetectedBook(
                id: "\(number)", title: "Spine number \(number) of the photo", confidence: 0.5, checked: true,
                reviewStatus: .needsReview,
                outline: SpineOutline(UnitRect(x: 0.05 * Double(number), y: 0.1, width: 0.045, height: 0.8)),
                text: [], matches: [])
        }
        let report = try await store.importScan(
            ScanImport(
                job: "crops", stored: stored, size: size, books: spines))
        let detections = report.books.compactMap(\.detection)
        for round in 0..<rounds {
            let fresh = try LibraryStore(folder: folder)
            times["first spine of a photo", default: []].append(
                try await seconds { _ = try await fresh.spineJPEG(detections[0], turn: .reading) })
            times["next spine of a photo", default: []].append(
                try await seconds { _ = try await fresh.spineJPEG(detections[1 + round % 19], turn: .reading) })
        }
    }

    private func seconds(_ work: () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return (clock.now - start) / .seconds(1)
    }
}
