import Bibliography
import GRDB

/// Folded documents for the word index, passed from the reading thread to the indexing thread.
struct DocumentBatch: Sendable {
    var text: [UInt8] = []
    var documents: [(id: Int64, title: TextRange, author: TextRange)] = []
    /// The number of works or editions read for it, which is larger than the number of documents.
    var readCount = 0

    var isFull: Bool { documents.count >= 4096 || readCount >= 65_536 || text.count > 1 << 20 }
}

/// Reads works and editions and creates index documents.
///
/// A work's document contains the words of its title, subtitle and authors. An edition's contains those of its title,
/// subtitle and series, and exists only if it adds words to the work's: translations, subtitles, series.
final class DocumentReader {
    private let author: RawStatement
    private let works: RawStatement
    private let editions: RawStatement
    private var folded: [UInt8] = []
    private var workFolded: [UInt8] = []
    // Hashes of work and words of recent variants, because many editions of a work share one title.
    private var seenVariants = [UInt64](repeating: 0, count: 1 << 18)

    /// - Parameter single: whether rows are read one at a time by number, or all in the order of their numbers.
    init(_ db: Database, single: Bool = false) throws {
        let filter = { (table: String) in
            single ? "WHERE \(table).id = ?" : "WHERE \(table).id > ? ORDER BY \(table).id"
        }
        author = try RawStatement(db, "SELECT name FROM author WHERE id = ?")
        works = try RawStatement(db, "SELECT id, title, subtitle, authors FROM work \(filter("work"))")
        editions = try RawStatement(
            db,
            """
            SELECT edition.id, edition.title, edition.subtitle, edition.series, edition.authors, edition.work,
                work.title, work.subtitle, work.authors
            FROM edition LEFT JOIN work ON work.id = edition.work \(filter("edition"))
            """)
    }

    /// Reads documents of works after number `id`, or of this one, until the batch is full.
    ///
    /// - Returns: the ID of the last work read; nil at the end.
    func readWorks(after id: Int64, into batch: inout DocumentBatch) throws -> Int64? {
        works.bind(1, id)
        defer { works.reset() }
        var last: Int64?
        while !batch.isFull, try works.step() {
            let work = works.integer(0)
            last = work
            batch.readCount += 1
            let title = fold(into: &batch.text, works.text(1), works.text(2))
            let author = try foldAuthors(works.text(3), into: &batch.text)
            batch.documents.append((work * 2, title, author))
        }
        return last
    }

    /// Reads documents of editions after number `id`, or of this one, until the batch is full.
    ///
    /// - Returns: the ID of the last edition read; nil at the end.
    func readEditions(after id: Int64, into batch: inout DocumentBatch) throws -> Int64? {
        editions.bind(1, id)
        defer { editions.reset() }
        var last: Int64?
        while !batch.isFull, try editions.step() {
            last = editions.integer(0)
            batch.readCount += 1
            try appendVariant(to: &batch)
        }
        return last
    }

    private func appendVariant(to batch: inout DocumentBatch) throws {
        let (title, subtitle, series) = (editions.text(1), editions.text(2), editions.text(3))
        let (workTitle, workSubtitle) = (editions.text(6), editions.text(7))
        let hasNewAuthors = editions.text(8).isEmpty && !editions.text(4).isEmpty
        if !hasNewAuthors, series.isEmpty, equal(title, workTitle) || title.isEmpty,
            equal(subtitle, workSubtitle) || subtitle.isEmpty
        {
            return
        }
        folded.removeAll(keepingCapacity: true)
        let range = fold(into: &folded, title, subtitle, series)
        workFolded.removeAll(keepingCapacity: true)
        _ = fold(into: &workFolded, workTitle, workSubtitle)
        guard hasNewAuthors || !allWords(of: folded, areIn: workFolded) else { return }
        guard isNewVariant(work: editions.integer(5), folded) else { return }

        let start = Int32(batch.text.count)
        batch.text.append(contentsOf: folded)
        let authors = editions.text(4).isEmpty ? editions.text(8) : editions.text(4)
        let author = try foldAuthors(authors, into: &batch.text)
        batch.documents.append(
            (editions.integer(0) * 2 + 1, TextRange(start: start, count: range.count), author))
    }

    // MARK: - Text

    private func fold(into output: inout [UInt8], _ parts: UnsafeBufferPointer<UInt8>...) -> TextRange {
        let start = output.count
        for part in parts where !part.isEmpty {
            if output.count > start { output.append(0x20) }
            TextNormalisation.fold(part, into: &output)
        }
        return TextRange(start: Int32(start), count: Int32(output.count - start))
    }

    /// Folds the names of authors given as decimal numbers separated by spaces.
    private func foldAuthors(_ ids: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) throws -> TextRange {
        let start = output.count
        for id in AuthorIDs(ids) {
            author.bind(1, id)
            if try author.step() {
                if output.count > start { output.append(0x20) }
                TextNormalisation.fold(author.text(0), into: &output)
                author.reset()
            }
        }
        return TextRange(start: Int32(start), count: Int32(output.count - start))
    }

    private func allWords(of a: [UInt8], areIn b: [UInt8]) -> Bool {
        let known = b.split(separator: 0x20)
        return a.split(separator: 0x20).allSatisfy { known.contains($0) }
    }

    private func isNewVariant(work: Int64, _ folded: [UInt8]) -> Bool {
        var hash = UInt64(bitPattern: work) &* 0x9E37_79B9_7F4A_7C15
        for byte in folded { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let slot = Int(hash >> 40) & (seenVariants.count - 1)
        defer { seenVariants[slot] = hash }
        return seenVariants[slot] != hash
    }

    private func equal(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        a.count == b.count && a.elementsEqual(b)
    }
}

/// Iterates over the numbers in `12 345 6`, the format in which works and editions list their authors.
struct AuthorIDs: Sequence, IteratorProtocol {
    private var bytes: Slice<UnsafeBufferPointer<UInt8>>

    init(_ text: UnsafeBufferPointer<UInt8>) { bytes = text[...] }

    mutating func next() -> Int64? {
        guard !bytes.isEmpty else { return nil }
        var value: Int64 = 0
        while let byte = bytes.popFirst(), byte != 0x20 { value = value &* 10 &+ Int64(byte &- 0x30) }
        return value
    }
}
