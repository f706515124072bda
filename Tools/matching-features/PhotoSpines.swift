import Bibliography
import Catalog
import Fixtures
import Foundation
import Identification
import Imaging
import Lookup
import ShelflistAPI
import SpineReading

/// Identifies the spines of photos with increasingly incomplete catalogs.
///
/// Prints one line per photo, catalog and spine: `{"photo", "catalog", "box", "record", "read", …}`.
enum PhotoSpines {
    private struct Spine: Encodable {
        struct Named: Encodable {
            var title: String?
            var author: String?
        }

        var photo: String
        var catalog: String
        var box: UnitRect
        var record: Named?
        var recordFeatures: [Double]
        var highest: Double
        var read: Named
        var readingFeatures: [Double]
        var confidence: Double
        var text: [String]
        /// The ways to read the spine; only without a catalog.
        var readings: [ReadingRow]?
    }

    /// Records to identify with; each `lacking` above 0 hides a different quarter of the titles.
    struct Shown {
        var name: String
        /// Returns the records for a photo, named without its extension; nil for none.
        var records: (_ photo: String) throws -> CatalogSnapshot?
        var lacking = 0

        func snapshot(for photo: String) throws -> CatalogSnapshot? {
            guard var snapshot = try records(photo), lacking > 0 else { return try records(photo) }
            snapshot.search = LackingCatalog(whole: snapshot.search) { [lacking] in share(of: $0, in: lacking) < 0.25 }
            return snapshot
        }
    }

    /// The records that photos are identified with.
    struct Records {
        /// CSV lists; the first is that of the shelves' owners, the second that of a library, the others are lists of
        /// what people read elsewhere.
        var lists: [String] = []
        /// A catalog of millions of editions, of which the shelves' books are a small part.
        var crowd: String?
        /// A folder with a data directory for each photo, in which `scan --online` has kept what it received.
        var searched: String?

        /// Three at a time hide a quarter of the titles each.
        func shown(starterList: String) throws -> [Shown] {
            var whole: [Shown] = []
            func add(_ name: String, lists: some Sequence<String>) throws {
                let snapshot = try Catalog(lists: Array(lists)).snapshot()
                whole.append(Shown(name: name) { _ in snapshot })
            }
            if !lists.isEmpty {
                try add("all lists", lists: lists)
                try add("first list", lists: lists.prefix(1))
                try add("readers", lists: lists.dropFirst(2))
                try add("popular", lists: lists.dropFirst(2).prefix(1))
            }
            if let crowd {
                let snapshot = try Catalog(existingAt: crowd).snapshot()
                whole.append(Shown(name: "crowd") { _ in snapshot })
            }
            if let searched {
                func records(in folder: URL) -> LocalRecords {
                    LocalRecords(
                        data: folder, library: nil, catalog: nil, starterList: URL(filePath: starterList),
                        cache: folder.appending(path: "cache")
                    ) { fatalError($0) }
                }
                let starter = try records(in: URL(filePath: searched).appending(path: "none")).snapshot()
                whole.append(Shown(name: "starter") { _ in starter })
                whole.append(
                    Shown(name: "searched") { photo in
                        try records(in: URL(filePath: searched).appending(path: photo)).snapshot()
                    })
            }
            let lacking = whole.enumerated().flatMap { place, shown in
                (3 * place + 1...3 * place + 3).map {
                    Shown(name: "\(shown.name) but a quarter", records: shown.records, lacking: $0)
                }
            }
            return [Shown(name: "none") { _ in nil }] + whole + lacking
        }
    }

