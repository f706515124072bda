import Bibliography
import Foundation

/// The features by which the ways to read a spine are compared.
package enum ParseFeatures {
    package static let names = [
        // Of the title.
        "titleWeak", "titleHeight", "titleHeightSpread", "titleShare", "titleProminence",
        "titleOneWord", "titleTwoWords", "titleManyWords", "titleShort", "titleOdds", "titleTopOdds", "titleLikeness",
        "titleCommon", "titleOpen", "titleComma", "titleGap", "titleLines", "titleMixedDirection", "titleMixedCase",
        "titleNotText", "titleFigures", "titleSkips", "titleSpeck", "titleGivenFirst", "titleUnknown",
        "titleStartsCommon",
        // Of the author.
        "author", "authorOdds", "authorWorstOdds", "authorLikeness", "authorUnknown", "authorOneWord",
        "authorManyWords", "authorGivenOnly", "authorCommon", "authorDigit", "authorMark", "authorHeight",
        "authorHeightSpread", "authorLines", "authorGap", "authorMixedDirection", "authorFirst", "authorLast",
        "authorApart", "authorAround", "authorWeak", "authorShort", "authorOtherCase", "authorPublisher",
        "authorNameShaped", "authorMoreLikely", "authorTaller",
        // Of what is left.
        "restShare", "restHeight", "restProminence", "restName", "restContinues", "restOpen", "restText",
        // Of a line that was cut.
        "cut", "cutMarked", "cutCasing", "cutOff", "cutOddsChange", "cutEdge",
    ]

    static func values(_ parse: SpineParse, tallest: Double, letters: Int) -> [Double] {
        title(parse, tallest: tallest, letters: letters) + author(parse) + rest(parse, letters: letters) + cut(parse)
    }

    // MARK: - Title

    private static func title(_ parse: SpineParse, tallest: Double, letters: Int) -> [Double] {
        let title = parse.title
        let (parts, words, odds, own) = (title.parts, title.words, title.odds, title.letters)
        let lines = title.lines
        return [
            max(0, 0.95 - (parts.map(\.score).min() ?? 0)), log(mean(parts, \.height) / tallest),
            spread(parts), Double(own) / Double(max(1, letters)),
            prominence(parts) / prominence(parts + parse.rest + parse.author.parts),
            words.count == 1 ? 1 : 0, words.count == 2 ? 1 : 0, words.count > 8 ? 1 : 0, own < 5 ? 1 : 0,
            mean(odds) / 4, max(-4, odds.max() ?? 0) / 4, title.likeness,
            parts.contains(where: \.hasCommonWord) ? 1 : 0, parts.last?.isOpen == true ? 1 : 0,
            parts.last?.text.hasSuffix(",") == true ? 1 : 0, gap(parts), log(Double(parts.count)),
            Set(parts.map(\.isVertical)).count > 1 ? 1 : 0, Set(parts.compactMap(\.shouts)).count > 1 ? 1 : 0,
            parts.contains { $0.kind != .other } ? 1 : 0,
            parts.count == 1 && own <= 4 && parts[0].kind == .number ? 1 : 0,
            Double((lines.last ?? 0) - (lines.first ?? 0) + 1 - Set(lines).count > 0 ? 1 : 0),
            parts.contains { $0.letters < 3 } ? 1 : 0,
            words.first.map(NameWords.isGiven) == true && words.count < 4 ? 1 : 0,
            Double(parts.reduce(0) { $0 + $1.unknown }) / Double(max(1, words.count)),
            words.first.map(CommonWords.contains) == true ? 1 : 0,
        ]
    }

    // MARK: - Author

    private static func author(_ parse: SpineParse) -> [Double] {
        let author = parse.author
        let (parts, title) = (author.parts, parse.title.parts)
        guard let first = parts.first, let last = parts.last, let start = title.first, let end = title.last else {
            return [Double](repeating: 0, count: 27)
        }
        let (words, odds) = (author.words, author.odds)
        let long = words.filter { $0.count > 2 }
        let isShaped =
            (1...2).contains(long.count) && words.count <= 4 && !parts.contains { $0.hasCommonWord || $0.hasDigit }
        let height = mean(parts, \.height) / mean(title, \.height)
        let isBefore = last.line < start.line || last.line == start.line && parse.cut != nil && first.line < start.line
        let isAfter = first.line > end.line
        return [
            1, mean(odds) / 4, (odds.min() ?? 0) / 4, author.likeness,
            Double(parts.reduce(0) { $0 + $1.unknown }) / Double(max(1, words.count)), words.count == 1 ? 1 : 0,
            words.count > 6 ? 1 : 0, NameInLine.isGivenPart(words) ? 1 : 0,
            parts.contains(where: \.hasCommonWord) ? 1 : 0, parts.contains(where: \.hasDigit) ? 1 : 0,
            author.text.contains { ":?!".contains($0) } ? 1 : 0, max(-1.5, min(1.5, log(height))), spread(parts),
            log(Double(parts.count)), gap(parts), Set(parts.map(\.isVertical)).count > 1 ? 1 : 0, isBefore ? 1 : 0,
            isAfter ? 1 : 0, distance(parts, title), !isBefore && !isAfter && parse.cut == nil ? 1 : 0,
            max(0, 0.95 - (parts.map(\.score).min() ?? 0)), author.letters < 4 ? 1 : 0,
            first.shouts != nil && start.shouts != nil && first.shouts != start.shouts ? 1 : 0,
            author.isPublisher ? 1 : 0, isShaped ? 1 : 0,
            (mean(odds) - mean(parse.title.odds)) / 4, height > 1.1 ? 1 : 0,
        ]
    }

    // MARK: - Rest

    private static func rest(_ parse: SpineParse, letters: Int) -> [Double] {
        let rest = parse.rest.filter { $0.kind == .other && !$0.words.isEmpty }
        let title = parse.title.parts
        guard !rest.isEmpty, let start = title.first, let end = title.last else {
            return [Double](repeating: 0, count: 7)
        }
        let height = mean(title, \.height)
        let named = rest.filter { $0.likeness >= 0.6 || mean($0.odds) > 1.5 }.map {
            max($0.likeness, mean($0.odds) / 4)
        }
        let continuing = rest.contains { part in
            part.letters > 1 && part.isVertical == start.isVertical && abs(log(part.height / height)) < 0.25
                && (part.line == start.line - 1 || part.line == end.line + 1) && part.score >= 0.6
        }
        return [
            Double(rest.reduce(0) { $0 + $1.letters }) / Double(max(1, letters)),
            max(-1, min(1, log((rest.filter { $0.letters > 2 }.map(\.height).max() ?? 0.01) / height))),
            min(2, (rest.map { prominence([$0]) }.max() ?? 0) / prominence(title)),
            named.max() ?? 0, continuing ? 1 : 0, rest.contains { $0.isOpen && $0.line == start.line - 1 } ? 1 : 0, 1,
        ]
    }

    // MARK: - Cut

    private static func cut(_ parse: SpineParse) -> [Double] {
        guard let cut = parse.cut else { return [Double](repeating: 0, count: 6) }
        let change = parse.author.parts.isEmpty ? 0 : mean(parse.author.odds) - mean(parse.title.odds)
        return [
            1, cut.isMarked ? 1 : 0, cut.changesCasing ? 1 : 0, cut.isShared ? 0 : 1, cut.isShared ? change / 4 : 0,
            cut.isShared ? cut.edge / 4 : 0,
        ]
    }

    // MARK: - Measures

    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }

    /// The mean over letters.
    private static func mean(_ parts: [SpinePart], _ value: (SpinePart) -> Double) -> Double {
        let letters = parts.reduce(0.0) { $0 + Double(max(1, $1.letters)) }
        return parts.reduce(0.0) { $0 + value($1) * Double(max(1, $1.letters)) } / max(1, letters)
    }

    private static func spread(_ parts: [SpinePart]) -> Double {
        let heights = parts.map(\.height)
        return min(1.5, log((heights.max() ?? 1) / (heights.min() ?? 1)))
    }

    private static func prominence(_ parts: [SpinePart]) -> Double {
        max(1e-6, parts.reduce(0) { $0 + $1.height * Double(min(24, $1.letters)).squareRoot() * $1.score })
    }

    /// The largest gap between consecutive parts, in heights.
    private static func gap(_ parts: [SpinePart]) -> Double {
        zip(parts, parts.dropFirst()).reduce(0) { max($0, distance([$1.0], [$1.1])) }
    }

    /// The distance between two groups along and across the spine, in letter heights, 0...1 for 0 to 5 heights.
    private static func distance(_ a: [SpinePart], _ b: [SpinePart]) -> Double {
        var least = Double.infinity
        for p in a {
            for q in b {
                let gap = max(p.along.gap(to: q.along), p.across.gap(to: q.across))
                least = min(least, gap / max(p.height, q.height))
            }
        }
        return min(5, least) / 5
    }
}
