package import Bibliography
import Foundation
package import Imaging
package import ShelflistAPI
package import SpineReading

/// The books of one photo and the text that belongs to none of them.
package struct IdentifiedShelf: Sendable {
    /// In shelf order.
    package var spines: [(judged: JudgedSpine, outline: SpineOutline)]
    package var otherText: [TextLine]
    /// Spines that are most probably not books (`ScrapText`), in no particular order.
    ///
    /// Their text is that of the spine that contains it, or among `otherText`.
    package var scraps: [(judged: JudgedSpine, outline: SpineOutline)]
    package var labels: [ShelfLabel]
    /// Signs such as `796 SPORT`, for books of which call numbers were read.
    package var signs: [TextInPhoto]
    /// Seconds spent on grouping and on catalog queries.
    package var groupSeconds: Double
    package var matchSeconds: Double
    /// The steps of `IdentificationEffort`.
    package var steps: Int
    /// Books below this confidence are marked for review, 0...1.
    let threshold: Double

    /// One book for each spine.
    package var books: [DetectedBook] {
        spines.enumerated().map { place, spine in
            let judged = spine.judged
            var book = DetectedBook(
                id: "book-\(place + 1)", title: judged.title, author: judged.author, isbn: judged.isbn,
                confidence: judged.confidence, checked: judged.checked, reviewStatus: .needsReview,
                outline: spine.outline, text: judged.text, callNumber: judged.callNumber, matches: judged.matches)
            book.reviewStatus = book.status(threshold: threshold)
            book.confidence = judged.confidence.thousandths
            return book
        }
    }
}

