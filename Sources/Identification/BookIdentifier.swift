public import Bibliography
import Foundation
public import Imaging
public import SpineReading

/// The books of one photo and the text that belongs to none.
public struct IdentifiedShelf: Sendable {
    public var books: [DetectedBook]
    public var otherText: [TextLine]
    /// Seconds spent on places and roles, and on asking the catalog.
    public var groupSeconds: Double
    public var matchSeconds: Double
}

/// From text lines to books: led by a catalog where there is one, by geometry where there is none or where
/// it does not know the book.
public struct BookIdentifier: Sendable {
    private let catalog: (any RecordSearch)?
    private let threshold: Double

    /// - Parameter threshold: books below this confidence are marked for review, 0...1.
    public init(catalog: (any RecordSearch)? = nil, threshold: Double = 0.60) {
        self.catalog = catalog
        self.threshold = threshold
    }

    /// - Parameters:
    ///   - shelf: what was read; lines in pixels of the photo.
    ///   - size: of the photo in pixels.
    /// - Throws: errors of the catalog, `CancellationError`.
    public func identify(_ shelf: ReadShelf, in size: PixelSize) throws -> IdentifiedShelf {
        let clock = ContinuousClock()
        let start = clock.now
        let lines = shelf.lines.enumerated().map { index, line in
            ShelfLine(index: index, line: line, quad: line.quad.map { shelf.turn.apply(to: $0, in: size) })
        }
        let affinity = LineAffinity(lines, edges: shelf.edges)
        let grouped = clock.now
        var assembly = try catalog.map { try CatalogAssembly(lines: lines, affinity: affinity, catalog: $0) }
        var spines = try assembly?.spines().map { Spine(lines: $0.lines, explanation: $0) } ?? []
        var free = Set(lines.indices).subtracting(spines.flatMap(\.lines))
        adopt(&free, into: &spines, lines: lines)
        for index in spines.indices {
            // What else stands on the spine speaks for or against the record, too.
            spines[index].explanation = spines[index].explanation.flatMap {
                assembly?.reconsidered($0, on: spines[index].lines)
            }
        }
        let matched = clock.now

        // Specks and single signs hold no books together; they may stand on one.
        let telling = free.filter { lines[$0].words.joined().count > 1 }
        for group in SpineGrouping.groups(of: telling.sorted(), affinity: affinity)
        where looksLikeBook(group.map { lines[$0] }) {
            spines.append(Spine(lines: group, explanation: nil))
            free.subtract(group)
        }
        adopt(&free, into: &spines, lines: lines)
        for index in spines.indices where spines[index].explanation == nil {
            spines[index].explanation = try assembly?.offered(for: spines[index].lines)
        }
        let other = free.sorted()
        let outlines = SpineOutline(
            spines: spines.map { $0.lines.map { lines[$0] } }, size: size.turned(shelf.turn), edges: shelf.edges
        ).quads()
        let back = shelf.turn.inverse
        let turnedSize = size.turned(shelf.turn)
        let books = zip(spines, outlines).map { spine, outline in
            let ordered = ReadingOrder.sorted(spine.lines.map { lines[$0] })
            let quad = outline.map { back.apply(to: $0, in: turnedSize) }
            return book(spine, ordered, quad: UnitQuad(quad, in: size), box: UnitRect(quad.bounds, in: size))
        }
        return IdentifiedShelf(
            books: numbered(books), otherText: other.map { shelf.lines[$0] },
            groupSeconds: ((grouped - start) + (clock.now - matched)) / .seconds(1),
            matchSeconds: (matched - grouped) / .seconds(1))
    }

    private struct Spine {
        var lines: [Int]
        var explanation: ExplainedSpine?
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

