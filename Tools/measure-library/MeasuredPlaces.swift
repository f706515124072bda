import Bibliography
import Fixtures
import Imaging
import Library
import ShelflistAPI

/// The operations on shelves that users wait for, in a school's library: bookcases of ten boards each, sorted by author.
struct MeasuredPlaces {
    let store: LibraryStore
    let shelves: Int
    let books: Int

    private static let imprints = [
        "Gallimard", "Penguin Classics", "Reclam", "Everyman", "Oxford", "Suhrkamp", "Vintage",
    ]

    /// Adds all shelves, and a photo of each with its share of the books, of which every tenth is out of order, and as many
    /// lines that belong to no spine.
    func fill() async throws {
        var random = SeededGenerator(seed: 3)
        for number in 0..<shelves {
            let path = PlacePath("School / Room \(number / 50) / Bookcase \(number / 10) / Board \(number)")
            let shelf = try await store.addShelf(at: path)
            var names = (0..<books / shelves).map { _ in
                (MeasureLibrary.word(&random), "Ann \(MeasureLibrary.word(&random))")
            }
            names.sort { $0.1 < $1.1 }
            for place in stride(from: 0, to: names.count, by: 10) {
                names.swapAt(place, Int.random(in: names.indices, using: &random))
            }
            var scan = Self.scan(names, of: shelf.id, job: "\(number)")
            scan.looseLines = names.map { _ in
                TextInPhoto(
                    text: "\(MeasureLibrary.word(&random)) \(MeasureLibrary.word(&random))",
                    outline: SpineOutline(UnitRect(x: 0.1, y: 0.93, width: 0.2, height: 0.02)))
            }
            _ = try await store.importScan(scan)
        }
        if let school = try await store.existingShelf(named: "School") {
            _ = try await store.change(school.id) { $0.sortRule = .author }
        }
    }

    /// Measures each operation once.
    ///
    /// - Parameter seconds: returns how long an operation took.
    func measure(
        _ round: Int, _ seconds: (() async throws -> Void) async throws -> Double
    ) async throws -> [String: [Double]] {
        let all = try await store.shelves()
        let (school, board) = (all[0].id, all[all.count - 1].id)
        var query = EntryQuery(limit: 50)
        query.shelf = school
        var times: [String: [Double]] = [:]
        times["list the shelves"] = [try await seconds { _ = try await store.shelves() }]
        times["filter on a place with all others inside"] = [try await seconds { _ = try await store.entries(query) }]
        times["list by place"] = [
            try await seconds { _ = try await store.entries(EntryQuery(sort: .shelf, limit: 50)) }
        ]
        times["audit a board"] = [try await seconds { _ = try await store.audit(board) }]
        let names = try await store.shelfView(board).boards.joined().map { ($0.entry.title, $0.entry.author) }
        // The first search after a photo brings the index up to date.
        _ = try await store.findSpines("index")
        for (name, text) in [
            ("find a common imprint, misread", "gallimrad"), ("find a rare word", names.first?.0 ?? ""),
            ("find two common words", "penguin classics"),
        ] {
            times["\(name), in \(2 * books) texts"] = [try await seconds { _ = try await store.findSpines(text) }]
        }
        times["import a photo of a board again"] = [
            try await seconds { _ = try await store.importScan(Self.scan(names, of: board, job: "again \(round)")) }
        ]
        times["list by place after it"] = [
            try await seconds { _ = try await store.entries(EntryQuery(sort: .shelf, limit: 50)) }
        ]
        return times
    }

    private static func scan(
        _ names: [(title: String, author: String)], of shelf: RowID<Shelf>, job: String
    ) -> ScanImport {
        let books = names.enumerated().map { place, name in
            let left = Double(place) / Double(names.count)
            return DetectedBook(
                id: "\(place)", title: name.title, author: name.author, confidence: 0.95, checked: true,
                reviewStatus: .verified,
                outline: SpineOutline(
                    UnitRect(x: left, y: 0.1, width: 0.8 / Double(names.count), height: 0.8)),
                text: [name.title, name.author, imprints[place % imprints.count]].map {
                    ReadText(text: $0, score: 0.9)
                },
                matches: [BookMatch(title: name.title, author: name.author, confidence: 0.95, source: "local")])
        }
        return ScanImport(
            job: job, stored: nil, size: PixelSize(width: 4000, height: 3000), books: books, shelf: shelf)
    }
}