    /// - Parameters:
    ///   - installation: folder with the models (`.deps/models`) and the starter list (`Data/starter.csv.gz`).
    ///   - lines: folder that caches the text read between runs, because reading takes far longer than the rest.
    ///   - roles: the weights for the photos that are named by their file names; the others are read with the built-in ones.
    static func write(
        installation: String, lines: String, photos: some Sequence<String>, records: Records,
        roles held: [String: LinearModel]
    ) async throws {
        let reading = try PhotoReading(models: installation + "/.deps/models", folder: lines)
        var shelves: [(path: String, size: PixelSize, shelf: ReadShelf)] = []
        for path in photos {
            let (size, shelf) = try await reading.shelf(at: path)
            shelves.append((path, size, shelf))
        }
        let model = try MatchingModel.fitted.get()
        for catalog in try records.shown(starterList: installation + "/Data/starter.csv.gz") {
            var identifier: (version: String?, of: BookIdentifier)?
            for (path, size, shelf) in shelves {
                let snapshot = try catalog.snapshot(
                    for: URL(filePath: path).deletingPathExtension().lastPathComponent)
                if identifier == nil || identifier?.version != snapshot?.version {
                    identifier = (snapshot?.version, BookIdentifier(catalog: { snapshot }))
                }
                guard let found = try identifier?.of.identify(shelf, in: size) else { continue }
                for (book, spine) in zip(found.books, found.spines.map(\.judged)) {
                    let record = (spine.belief?.record).map {
                        Spine.Named(title: $0.title, author: $0.authors.joined(separator: ", "))
                    }
                    let roles = try RoleAssignment.assign(
                        spine.lines, by: held[URL(filePath: path).lastPathComponent] ?? model.roles)
                    try printLine(
                        Spine(
                            photo: URL(filePath: path).lastPathComponent,
                            catalog: catalog.name + (catalog.lacking == 0 ? "" : " \(catalog.lacking)"),
                            box: book.boundingBox, record: record, recordFeatures: spine.belief?.features ?? [],
                            highest: spine.belief?.highest ?? 1,
                            read: Spine.Named(title: roles.title, author: roles.author),
                            readingFeatures: ReadingFeatures.values(
                                roles, spine.lines, besideCatalog: snapshot?.checks ?? false),
                            confidence: book.confidence,
                            text: spine.lines.map(\.line.text),
                            readings: snapshot == nil ? ReadingRow.all(of: spine.lines) : nil))
                }
            }
        }
    }

    /// Returns 0..<1, the same for all editions of a title, different for each variant.
    private static func share(of record: BookRecord, in variant: Int) -> Double {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(variant) &* 0x9E37_79B9_7F4A_7C15
        for byte in TextNormalisation.fold(Title(record.title).main).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        hash ^= hash >> 32
        return Double((hash &* 0x9E37_79B9_7F4A_7C15) >> 11) / Double(1 << 53)
    }
}

/// A catalog that hides some of its records; the number of works and the word frequencies are those of the full
/// catalog.
struct LackingCatalog: RecordSearch {
    let whole: any RecordSearch
    let isHidden: @Sendable (BookRecord) -> Bool

    init(whole: any RecordSearch, hiding isHidden: @escaping @Sendable (BookRecord) -> Bool) {
        (self.whole, self.isHidden) = (whole, isHidden)
    }

    var workCount: Int { whole.workCount }

    func candidates(forEach queries: [[String]], limit: Int) throws -> [[BookRecord]] {
        try whole.candidates(forEach: queries, limit: 2 * limit).map { found in
            Array(found.lazy.filter { !isHidden($0) }.prefix(limit))
        }
    }

    func documentFrequencies(of words: [String]) throws -> [Int] { try whole.documentFrequencies(of: words) }

    func editions(of record: BookRecord, limit: Int) throws -> [BookRecord] {
        try whole.editions(of: record, limit: limit).filter { !isHidden($0) }
    }
}

/// Reads photos, or loads the cached text.
struct PhotoReading {
    private struct Line: Codable {
        var text: String
        var score: Double
        /// x and y of the four corners.
        var corners: [Double]
        var spaces: [WordSpace]?
    }

    private let reader: LocalReader
    private let folder: URL

    init(models: String, folder: String) throws {
        reader = LocalReader(models: URL(filePath: models), concurrentPhotos: 1, threads: 2)
        self.folder = URL(filePath: folder)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    func shelf(at path: String) async throws -> (size: PixelSize, shelf: ReadShelf) {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let pyramid = ImagePyramid(try PhotoDecoder.decode(bytes, limits: PhotoLimits()).image)
        return (pyramid.size, try await shelf(of: pyramid, named: URL(filePath: path).lastPathComponent))
    }

    private func shelf(of pyramid: ImagePyramid, named name: String) async throws -> ReadShelf {
        let file = folder.appending(path: name + ".json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            let shelf = try await reader.read(pyramid)
            let lines = shelf.lines.map { line in
                Line(
                    text: line.text, score: line.score, corners: line.quad.corners.flatMap { [$0.x, $0.y] },
                    spaces: line.spaces)
            }
            try JSONEncoder().encode(lines).write(to: file)
            return shelf
        }
        let lines = try JSONDecoder().decode([Line].self, from: Data(contentsOf: file)).map { line in
            let points = stride(from: 0, to: 8, by: 2).map {
                PixelPoint(x: line.corners[$0], y: line.corners[$0 + 1])
            }
            return TextLine(
                text: line.text, score: line.score, quad: Quad(points[0], points[1], points[2], points[3]),
                spaces: line.spaces)
        }
        var shelf = ReadShelf(lines: lines, turn: PhotoTurn.estimate(from: lines))
        shelf.edges = ShelfEdges(of: pyramid, turn: shelf.turn)
        return shelf
    }
}
