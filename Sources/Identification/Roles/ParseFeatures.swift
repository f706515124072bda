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
        "restShare", "restHeight", "restProminence", "restName", "restContinues", "restContinuesAuthor", "restOpen",
        "restText",
        // Of a line that was cut.
        "cut", "cutMarked", "cutCasing", "cutOff", "cutOddsChange", "cutEdge", "cutSeen", "cutContrast",
        "cutLead", "cutGap",
    ]

    static func values(_ parse: SpineParse, tallest: Double, letters: Int) -> [Double] {
        title(parse, tallest: tallest, letters: letters) + author(parse) + rest(parse, letters: letters) + cut(parse)
    }

    // MARK: - Title

    private static func title(_ parse: SpineParse, tallest: Double, letters: Int) -> [Double] {
        let (title, measures) = (parse.title, parse.title.measures)
        let (parts, words, own, lines) = (title.parts, title.words, title.letters, title.lines)
        let all = (parse.rest + parse.author.parts).reduce(measures.prominence) { $0 + $1.prominence }
        return [
            measures.weakness, log(measures.height / tallest),
            measures.spread, Double(own) / Double(max(1, letters)),
            max(least, measures.prominence) / max(least, all),
            words.count == 1 ? 1 : 0, words.count == 2 ? 1 : 0, words.count > 8 ? 1 : 0, own < 5 ? 1 : 0,
            measures.meanOdds / 4, measures.topOdds / 4, title.likeness,
            measures.hasCommonWord ? 1 : 0, parts.last?.isOpen == true ? 1 : 0,
            measures.endsWithComma ? 1 : 0, measures.gap, log(Double(parts.count)),
            measures.isMixedDirection ? 1 : 0, measures.isMixedCase ? 1 : 0,
            parts.contains { $0.kind != .other } ? 1 : 0,
            parts.count == 1 && own <= 4 && parts[0].kind == .number ? 1 : 0,
            Double((lines.last ?? 0) - (lines.first ?? 0) + 1 - Set(lines).count > 0 ? 1 : 0),
            parts.contains { $0.letters < 3 } ? 1 : 0,
            measures.startsGiven && words.count < 4 ? 1 : 0, measures.unknown, measures.startsCommon ? 1 : 0,
        ]
    }

    // MARK: - Author

    private static func author(_ parse: SpineParse) -> [Double] {
        let author = parse.author
        let (parts, title) = (author.parts, parse.title.parts)
        guard let first = parts.first, let last = parts.last, let start = title.first, let end = title.last else {
            return [Double](repeating: 0, count: 27)
        }
        let (words, measures) = (author.words, author.measures)
        let height = measures.height / parse.title.measures.height
        let isBefore = last.line < start.line || last.line == start.line && parse.cut != nil && first.line < start.line
        let isAfter = first.line > end.line
        return [
            1, measures.meanOdds / 4, measures.worstOdds / 4, author.likeness, measures.unknown,
            words.count == 1 ? 1 : 0, words.count > 6 ? 1 : 0, measures.isGivenPart ? 1 : 0,
            measures.hasWordOfNoName ? 1 : 0, measures.hasDigit ? 1 : 0, measures.hasMark ? 1 : 0,
            max(-1.5, min(1.5, log(height))), measures.spread, log(Double(parts.count)), measures.gap,
            measures.isMixedDirection ? 1 : 0, isBefore ? 1 : 0, isAfter ? 1 : 0, RunMeasures.distance(parts, title),
            !isBefore && !isAfter && parse.cut == nil ? 1 : 0, measures.weakness, author.letters < 4 ? 1 : 0,
            first.shouts != nil && start.shouts != nil && first.shouts != start.shouts ? 1 : 0,
            author.isPublisher ? 1 : 0, measures.isNameShaped ? 1 : 0,
            (measures.meanOdds - parse.title.measures.meanOdds) / 4, height > 1.1 ? 1 : 0,
        ]
    }

    // MARK: - Rest

    private static func rest(_ parse: SpineParse, letters: Int) -> [Double] {
        let rest = parse.rest.filter { $0.kind == .other && !$0.words.isEmpty }
        let title = parse.title.parts
        guard !rest.isEmpty, let start = title.first, let end = title.last else {
            return [Double](repeating: 0, count: 8)
        }
        let measures = parse.title.measures
        let height = measures.height
        let named = rest.filter { $0.likeness >= 0.6 || $0.meanOdds > 1.5 }.map { max($0.likeness, $0.meanOdds / 4) }
        let continuing = rest.contains { part in
            part.letters > 1 && part.isVertical == start.isVertical && abs(log(part.height / height)) < 0.25
                && (part.line == start.line - 1 || part.line == end.line + 1) && part.score >= 0.6
        }
        let author = parse.author.parts
        let namesMore = rest.contains { part in
            part.letters > 2 && part.meanOdds > 0
                && author.contains { name in
                    abs(name.line - part.line) == 1 && name.isVertical == part.isVertical && name.shouts == part.shouts
                        && abs(log(name.height / part.height)) < 0.1
                }
        }
        return [
            Double(rest.reduce(0) { $0 + $1.letters }) / Double(max(1, letters)),
            max(-1, min(1, log((rest.filter { $0.letters > 2 }.map(\.height).max() ?? 0.01) / height))),
            min(2, max(least, rest.map(\.prominence).max() ?? 0) / max(least, measures.prominence)),
            named.max() ?? 0, continuing ? 1 : 0, namesMore ? 1 : 0,
            rest.contains { $0.isOpen && $0.line == start.line - 1 } ? 1 : 0, 1,
        ]
    }

    // MARK: - Cut

    private static func cut(_ parse: SpineParse) -> [Double] {
        guard let cut = parse.cut else { return [Double](repeating: 0, count: 10) }
        let change = parse.author.parts.isEmpty ? 0 : parse.author.measures.meanOdds - parse.title.measures.meanOdds
        return [
            1, cut.isMarked ? 1 : 0, cut.changesCasing ? 1 : 0, cut.isShared ? 0 : 1, cut.isShared ? change / 4 : 0,
            cut.isShared ? cut.edge / 4 : 0,
            cut.change == nil ? 0 : 1, cut.change?.contrast ?? 0, cut.change?.lead ?? 0, cut.change?.gap ?? 0,
        ]
    }

    /// Less prominence than that of any text.
    private static let least = 1e-6
}
