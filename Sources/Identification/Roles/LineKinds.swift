import Bibliography
import SpineReading

/// What the lines of a spine are by their words, before title and author are decided: imprints, numbers, and people who are
/// not the author are neither.
struct LineKinds {
    /// How much larger than an imprint, and than a genre, the title of its spine is at least.
    private static let (smallImprint, smallGenre) = (1.15, 1.6)
    /// The largest ratio of the heights of the lines of one name.
    private static let sameHeight = 1.2

    private let lines: [UprightLine]
    private let arePublishers: [Bool]
    /// The height of the largest text of several letters, in pixels.
    private let tallest: Double

    private init(_ lines: [UprightLine]) {
        self.lines = lines
        let arePublishers = lines.map { Publishers.isPublisher($0.words) }
        self.arePublishers = arePublishers
        tallest =
            lines.indices.filter { place in
                !arePublishers[place] && lines[place].words.joined().count > 2
                    && !Numbering.isNumbering(lines[place].words)
            }.map { lines[$0].height }.max() ?? 0
    }

    /// Returns what the words of each line say, those of the lines beside it, and `credits`.
    ///
    /// O(lines).
    static func all(of lines: [UprightLine], credits: [Contributors.Credit?]) -> [LineRole] {
        let spine = LineKinds(lines)
        var kinds = lines.indices.map(spine.kind)
        guard lines.count > 1 else { return kinds }
        let isPraised = lines.contains { Contributors.isAttribution($0.line.text) }
        for (place, line) in lines.enumerated() where kinds[place] == .other {
            let text = line.line.text
            if Contributors.isAttribution(text) || isPraised && Contributors.isQuotation(text) {
                kinds[place] = .number
            }
        }
        let others = lines.indices.filter { kinds[$0] == .other && credits[$0] == nil }
        let isName = NameWords.areNames(others.map { lines[$0].words })
        for place in lines.indices where kinds[place] == .other && !others.isEmpty {
            // Beside a name alone, which is the title of a life, a companion is the author.
            guard let part = credits[place]?.part, part == .other || part == .companion && !isName else { continue }
            kinds[place] = .number
        }
        return kinds
    }

    private func kind(at place: Int) -> LineRole {
        let words = lines[place].words
        if arePublishers[place] {
            if Publishers.isOrdinary(words) {
                return isSmall(place, Self.smallImprint) ? .publisher : .other
            }
            return continuesName(place) || beginsTitle(place) ? .other : .publisher
        }
        if Numbering.isNumbering(words) { return .number }
        guard lines.count > 1 else { return .other }
        if isGenre(place) { return .publisher }
        // Further authors, who are not named.
        if words == ["et", "al"] { return .number }
        if Publishers.isOrganisation(words) { return .publisher }
        return Numbering.continuesNumbering(words) ? .number : .other
    }

    private func isSmall(_ place: Int, _ ratio: Double) -> Bool { tallest >= ratio * lines[place].height }

    /// Whether a line at the head or foot of a spine is a genre, much smaller than the title.
    private func isGenre(_ place: Int) -> Bool {
        Publishers.isGenre(lines[place].words) && isSmall(place, Self.smallGenre)
            && (arePublishers[..<place].allSatisfy(\.self) || arePublishers[(place + 1)...].allSatisfy(\.self))
    }

    /// Whether the name of a publisher begins a title that the next line continues: `OXFORD BOOK` and `OF`.
    private func beginsTitle(_ place: Int) -> Bool {
        let next = place + 1 < lines.count ? lines[place + 1].words.first : nil
        return next.map(Publishers.continuesTitle) == true
    }

    /// Whether a line is the surname after a given name on the line before: `KARL` and `FISCHER`.
    private func continuesName(_ place: Int) -> Bool {
        guard place > 0, lines[place].words.count <= 2 else { return false }
        let (before, line) = (lines[place - 1], lines[place])
        guard Publishers.isSurname(line.words) || !Publishers.isExactly(line.words) else { return false }
        return NameInLine.isGivenPart(before.words) && before.words.contains { $0.count > 2 }
            && before.isVertical == line.isVertical
            && max(before.height, line.height) <= Self.sameHeight * min(before.height, line.height)
    }
}
