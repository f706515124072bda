import Bounds
import Concurrency
import Imaging
import ShelflistAPI

/// Reads the lines in detected areas: all of them with a quick recogniser, and those that it leaves in doubt with a
/// thorough one.
struct LineReader: Sendable {
    /// Text below this score is also read in the opposite direction.
    private static let sureScore = 0.85
    /// Text of the quick recogniser is read again below this score.
    ///
    /// At 0.98 the lines and books of the benchmark photos are those of the other recogniser alone; at 0.95 and 0.90 up to
    /// two fewer are found (docs/decisions/0023-faster-reading.md).
    private static let certainScore = 0.98
    /// Text below this score is noise.
    private static let minimumScore = 0.3
    /// Areas of the turned look that score this much explain what the upright look found at the same place.
    private static let explainingScore = 0.9
    /// The share of an area, 0...1, that has to be explained.
    private static let explainedShare = 0.5
    /// Where the quick recogniser scores less than this in both directions, the thorough one reads no title either.
    ///
    /// Of 110 such lines of the benchmark photos, none ended with a word of a title.
    private static let readableScore = 0.5
    /// Where the quick recogniser's scores of both directions differ by less than this, the thorough one reads both, too.
    private static let undecidedGap = 0.2
    /// Tall areas that score less than this in both directions are also read as stacked letters.
    private static let stackedBelow = 0.8
    /// The number of long lines that decide the direction in which a shelf's spines run.
    private static let sampleSize = 6
    /// The minimum gain in score for the opposite direction to win.
    private static let turnGain = 0.02

    /// Reads a line in a quarter of the time, but lacks Kana and many Han characters.
    let quick: TextRecognizer
    /// Reads the lines of shelves whose letters are all Latin.
    let thorough: TextRecognizer
    /// Reads those of other shelves.
    let complete: LoadedOnce<TextRecognizer>
    /// Reads letters that all of them lack.
    let scripts: ScriptReader

    /// Reads each area once or more, and returns one line for each place that holds text.
    ///
    /// - Parameter progress: receives the share of the areas that was read, 0...1; the unclear ones are read again after
    ///   that.
    func read(
        _ text: DetectedText, in photo: ImagePyramid, progress: (Double) -> Void
    ) async throws -> (lines: [TextLine], unknown: UnknownLetters?) {
        let count = Double(text.areas.count)
        let shelf = try await direction(of: text.turned, in: photo)
        var drafts = try await readQuickly(text.turned, shelf, in: photo) { progress(Double($0) / count) }
        let unexplained = Self.unexplained(text.upright, by: drafts.map(\.line))
        let known = text.areas.count - unexplained.count
        drafts += try await readQuickly(unexplained, shelf, in: photo) { progress(Double(known + $0) / count) }
        let quickLines = drafts.map(\.line)
        if let letters = UnknownLetters.suspected(in: quickLines),
            let lines = try await scripts.read(quickLines, besides: letters, in: photo)
        {
            return (OverlappingLines.resolved(lines), nil)
        }
        // The quick recogniser's scores say nothing about letters that it lacks, and only letters show the script.
        let isLatin = !drafts.contains { $0.line.score >= Self.readableScore && $0.line.hasOtherLetters }
        let thorough = isLatin ? thorough : try complete.value()
        try await readDoubtful(&drafts, isLatin, with: thorough, in: photo)
        try await readStacked(&drafts, with: thorough, in: photo)
        let lines = drafts.map(\.line)
        let letters = UnknownLetters.found(in: lines)
        if let suspected = letters ?? (UnknownLetters.areDoubtful(in: lines) ? .other : nil),
            let read = try await scripts.read(lines, besides: suspected, in: photo)
        {
            return (OverlappingLines.resolved(read), nil)
        }
        if let letters {
            let kept = letters.withoutLookAlikes(lines).filter { $0.score >= Self.minimumScore || $0.text.isEmpty }
            return (OverlappingLines.resolved(kept), letters)
        }
        let read = try await scripts.readAmongOthers(lines, in: photo)
        let kept = read.filter { $0.score >= Self.minimumScore && !$0.text.isEmpty }
        return (OverlappingLines.resolved(kept), nil)
    }

    /// The direction of the text along the spines of a shelf.
    private struct ShelfDirection {
        var isUp = false
        /// What was read to find it out, by the quad in the direction that it was read in.
        var readings: [Quad: RecognizedText] = [:]
    }

    /// Spines of one shelf mostly run the same way, up or down, so the longest areas are read first and decide which
    /// direction is tried first for the others.
    private func direction(of areas: [Quad], in photo: ImagePyramid) async throws -> ShelfDirection {
        let vertical = areas.filter(\.runsVertically)
        guard vertical.count >= 3 * Self.sampleSize else { return ShelfDirection() }
        let sample = Array(vertical.sorted { $0.length > $1.length }.prefix(Self.sampleSize))
        let down = try await quick.read(sample, in: photo)
        var shelf = ShelfDirection(readings: Dictionary(zip(sample, down)) { first, _ in first })
        if down.filter({ $0.score < Self.sureScore }).count > sample.count / 2 {
            let turned = sample.map(\.turnedHalf)
            let up = try await quick.read(turned, in: photo)
            shelf.isUp = up.reduce(0) { $0 + $1.score } > down.reduce(0) { $0 + $1.score }
            shelf.readings.merge(zip(turned, up)) { first, _ in first }
        }
        return shelf
    }

