import Bibliography
import DelimitedText
import Fixtures
import Foundation
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import TestSupport
import Testing

/// Spine texts and photos of real shelves, beside real catalogs.
///
/// They are their owners' and not part of the repository; without them the tests are skipped. The rates leave a margin
/// below what docs/benchmarks.md reports: these tests detect a regression; they do not measure progress.
@Suite("Real shelves", .whenReadingChanges)
struct BenchTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized
    private static let bench = URL(
        filePath: ProcessInfo.processInfo.environment["SHELFLIST_SHARED"]
            ?? checkout.appending(path: "../shared").standardized.path
    ).appending(path: "bench")
    private static let models = checkout.appending(path: ".deps/models")

    private static func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    @Test(
        "Spine texts: most first matches are right, and confident matches are almost always right",
        .enabled(
            if: isThere(bench.appending(path: "spine_text.csv")), "the folder shared/bench is not beside the checkout")
    )
    func spineTexts() throws {
        let catalog = try Self.catalog(["library_books"])
        let matcher = try SpineMatcher(catalog: catalog)
        var (inside, first, accepted, acceptedRight, outside, falselyAccepted) = (0, 0, 0, 0, 0, 0)
        // Every fifth of the many whose book is in the catalog is enough; of the few others, all are asked for.
        for (number, query) in try Self.texts().enumerated() where number % 5 == 0 || !query.isInCatalog {
            let best = try matcher.matches(for: [ReadText(text: query.text, score: 1)], limit: 1).first
            let isSure = (best?.confidence ?? 0) >= 0.6
            guard query.isInCatalog else {
                outside += 1
                if isSure { falselyAccepted += 1 }
                continue
            }
            let isRight = best.map { Self.isSame($0, query) } ?? false
            inside += 1
            if isRight { first += 1 }
            if isSure { accepted += 1 }
            if isSure, isRight { acceptedRight += 1 }
        }
        #expect(inside > 600)
        #expect(outside > 150)
        #expect(share(first, inside) >= 0.94)
        #expect(share(accepted, inside) >= 0.72)
        #expect(share(acceptedRight, accepted) >= 0.98)
        #expect(share(falselyAccepted, outside) <= 0.08, "\(falselyAccepted) of \(outside)")
    }

    @Test(
        "Photos: most books are found, and confident ones are right, also with a small catalog",
        .enabled(
            if: isThere(bench.appending(path: "photos")) && isThere(models),
            "the folder shared/bench is not beside the checkout, or the models are not set up"),
        arguments: [["shelf_books"], ["shelf_books", "popular_books", "crossing_books"]])
    func photos(_ lists: [String]) async throws {
        let reader = LocalReader(models: Self.models, concurrentPhotos: 1, threads: 2)
        let catalog = try Self.catalog(lists)
        let identifier = BookIdentifier(catalog: { catalog.snapshot })
        var (legible, accepted, right) = (0, 0, 0)
        for name in ["home_0", "insight_2"] {
            let label = try JSONDecoder().decode(
                Label.self, from: Data(contentsOf: Self.bench.appending(path: "labels/\(name).json")))
            let bytes = [UInt8](try Data(contentsOf: Self.bench.appending(path: "photos/\(label.photo)")))
            let pyramid = ImagePyramid(try PhotoDecoder.decode(bytes, limits: PhotoLimits()).image)
            let books = try identifier.identify(await reader.read(pyramid), in: pyramid.size).books
            let titles = label.books.map { Self.main($0.title) }
            let sure = books.filter { $0.confidence >= 0.6 }
            legible += label.books.count { $0.legible }
            accepted += sure.count
            right += sure.count { titles.contains(Self.main($0.title ?? "")) }
            #expect(sure.allSatisfy { !$0.matches.isEmpty }, "nothing is sure without a record")
        }
        #expect(legible > 25)
        #expect(share(right, legible) >= 0.75, "\(right) of \(legible)")
        #expect(share(right, accepted) >= 0.9, "\(right) of \(accepted)")
    }

    private func share(_ part: Int, _ whole: Int) -> Double { Double(part) / Double(max(1, whole)) }

    private struct Label: Decodable {
        struct Book: Decodable {
            var title: String
            var legible: Bool
        }

        var photo: String
        var books: [Book]
    }

    private struct Text {
        var text: String
        var title: String
        var author: String
        var isInCatalog: Bool
    }

    private static func catalog(_ lists: [String]) throws -> InMemoryCatalog {
        var records: [BookRecord] = []
        for list in lists {
            records += try CatalogCSV.records(
                from: [UInt8](Data(contentsOf: bench.appending(path: "catalog/\(list).csv"))))
        }
        for index in records.indices { records[index].id = "\(index)" }
        return InMemoryCatalog(records: records)
    }

    private static func texts() throws -> [Text] {
        var parser = CSVParser()
        var texts: [Text] = []
        let add = { (row: CSVParser.Row) in
            guard row.fields.count == 5, row.fields[4] == "yes" || row.fields[4] == "no" else { return }
            texts.append(
                Text(
                    text: row.fields[1], title: row.fields[2], author: row.fields[3],
                    isInCatalog: row.fields[4] == "yes"))
        }
        try parser.parse(Data(contentsOf: bench.appending(path: "spine_text.csv")), onRow: add)
        try parser.finish(onRow: add)
        return texts
    }

    /// As `evaluate_matching.py` judges: the same title with its subtitle, and a word of the author's surname.
    private static func isSame(_ match: BookMatch, _ text: Text) -> Bool {
        let title = TextNormalisation.words([match.title, match.subtitle ?? ""].joined(separator: " "))
        let surname = text.author.split(separator: ",").first.map(String.init) ?? ""
        let wanted = Set(TextNormalisation.words(surname).filter { $0.count > 2 })
        return title == TextNormalisation.words(text.title)
            && (wanted.isEmpty || !wanted.isDisjoint(with: TextNormalisation.words(match.author ?? "")))
    }

    private static func main(_ title: String) -> String { TextNormalisation.fold(Title(title).main) }
}
