import Bibliography
import Imaging

/// The lines that several spines of a photo have in one place, set alike: the name of a series, or of the author.
enum SeriesLines {
    /// Fewer may be titles that begin alike.
    private static let leastSpines = 3
    /// Across the shelf's height or along its length, in lengths of the line: on a labelled shelf the names of a series differ by
    /// less than 0.15, equal words of titles by more than 0.5.
    private static let farthest = 0.3
    /// The largest ratio of the heights.
    private static let sameHeight = 1.4
    /// Shorter text is a scrap as often.
    private static let leastLetters = 4

    /// More with the same text say nothing more.
    private static let mostLines = 50

    /// Returns the folded words of these lines.
    ///
    /// Copies of one book do not count: the rest of their text is the same. O(lines²) for lines with the same text.
    ///
    /// - Parameter spines: the lines of each.
    static func words(of spines: [[UprightLine]]) -> Set<[String]> {
        var places: [[String]: [(spine: Int, line: UprightLine)]] = [:]
        for (spine, lines) in spines.enumerated() {
            for line in lines where line.words.joined().count >= leastLetters && !isOpen(line.words) {
                if places[line.words, default: []].count < mostLines {
                    places[line.words, default: []].append((spine, line))
                }
            }
        }
        return Set(
            places.filter { words, lines in
                lines.count >= leastSpines
                    && lines.contains { one in
                        let alike = lines.filter { areAlike($0.line, one.line) }
                        let rests = Set(alike.map(\.spine)).map { rest(of: spines[$0], without: words) }
                        return different(rests) >= leastSpines
                    }
            }.keys)
    }

    /// Whether a title cannot end, or begin, with these words alone: `INTRODUCTION TO`.
    private static func isOpen(_ words: [String]) -> Bool {
        words.last.map(CommonWords.contains) == true
    }

    private static func rest(of spine: [UprightLine], without words: [String]) -> Set<String> {
        Set(spine.flatMap(\.words).filter { !CommonWords.contains($0) }).subtracting(words)
    }

    /// Returns how many texts have most words apart from all before them.
    private static func different(_ texts: [Set<String>]) -> Int {
        texts.reduce(into: [Set<String>]()) { kept, text in
            let isNew = kept.allSatisfy { 2 * $0.intersection(text).count < max(1, min($0.count, text.count)) }
            if isNew, !text.isEmpty { kept.append(text) }
        }.count
    }

    private static func areAlike(_ a: UprightLine, _ b: UprightLine) -> Bool {
        let (first, second) = (a.quad.center, b.quad.center)
        let distance = min(abs(first.x - second.x), abs(first.y - second.y))
        return a.isVertical == b.isVertical && max(a.height, b.height) <= sameHeight * min(a.height, b.height)
            && distance <= farthest * max(a.length, b.length)
    }
}
