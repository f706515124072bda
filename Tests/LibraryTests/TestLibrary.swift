import Bibliography
import Foundation
import Imaging
import Library
import ShelflistAPI
import TestSupport
import Testing

/// A library in a temporary folder, which is deleted with it.
final class TestLibrary: Sendable {
    private let temporary: TemporaryFolder
    let folder: LibraryFolder
    let store: LibraryStore

    init(clock: @escaping @Sendable () -> Date = { Date() }) throws {
        temporary = try TemporaryFolder()
        folder = LibraryFolder(temporary.url)
        store = try LibraryStore(folder: folder, clock: clock)
    }
}

extension LibraryBook {
    /// The row of the copy; 0 for one that is not of a library.
    var entry: RowID<LibraryEntry> { RowID(Int64(id) ?? 0) }
}

extension LibraryStore {
    /// Returns the picture of a spine.
    func spineCrop(
        _ id: RowID<Detection>, turn: SpineTurn = .none, longSide: Int = 1024
    ) async throws -> RGBImage {
        try PhotoDecoder.decode(try await spineJPEG(id, turn: turn, longSide: longSide)).image
    }
}

/// Parts of a scan's transactions, each as one of its own.
extension LibraryStore {
    func entry(ofBook book: String, inScan job: String) async throws -> RowID<LibraryEntry>? {
        try await read { try entry(ofBook: book, inScan: job, in: $0) }
    }

    func add(_ scans: [ScanImport], duplicates: DuplicateDecision? = nil) async throws -> [AddedScanBook] {
        try await writeUnseen { try add(scans, duplicates: duplicates, in: $0) }
    }

    func update(_ scan: ScanImport, importing wanted: Set<String>, threshold: Double? = nil) async throws {
        try await writeUnseen { try update(scan, importing: wanted, threshold: threshold, in: $0) }
    }

    func states(of places: [String: UnitRect], inScan job: String) async throws -> [String: ScanBookOutcome] {
        try await read { try states(of: places, inScan: job, in: $0) }
    }
}

/// Creates scans for tests.
enum Scan {
    /// Returns a spine in the `place`-th of `of` columns of its photo.
    ///
    /// - Parameter matches: nil for one record, which gave title and author.
    static func book(
        _ title: String?, by author: String? = nil, _ confidence: Double = 0.95, isbn: String? = nil,
        checked: Bool = true, place: Int, of places: Int = 40, matches: [BookMatch]? = nil
    ) -> DetectedBook {
        let width = 1 / Double(places)
        let record = title.map {
            BookMatch(title: $0, author: author, isbn: isbn, confidence: confidence, source: "local")
        }
        return DetectedBook(
            id: "b\(place)", title: title, author: author, isbn: isbn, confidence: confidence,
            checked: checked, reviewStatus: .needsReview,
            outline: SpineOutline(UnitRect(x: Double(place) * width, y: 0.1, width: width * 0.9, height: 0.8)),
            text: [ReadText(text: (title ?? "").uppercased(), score: 0.9)],
            matches: matches ?? (checked ? [record].compactMap(\.self) : []))
    }

    /// Returns a scan of one photo; another `photo` name makes it a different picture.
    static func of(
        _ books: [DetectedBook], job: String, photo: String? = nil, shelf: RowID<Shelf>? = nil
    ) -> ScanImport {
        let hash = photo.map { name in
            String(
                String(name.utf8.map { String($0, radix: 16) }.joined().prefix(64)).padding(
                    toLength: 64, withPad: "0", startingAt: 0))
        }
        let stored = hash.map { StoredPhoto(file: "bookshelf_scan_\(photo ?? "").jpg", sha256: $0) }
        return ScanImport(
            job: job, stored: stored, size: PixelSize(width: 4000, height: 3000), books: books,
            shelf: shelf)
    }
}

extension LibraryStore {
    /// Imports a photo of these books.
    @discardableResult
    func scan(
        _ books: DetectedBook..., job: String, photo: String? = nil, shelf: RowID<Shelf>? = nil,
        duplicates: DuplicateDecision? = nil
    ) async throws -> ScanImportReport {
        try await importScan(Scan.of(books, job: job, photo: photo, shelf: shelf), duplicates: duplicates)
    }

    /// Returns the books that need review, in the order of the queue.
    func booksInReview(_ tier: ConfidenceTier? = nil, limit: Int = 50) async throws -> [ReviewItem] {
        let items = try await inbox(InboxFilter(kinds: [.detection], tier: tier), limit: limit).items
        return try await items.compactMap { $0.entryId.flatMap { RowID($0) } }.asyncMap(reviewItem)
    }

    /// Stores an edit of title and author; nil restores the text that was read.
    func keepEdit(_ entry: RowID<LibraryEntry>, title: String?, author: String?) async throws -> ReviewItem {
        try await keepEdit(entry) { ($0, $1) = (title, author) }
    }

    func correct(_ entry: RowID<LibraryEntry>, to book: BookDetails, ifRevision: Int? = nil) async throws -> Work {
        try await correct(entry, ifRevision: ifRevision) { $0 = book }
    }

    func update(
        _ entry: RowID<LibraryEntry>, to details: EntryDetails, ifRevision: Int? = nil
    ) async throws -> LibraryEntry {
        try await update(entry, ifRevision: ifRevision) { $0 = details }
    }

    func move(_ entries: [RowID<LibraryEntry>], to shelf: RowID<Shelf>?) async throws {
        _ = try await updateAll(entries) { $0.shelf = shelf }
    }

    /// Returns the open questions, oldest first.
    func duplicateQuestions() async throws -> [DuplicateQuestion] {
        try await duplicateQuestions(limit: -1, offset: 0).questions
    }

    /// Returns the photos, latest first.
    func photos() async throws -> [Photo] { try await photos(limit: 1000).photos }

    /// Returns the titles of the library in its order.
    func titles() async throws -> [String] { try await entries().entries.map(\.title) }

    /// Returns the export as one text.
    func exported(_ format: ListFormat) async throws -> String {
        var (text, export) = ("", try await export(format))
        while let piece = try await export.next() { text += piece }
        return text
    }
}

extension BookDetails {
    init(_ title: String, by author: String) {
        self.init(title: title, authors: [AuthorCredit(name: author)])
    }
}

extension AutomaticEdit {
    func action() throws -> RowID<ReviewAction> { try #require(RowID(id)) }
}

extension DetectedBook {
    mutating func move(to box: UnitRect) {
        boundingBox = box
        quad = UnitQuad(box)
    }
}

extension EntryDetails {
    init(
        ownership: Ownership = .owned, lentTo: String? = nil, reading: ReadingStatus? = nil, rating: Double? = nil,
        startedOn: PartialDate? = nil, finishedOn: PartialDate? = nil, notes: String? = nil, callNumber: String? = nil,
        tags: [String] = [], shelf: RowID<Shelf>? = nil
    ) {
        self.init(shelf: shelf)
        self.ownership = ownership
        self.lentTo = lentTo
        self.reading = reading
        self.rating = rating
        self.startedOn = startedOn
        self.finishedOn = finishedOn
        self.notes = notes
        self.callNumber = callNumber
        self.tags = tags
    }
}

extension Sequence {
    func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var values: [T] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
