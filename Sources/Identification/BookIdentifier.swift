package import Bibliography
import Foundation
package import Imaging
import ShelflistAPI
package import SpineReading

/// The books of one photo and the text that belongs to none.
package struct IdentifiedShelf: Sendable {
    package var books: [DetectedBook]
    package var otherText: [TextLine]
    /// Seconds spent on places and roles, and on asking the catalog.
    package var groupSeconds: Double
    package var matchSeconds: Double
    /// What was weighed for each of the books, in their order; for fitting.
    package var accounts: [SpineAccount]
}

/// What a spine may be by a catalog, and by what was read alone, each with what its probability is computed from.
package struct SpineAccount: Sendable {
    package var record: Record?
    package var recordFeatures: [Double]
    /// What the record's probability cannot exceed, 0...1.
    package var highest = 1.0
    package var title: String?
    package var author: String?
    package var readingFeatures: [Double]
}

/// From text lines to books: led by a catalog where there is one, by geometry where there is none or where
/// it does not know the book.
package struct BookIdentifier: Sendable {
    /// A catalog, and a name for its contents that is another where these are.
    package typealias KnownCatalog = (search: any RecordSearch, state: String)

    private let matcher: CurrentMatcher
    private let threshold: Double

    /// - Parameter threshold: books below this confidence are marked for review, 0...1.
    package init(catalog: (any RecordSearch)? = nil, threshold: Double = 0.60) {
        self.init(catalogNow: { catalog.map { ($0, "") } }, threshold: threshold)
    }

    /// - Parameter catalogNow: asked for each photo, where the catalog may change while the program runs.
    package init(catalogNow: @escaping @Sendable () throws -> KnownCatalog?, threshold: Double = 0.60) {
        matcher = CurrentMatcher(catalogNow)
        self.threshold = threshold
    }

    /// - Parameters:
    ///   - shelf: what was read; lines in pixels of the photo.
    ///   - size: of the photo in pixels.
    /// - Throws: errors of the catalog, `CancellationError`.
    package func identify(_ shelf: ReadShelf, in size: PixelSize) throws -> IdentifiedShelf {
        let clock = ContinuousClock()
        let start = clock.now
        let lines = shelf.lines.enumerated().map { index, line in
            ShelfLine(index: index, line: line, quad: line.quad.map { shelf.turn.apply(to: $0, in: size) })
        }
        let affinity = LineAffinity(lines, edges: shelf.edges)
        let grouped = clock.now
        let matcher = try matcher.get()
        var spines = try assembled(lines, affinity, matcher)
        let assembled = clock.now

        var free = Set(lines.indices).subtracting(spines.flatMap(\.lines))
        adopt(&free, into: &spines, lines: lines)
        // Specks and single signs hold no books together; they may stand on one.
        let telling = free.filter { lines[$0].words.joined().count > 1 }
        for group in SpineGrouping.groups(of: telling.sorted(), affinity: affinity)
        where looksLikeBook(group.map { lines[$0] }) {
            spines.append(Spine(lines: group, records: []))
            free.subtract(group)
        }
        adopt(&free, into: &spines, lines: lines)
        let other = free.sorted()
        let outlines = SpineOutline(
            spines: spines.map { $0.lines.map { lines[$0] } }, size: size.turned(shelf.turn), edges: shelf.edges
        ).quads()
        let outlined = clock.now

        var judged = try SpineJudgement(matcher: matcher).judge(
            spines.map { spine in
                (lines: ReadingOrder.sorted(spine.lines.map { lines[$0] }), led: spine.records)
            })
        let kept = gather(&judged, spines.map { $0.lines.map { lines[$0] } }, outlines)
        let back = shelf.turn.inverse
        let turnedSize = size.turned(shelf.turn)
        let order = ShelfOrder.sorted(kept.map { outlines[$0].bounds }).map { kept[$0] }
        return IdentifiedShelf(
            books: order.enumerated().map { place, index in
                let quad = outlines[index].map { back.apply(to: $0, in: turnedSize) }
                return book(
                    judged[index], id: "book-\(place + 1)", quad: UnitQuad(quad, in: size),
                    box: UnitRect(quad.bounds, in: size))
            },
            otherText: other.map { shelf.lines[$0] },
            groupSeconds: ((grouped - start) + (outlined - assembled)) / .seconds(1),
            matchSeconds: ((assembled - grouped) + (clock.now - outlined)) / .seconds(1),
            accounts: order.map { judged[$0].account })
    }

    private struct Spine {
        var lines: [Int]
        /// The records that led the assembly, the best first.
        var records: [Record]
    }

    private func assembled(_ lines: [ShelfLine], _ affinity: LineAffinity, _ matcher: SpineMatcher?) throws -> [Spine] {
        guard let matcher else { return [] }
        var assembly = try CatalogAssembly(lines: lines, affinity: affinity, matcher: matcher)
        return try assembly.spines().map { Spine(lines: $0.lines, records: $0.records) }
    }

    /// Lines within the width of a spine's text, and not far from it, stand on it, though its record says
    /// nothing of them: publishers, subtitles, call numbers.
    private func adopt(_ free: inout Set<Int>, into spines: inout [Spine], lines: [ShelfLine]) {
        let reach = spines.map { SpineText($0.lines.map { lines[$0] }) }
        for line in free.sorted() {
            let claims = spines.indices.filter { reach[$0]?.holds(lines[line]) ?? false }
            guard claims.count == 1, let only = claims.first else { continue }
            spines[only].lines.append(line)
            free.remove(line)
        }
    }

    /// At least one word of some length that was read well, and more than a publisher's name or a number.
    private func looksLikeBook(_ lines: [ShelfLine]) -> Bool {
        lines.contains { line in
            line.line.score >= 0.6 && !Publishers.isPublisher(line.words) && !Numbering.isNumbering(line.words)
                && line.words.contains { $0.filter(\.isLetter).count >= 3 }
        }
    }

    /// Gives scraps to the books on whose spines they stand.
    ///
    /// - Returns: the places of the spines that are books.
    private func gather(_ judged: inout [SpineJudgement.Judged], _ spines: [[ShelfLine]], _ outlines: [Quad]) -> [Int] {
        let owners = Scraps(texts: spines.map { $0.map(\.quad) }, outlines: outlines)
            .owners(confidences: judged.map(\.confidence))
        for owner in Set(owners.values) {
            let lines = spines.indices.filter { $0 == owner || owners[$0] == owner }.flatMap { spines[$0] }
            judged[owner].text = ReadingOrder.sorted(lines).map { ReadText($0.line) }
        }
        return spines.indices.filter { owners[$0] == nil }
    }

    private func book(_ judged: SpineJudgement.Judged, id: String, quad: UnitQuad, box: UnitRect) -> DetectedBook {
        DetectedBook(
            id: id, title: judged.title, author: judged.author, isbn: judged.isbn,
            confidence: (judged.confidence * 1000).rounded() / 1000,
            reviewStatus: judged.confidence >= threshold ? .verified : .needsReview, boundingBox: box, quad: quad,
            text: judged.text, matches: judged.matches)
    }
}

/// The order in which a person reads the lines of one spine.
enum ReadingOrder {
    static func sorted(_ lines: [ShelfLine]) -> [ShelfLine] {
        guard let frame = lines.max(by: { $0.length < $1.length }) else { return lines }
        return lines.map { line -> (line: ShelfLine, along: ClosedRange<Double>, across: Double) in
            let extents = line.extents(in: frame)
            return (line, extents.along, extents.across.middle)
        }.sorted { a, b in
            // Lines side by side are read from the first to the last across, others along.
            let shared = a.along.sharedLength(with: b.along)
            if shared > 0.5 * min(a.along.length, b.along.length) { return a.across < b.across }
            return a.along.middle < b.along.middle
        }.map(\.line)
    }
}