    private func book(_ spine: Spine, _ lines: [ShelfLine], quad: UnitQuad, box: UnitRect) -> DetectedBook {
        let text = lines.map { ReadText($0.line) }
        guard let explanation = spine.explanation, !explanation.alternatives.isEmpty else {
            let roles = RoleAssignment.assign(lines)
            return make(
                title: roles.title, author: roles.author, isbn: nil,
                confidence: UncataloguedConfidence.of(roles, lines, besideCatalog: catalog != nil),
                quad: quad, box: box, text: text, matches: [])
        }
        let letters =
            spine.explanation.map { $0.lines.flatMap { i in lines.first { $0.index == i }?.words ?? [] } } ?? []
        let lineScore = lines.filter { line in explanation.lines.contains(line.index) }.map(\.line.score).min() ?? 0
        let second = explanation.alternatives.dropFirst().first?.score.evidence ?? 0
        let matches = explanation.alternatives.enumerated().map { rank, alternative in
            let rival = rank == 0 ? second : explanation.score.evidence
            let features = MatchFeatures(
                alternative.score, title: alternative.record.title, read: letters, rival: rival, lineScore: lineScore)
            return BookMatch(
                title: alternative.record.title, subtitle: alternative.record.subtitle,
                author: alternative.record.authors.isEmpty ? nil : alternative.record.authors.joined(separator: ", "),
                isbn: alternative.record.isbn, confidence: rounded(ConfidenceModel.catalog.probability(features)),
                source: alternative.record.source)
        }
        let best = matches[0]
        if best.confidence < Self.recordIsBelieved {
            // Perhaps a book that no catalog has: what was read is reported, the record only offered.
            let roles = RoleAssignment.assign(lines)
            if let title = roles.title, explanation.score.explained < 0.75 {
                return make(
                    title: title, author: roles.author, isbn: nil,
                    confidence: max(best.confidence, UncataloguedConfidence.of(roles, lines, besideCatalog: true)),
                    quad: quad, box: box, text: text,
                    matches: Array(matches.prefix(5)))
            }
        }
        return make(
            title: best.title, author: best.author, isbn: best.isbn, confidence: best.confidence, quad: quad, box: box,
            text: text, matches: Array(matches.prefix(5)))
    }

    /// A record less probable than this does not name the book.
    private static let recordIsBelieved = 0.4

    private func make(
        title: String?, author: String?, isbn: String?, confidence: Double, quad: UnitQuad, box: UnitRect,
        text: [ReadText], matches: [BookMatch]
    ) -> DetectedBook {
        DetectedBook(
            id: "", title: title, author: author, isbn: isbn, confidence: rounded(confidence),
            reviewStatus: confidence >= threshold ? .verified : .needsReview, boundingBox: box, quad: quad, text: text,
            matches: matches)
    }

    private func rounded(_ confidence: Double) -> Double { (confidence * 1000).rounded() / 1000 }

    /// Row by row from the left, the way a person reads a shelf.
    private func numbered(_ books: [DetectedBook]) -> [DetectedBook] {
        var rest = books.sorted { $0.boundingBox.y < $1.boundingBox.y }
        var ordered: [DetectedBook] = []
        while let top = rest.first {
            let middle = top.boundingBox.y + top.boundingBox.height / 2
            let row = rest.filter { $0.boundingBox.y <= middle }
            rest.removeAll { $0.boundingBox.y <= middle }
            ordered += row.sorted {
                ($0.boundingBox.x + $0.boundingBox.width / 2, $0.boundingBox.y)
                    < ($1.boundingBox.x + $1.boundingBox.width / 2, $1.boundingBox.y)
            }
        }
        return ordered.enumerated().map { index, book in
            var book = book
            book.id = "book-\(index + 1)"
            return book
        }
    }
}

extension MatchFeatures {
    fileprivate init(_ score: RecordScore, title: String, read: [String], rival: Double, lineScore: Double) {
        let main = TextNormalisation.words(RecordWords.split(title).main).joined()
        self.init(
            titleCoverage: score.titleCoverage, authorCoverage: score.authorCoverage, explained: score.explained,
            titleMass: min(20, score.titleMass), authorMass: min(20, score.authorMass),
            margin: min(8, max(-8, score.evidence - rival)),
            titleRatio: WordSimilarity.partialRatio(of: Array(main.utf8), in: Array(read.joined().utf8)),
            lineScore: lineScore)
    }
}

/// What reading alone is worth: without a catalog nobody has confirmed that the words are a book's.
enum UncataloguedConfidence {
    /// Nothing goes into a library unseen because it merely was read well.
    static let highest = 0.55

    /// Rough frequencies with which spines were split into title and author correctly: a clear author and a title
    /// of several words are good signs, many lines and badly read ones are not.
    ///
    /// Text that a catalog was asked about and did not know is a book less often.
    static func of(_ roles: SpineRoles, _ lines: [ShelfLine], besideCatalog: Bool) -> Double {
        guard let title = roles.title else { return 0.05 }
        var confidence = roles.author == nil ? 0.38 : 0.62
        let words = title.split(separator: " ").count
        confidence *= words == 1 ? 0.55 : words == 2 ? 0.9 : 1.1
        if lines.count > 3 { confidence *= 0.75 }
        if lines.contains(where: { $0.line.score < 0.75 }) { confidence *= 0.8 }
        return min(highest, besideCatalog ? confidence / 2 : confidence)
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