    /// Reads areas with the quick recogniser, unsure ones in both directions.
    ///
    /// - Parameter progress: receives the number of areas read so far.
    private func readQuickly(
        _ areas: [Quad], _ shelf: ShelfDirection, in photo: ImagePyramid, progress: (Int) -> Void
    ) async throws -> [Draft] {
        let quads = areas.map { shelf.isUp && $0.runsVertically ? $0.turnedHalf : $0 }
        let rest = quads.filter { shelf.readings[$0] == nil }
        var new = try await quick.read(rest, in: photo) { progress(areas.count - rest.count + $0) }[...]
        var drafts = zip(areas, quads).map { area, quad in
            let reading = shelf.readings[quad] ?? new.removeFirst()
            return Draft(area: area, line: TextLine(reading, at: quad), quickScore: reading.score)
        }
        let unsure = drafts.indices.filter { drafts[$0].line.score < Self.sureScore }
        for (index, other) in zip(unsure, try await readTurned(unsure, of: drafts, with: quick, in: photo)) {
            let first = drafts[index].quickScore
            drafts[index].take(other, above: Self.turnGain)
            (drafts[index].quickScore, drafts[index].otherQuickScore) = (
                max(first, other.score), min(first, other.score)
            )
        }
        return drafts
    }

    /// The lines' text read from their other ends.
    private func readTurned(
        _ indices: [Int], of drafts: [Draft], with recognizer: TextRecognizer, in photo: ImagePyramid
    ) async throws -> [TextLine] {
        let quads = indices.map { drafts[$0].line.quad.turnedHalf }
        return zip(try await recognizer.read(quads, in: photo), quads).map { TextLine($0, at: $1) }
    }

    /// The areas of the upright look that hold more than fragments of lines which were read at the same place.
    private static func unexplained(_ areas: [Quad], by lines: [TextLine]) -> [Quad] {
        let sure = lines.filter { $0.score >= explainingScore && $0.text.count > 1 }
        return areas.filter { area in
            sure.reduce(0) { $0 + ($1.quad.sharedArea(with: area) ?? 0) } <= explainedShare * area.area
        }
    }

    /// Reads the lines of which the quick recogniser is not certain with the thorough one.
    private func readDoubtful(
        _ drafts: inout [Draft], _ isLatin: Bool, with thorough: TextRecognizer, in photo: ImagePyramid
    ) async throws {
        let doubtful = drafts.indices.filter { index in
            let (line, score) = (drafts[index].line, drafts[index].quickScore)
            guard score < Self.certainScore || !line.isLatin else { return false }
            return !isLatin || score >= Self.readableScore
        }
        let quads = doubtful.map { drafts[$0].line.quad }
        for (index, reading) in zip(doubtful, try await thorough.read(quads, in: photo)) {
            drafts[index].line = TextLine(reading, at: drafts[index].line.quad)
        }
        let unsure = doubtful.filter { index in
            let draft = drafts[index]
            guard draft.line.score < Self.sureScore else { return false }
            guard isLatin, let other = draft.otherQuickScore else { return true }
            return draft.quickScore - other < Self.undecidedGap
        }
        for (index, other) in zip(unsure, try await readTurned(unsure, of: drafts, with: thorough, in: photo)) {
            drafts[index].take(other, above: Self.turnGain)
        }
    }

    /// Reads tall areas again as stacked letters if they scored low in both directions.
    private func readStacked(
        _ drafts: inout [Draft], with thorough: TextRecognizer, in photo: ImagePyramid
    ) async throws {
        var indices: [Int] = []
        var pictures: [RGBImage] = []
        for (index, draft) in drafts.enumerated() where draft.line.score < Self.stackedBelow {
            guard let line = StackedLetters.line(in: draft.area, of: photo) else { continue }
            indices.append(index)
            pictures.append(line)
        }
        for (index, reading) in zip(indices, try await thorough.read(pictures))
        where reading.score > max(drafts[index].line.score + Self.turnGain, 0.7) && reading.text.count >= 3 {
            // The letters were cut apart, so nothing is known of the spaces.
            drafts[index].line = TextLine(reading, at: drafts[index].area)
            drafts[index].line.spaces = nil
        }
    }
}

/// A line while it is read.
private struct Draft {
    let area: Quad
    var line: TextLine
    /// The quick recogniser's better score, and that of the other direction if it was read.
    var quickScore: Double
    var otherQuickScore: Double?

    /// Takes another reading of the line if it scores better by more than `gain`.
    mutating func take(_ other: TextLine, above gain: Double) {
        if other.score > line.score + gain { line = other }
    }
}

extension TextLine {
    fileprivate init(_ reading: RecognizedText, at quad: Quad) {
        self.init(
            text: ReadFigures.corrected(reading.text), score: reading.score, quad: quad, spaces: reading.spaces)
    }

    /// Whether all letters are up to U+017F, all of which the quick recogniser has.
    fileprivate var isLatin: Bool { text.unicodeScalars.allSatisfy { $0.value <= 0x17F } }

    /// Whether it has letters, not only marks, beyond Latin Extended-B and Latin Extended Additional.
    fileprivate var hasOtherLetters: Bool {
        text.unicodeScalars.contains {
            $0.value > 0x24F && $0.properties.isAlphabetic && !(0x1E00...0x1EFF ~= $0.value)
        }
    }
}
