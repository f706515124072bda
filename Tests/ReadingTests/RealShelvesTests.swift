import Bibliography
import Fixtures
import Foundation
import Reading
import TestSupport
import Testing

/// Photos of real shelves, with labels and a script that scores: not part of the repository.
///
/// They lie in `shared` beside the checkout, or where `SHELFLIST_SHARED` says.
enum Bench {
    static let folder: URL? = {
        let environment = ProcessInfo.processInfo.environment["SHELFLIST_SHARED"].map { URL(filePath: $0) }
        // Without the example photo there is no checkout to look beside; the tests of the example say so.
        let beside = try? ExampleScan.checkout().deletingLastPathComponent().appending(path: "shared")
        return [environment, beside].compactMap { $0?.appending(path: "bench") }.first {
            FileManager.default.fileExists(atPath: $0.appending(path: "evaluate.py").path)
        }
    }()

    static func photos(in bench: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: bench.appending(path: "photos"), includingPropertiesForKeys: nil
        )
        .sorted { $0.path < $1.path }
    }

    /// The figures that the scoring script prints on its last line.
    static func score(_ result: ScanResult, in bench: URL) throws -> [String: Double] {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "results.json")
        try JSONEncoder().encode(result).write(to: file)
        let (status, text) = try ChildProcess.output(
            of: ["python3"] + ["evaluate.py", "labels"].map { bench.appending(path: $0).path } + [file.path])
        try #require(status == 0)
        let last = try #require(text.split(separator: "\n").last)
        // Python's word for a share of nothing.
        let json = Data(last.replacing("NaN", with: "null").utf8)
        return try JSONDecoder().decode([String: Double?].self, from: json).compactMapValues(\.self)
    }
}

extension Reading {
    @Suite(
        "Real shelves", .onlyThoroughly,
        .enabled(if: Bench.folder != nil, "there is no ../shared/bench; SHELFLIST_SHARED may name the folder shared"))
    struct RealShelvesTests {}
}

extension Reading.RealShelvesTests {
    @Test("With a catalog of most books, books are found and confident ones are rarely wrong")
    func withCatalog() async throws {
        let bench = try #require(Bench.folder)
        let list = try Data(contentsOf: bench.appending(path: "catalog/shelf_books.csv"))
        let figures = try await scan(bench, knowing: CatalogCSV.records(from: list))
        #expect(figures["photos_missing"] == 0)
        #expect(figures["lines", default: 0] >= 0.91)
        #expect(figures["recall", default: 0] >= 0.86)
        #expect(figures["accepted_precision", default: 0] >= 0.95)
        #expect(figures["box", default: 0] >= 0.85)
    }

    @Test("Without a catalog, more than half of the books are read and none is confident")
    func withoutCatalog() async throws {
        let bench = try #require(Bench.folder)
        let figures = try await scan(bench, knowing: nil)
        #expect(figures["recall", default: 0] >= 0.55)
        #expect(figures["box", default: 0] >= 0.85)
        #expect(figures["accepted_recall", default: 1] == 0)
    }

    private func scan(_ bench: URL, knowing records: [BookRecord]?) async throws -> [String: Double] {
        let scanner = try ExampleScan.scanner(knowing: records)
        var result = ScanResult(photos: [])
        for photo in try Bench.photos(in: bench) {
            result.photos.append(
                try await scanner.read([UInt8](Data(contentsOf: photo)), name: photo.lastPathComponent))
        }
        let figures = try Bench.score(result, in: bench)
        let list = figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("real shelves, \(records == nil ? "no catalog" : "with a catalog"): \(list)")
        return figures
    }
}