/// Identifies books from text lines, guided by a catalog if there is one, and by geometry where the catalog has no
/// match.
package struct BookIdentifier: Sendable {
    /// A record below this probability does not decide which lines form a spine.
    ///
    /// On the labelled photos 0.5 lost books beside a catalog that has them; 0.3 lost none, and made spines whole beside
    /// catalogs that lack the book.
    private static let likelyRecord = 0.3

    private let matchers: MatcherCache
    private let roleCache = RoleCache()
    private let threshold: Double
    private let threads: Int
    private let effort: @Sendable () -> IdentificationEffort

    /// - Parameters:
    ///   - catalog: returns the catalog as it is now; called for each photo.
    ///   - threshold: books below this confidence are marked for review, 0...1.
    ///   - threads: of the processor, for each photo.
    ///   - effort: returns the limits of one photo.
    package init(
        catalog: @escaping @Sendable () throws -> CatalogSnapshot? = { nil }, threshold: Double = 0.60,
        threads: Int = 1, effort: @escaping @Sendable () -> IdentificationEffort = { IdentificationEffort() }
    ) {
        self.effort = effort
        matchers = MatcherCache(catalog, threads: threads)
        self.threshold = threshold
        self.threads = threads
    }

    /// Opens the catalog and starts to read it ahead.
    ///
    /// - Throws: errors of the catalog.
    package func prepare() throws { _ = try matchers.current() }

    /// - Parameters:
    ///   - shelf: what was read; lines in pixels of the photo.
    ///   - opinions: what models read on the spines. They do not change which lines form a spine, nor its outline.
    ///   - verifiedFrom: a book that is at least this confident by its text is not lowered by an opinion, 0...1; nil for
    ///     the threshold of this identifier.
    ///   - expected: the records of the copies that the photo is expected to show, one for each copy; empty where the place
    ///     is not known.
    ///   - size: of the photo in pixels.
    /// - Throws: errors of the catalog, `CancellationError`, `IdentificationError`.
    package func identify(
        _ shelf: ReadShelf, opinions: [SpineOpinion] = [], verifiedFrom: Double? = nil, expected: [BookRecord] = [],
        in size: PixelSize
    ) throws -> IdentifiedShelf {
        let clock = ContinuousClock()
        let start = clock.now
        let effort = effort()
        let codes = try ShelfLabels(EqualLines.dropped(from: shelf.lines, effort: effort), in: size, effort: effort)
        let (text, specks) = HanSpecks.separated(codes.others)
        func upright(_ lines: [TextLine]) -> [UprightLine] {
            lines.enumerated().map { index, line in
                UprightLine(index: index, line: line, quad: line.quad.map { shelf.turn.apply(to: $0, in: size) })
            }
        }
        let all = upright(text)
        let labels = try CallNumbers(all, edges: shelf.edges, effort: effort)
        // They are of no use for titles, and between two spines they would join them.
        let lines = labels.labels.isEmpty ? all : upright(labels.others(of: text))
        let affinity = try LineAffinity(lines, edges: shelf.edges, effort: effort)
        let grouped = clock.now
        let catalog = try matchers.current()
        let matcher = catalog?.matcher
        try effort.checkTime()
        var assembly = try matcher.map {
            try CatalogAssembly(lines: lines, affinity: affinity, matcher: $0, effort: effort)
        }
        let led = try assembly?.spines() ?? []
        try effort.checkTime()
        let copies = ExpectedCopies(expected, ranker: try MatchingModel.fitted.get().ranker)
        let judgement = SpineJudgement(
            matcher: matcher, checks: catalog?.snapshot.checks ?? false, expected: copies, callNumbers: labels,
            roleCache: roleCache, threads: threads, effort: effort)
        var (spines, other) = try completed(led, lines, affinity, labels, effort)
        var judged = try judgement.judge(spines, lines)
        try effort.checkTime()
        let likely = led.indices.filter { spine in
            (judged[spine].belief?.probability ?? 0) >= Self.likelyRecord
                && judged[spine].belief?.isUntitled == false
                && !Publishers.areOnly(led[spine].lines.flatMap { lines[$0].words })
        }
        // An unlikely record may have torn a spine apart or joined two, and one of an imprint's or an author's name keeps it
        // from its spine: geometry groups these lines better.
        if likely.count < led.count {
            (spines, other) = try completed(likely.map { led[$0] }, lines, affinity, labels, effort)
            judged = try judgement.judge(spines, lines)
        }
        for (index, spine) in spines.enumerated() where !spine.rest.isEmpty {
            judged[index].lines = ReadingOrder.sorted(judged[index].lines + spine.rest.map { lines[$0] })
            judged[index].text = judged[index].lines.readTexts
        }
        let assembled = clock.now
        try effort.checkTime()
        let read = judged.map(\.lines)
        let outlines = try OutlineFinder(spines: read, size: size.turned(shelf.turn), edges: shelf.edges)
            .quads(effort: effort)
        let outlined = clock.now

        let stray = StrayText(texts: read.map { $0.map(\.quad) }, outlines: outlines)
        var owners = try stray.owners(
            confidences: judged.map(\.confidence), works: judged.map { $0.belief?.record.workKey }, effort: effort)
        try readAgain(&judged, spines, owning: owners, lines, by: judgement)
        var kept = spines.indices.filter { owners[$0] == nil }
        let places = OpinionPlaces(opinions, of: kept.map { read[$0] }, in: size)
        if !opinions.isEmpty {
            var about = [SpineOpinion?](repeating: nil, count: spines.count)
            for (spine, opinion) in zip(kept, places.opinions) { about[spine] = opinion }
            let weighed = try judgement.judge(spines, lines, about)
            for spine in kept {
                let text = judged[spine].text
                judged[spine] = judged[spine].considering(
                    about[spine], weighed: weighed[spine], threshold: verifiedFrom ?? threshold)
                judged[spine].text = text
            }
        }
        try KnownSpines(catalog?.snapshot.knownSpines ?? []).name(&judged, shown: kept, effort: effort)
        if let matcher, !expected.isEmpty {
            let sureFrom = verifiedFrom ?? threshold
            try copies.assign(to: &judged, shown: kept, threshold: sureFrom, effort: effort)
            let split = try SplitSpines(matcher: matcher, expected: copies, threshold: sureFrom, effort: effort)
                .owners(among: judged, outlines, shown: kept)
            owners.merge(split) { first, _ in first }
            kept.removeAll { split[$0] != nil }
        }
        let scraps = ScrapText.places(among: judged, shown: kept)
        kept.removeAll(where: scraps.contains)
        for scrap in scraps {
            owners[scrap] = try stray.owner(of: scrap, among: kept, effort: effort)
            if owners[scrap] == nil { other += spines[scrap].lines + spines[scrap].rest }
        }
        join(&judged, read, owners.mapValues { owners[$0] ?? $0 })
        try effort.checkTime()
        let back = shelf.turn.inverse
        let turnedSize = size.turned(shelf.turn)
        let unread = UnreadSpines(
            places.others, beside: kept.map { outlines[$0] }, turn: shelf.turn, in: size,
            checks: catalog?.snapshot.checks ?? false)
        let shown = kept.map { (judged: judged[$0], outline: outlines[$0]) } + unread.spines
        let ordered = ShelfOrder.sorted(shown.map { $0.outline.bounds }).map { shown[$0] }
        func placed(_ spine: (judged: JudgedSpine, outline: Quad)) -> (judged: JudgedSpine, outline: SpineOutline) {
            (spine.judged, SpineOutline(spine.outline.map { back.apply(to: $0, in: turnedSize) }, in: size))
        }
        return IdentifiedShelf(
            spines: ordered.map(placed),
            otherText: other.map { lines[$0].line }.filter { !$0.text.isEmpty } + specks + codes.unreadable,
            scraps: scraps.map { placed((judged[$0], outlines[$0])) },
            labels: codes.labels,
            signs: other.filter { labels.isSign(lines[$0]) }.map {
                TextInPhoto(text: lines[$0].line.text, outline: SpineOutline(lines[$0].line.quad, in: size))
            },
            groupSeconds: ((grouped - start) + (outlined - assembled)) / .seconds(1),
            matchSeconds: ((assembled - grouped) + (clock.now - outlined)) / .seconds(1),
            steps: effort.steps, threshold: threshold)
    }

    /// Judges the spines again that own text which was grouped apart, and that have no author: the text may be the name.
    ///
    /// - Parameter owners: of the spines that are none, by these.
    private func readAgain(
        _ judged: inout [JudgedSpine], _ spines: [AssembledSpine], owning owners: [Int: Int], _ lines: [UprightLine],
        by judgement: SpineJudgement
    ) throws {
        var whole = spines
        for part in owners.keys.sorted() {
            guard let owner = owners[part], judged[owner].author == nil, !judged[owner].isNamedByMatch else {
                continue
            }
            whole[owner].lines += spines[part].lines + spines[part].rest
        }
        let longer = whole.indices.filter { whole[$0].lines.count > spines[$0].lines.count }
        guard !longer.isEmpty else { return }
        let again = try judgement.judge(whole, lines)
        for owner in longer where again[owner].title == judged[owner].title {
            // The text is joined later, as that of spines with an author.
            let own = (judged[owner].lines, judged[owner].text)
            judged[owner] = again[owner]
            (judged[owner].lines, judged[owner].text) = own
        }
    }

    /// Adds the lines that no record explains: to these spines, or grouped by geometry as further spines.
    ///
    /// - Returns: the given spines, followed by the further ones, and the lines that belong to none.
    private func completed(
        _ led: [AssembledSpine], _ lines: [UprightLine], _ affinity: LineAffinity, _ labels: CallNumbers,
        _ effort: IdentificationEffort
    ) throws -> (spines: [AssembledSpine], other: [Int]) {
        var spines = led
        var free = Set(lines.indices).subtracting(spines.flatMap(\.lines))
        try assignLeftoverLines(&free, into: &spines, lines: lines, effort)
        // Specks and single characters do not form books, but may belong to one.
        let substantial = free.filter { lines[$0].isUnread || lines[$0].words.joined().count > 1 }
        let groups = try SpineGrouping.groups(
            of: substantial.sorted(), beside: spines.map(\.lines), affinity: affinity, effort: effort)
        for (spine, group) in zip(spines.indices, groups) {
            let new = group.filter(free.contains)
            spines[spine].add(new, of: lines)
            free.subtract(new)
        }
        for group in groups.dropFirst(spines.count)
        where group.contains(where: { lines[$0].isUnread }) || BookText.isBook(group.map { lines[$0] }, labels: labels)
        {
            spines.append(AssembledSpine(lines: group, records: []))
            free.subtract(group)
        }
        try assignLeftoverLines(&free, into: &spines, lines: lines, effort)
        return (spines, free.sorted())
    }

    /// Assigns unclaimed lines to the one spine whose text is nearby and as wide, although its record does not
    /// explain them: publishers, subtitles, call numbers.
    private func assignLeftoverLines(
        _ free: inout Set<Int>, into spines: inout [AssembledSpine], lines: [UprightLine],
        _ effort: IdentificationEffort
    ) throws {
        try effort.spend(3 * free.count * spines.count)
        let reach = spines.map { SpineText($0.lines.map { lines[$0] }) }
        for line in free.sorted() {
            let claims = spines.indices.filter { reach[$0]?.contains(lines[line]) ?? false }
            guard claims.count == 1, let only = claims.first else { continue }
            spines[only].add([line], of: lines)
            free.remove(line)
        }
    }

    /// Adds text to the spines on which it is printed.
    ///
    /// - Parameter owners: the place of the whole spine for each part.
    private func join(_ judged: inout [JudgedSpine], _ spines: [[UprightLine]], _ owners: [Int: Int]) {
        for owner in Set(owners.values) {
            let lines = spines.indices.filter { $0 == owner || owners[$0] == owner }.flatMap { spines[$0] }
            judged[owner].text = ReadingOrder.sorted(lines).readTexts
            let parts = spines.indices.filter { owners[$0] == owner }
            judged[owner].callNumber = ([owner] + parts).compactMap { judged[$0].callNumber }.first
        }
    }
}

extension [UprightLine] {
    /// The text of the lines that were read.
    var readTexts: [ReadText] { compactMap { $0.isUnread ? nil : $0.line.readText } }
}

/// The order in which a person reads the lines of one spine.
enum ReadingOrder {
    static func sorted(_ lines: [UprightLine]) -> [UprightLine] {
        guard let frame = lines.max(by: { $0.length < $1.length }) else { return lines }
        return lines.map { line -> (line: UprightLine, along: ClosedRange<Double>, across: Double) in
            let extents = line.extents(in: frame)
            return (line, extents.along, extents.across.middle)
        }.sorted { a, b in
            // Lines side by side are ordered across the spine, others along it.
            let shared = a.along.sharedLength(with: b.along)
            if shared > 0.5 * min(a.along.length, b.along.length) { return a.across < b.across }
            return a.along.middle < b.along.middle
        }.map(\.line)
    }
}
