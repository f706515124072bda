import Imaging
import ShelflistAPI

/// Reads shelves whose letters the models lack.
///
/// All constants are of `docs/decisions/0037-other-scripts.md`.
struct ScriptReader: Sendable {
    /// The lines that elect the script: the longest.
    private static let voters = 16
    /// A script that none of these is in is not tried further.
    private static let firstVoters = 8
    /// Two shelves in Russian gave 9 and 10 votes for Cyrillic; ten in other letters at most 2 for any script.
    private static let leastVotes = 3
    /// A vote needs this score, this share of letters of the script among all characters, and as many of them.
    private static let (voteScore, voteShare, voteLetters) = (0.75, 0.8, 4)
    private static let sureScore = 0.95
    /// Lines below this score are also read from the other end, and in other sizes.
    private static let doubtfulScore = 0.85
    private static let otherHeights = [40, 64]
    private static let noiseBelow = 0.5
    private static let leastLetters = 2

    private let recognizers: [ScriptRecognizer]
    private let workers: Int

    init(_ data: ScriptData, workers: Int) {
        recognizers = data.scripts.compactMap { script in
            data.files[script].map { ScriptRecognizer(script, data: $0) }
        }
        self.workers = workers
    }

    /// Returns the lines as read in the script that most of them are in; nil if none of those installed fits.
    ///
    /// - Parameter lines: as the models read them.
    func read(_ lines: [TextLine], besides letters: UnknownLetters, in photo: ImagePyramid) async throws -> [TextLine]?
    {
        guard let recognizer = try await elected(by: lines, besides: letters, in: photo) else { return nil }
        let readings = try await read(lines.map(\.quad), with: recognizer, in: photo)
        return zip(lines, readings).map { line, reading in
            let reads = Self.isVote(reading.text, reading.score, for: recognizer.script)
            // Look-alikes of a short word can be sure; those of a word that is read well in the script are none.
            if letters.areKnown(in: line), letters.script != nil || !reads { return line }
            let letters = reading.text.count(where: recognizer.script.contains)
            if letters >= Self.leastLetters, reading.score >= Self.noiseBelow { return reading }
            // Figures look the same in most scripts.
            let isNumber = line.score >= Self.sureScore && !line.text.contains(where: \.isLetter)
            return isNumber ? line : TextLine(text: "", score: line.score, quad: line.quad)
        }
    }

    /// Returns the lines with those replaced that Cyrillic letters explain better: of a book among others.
    ///
    /// Its letters are read as Latin ones or left out, so only lines are tried that have none without a Cyrillic twin, or few
    /// for their length: some of a usual shelf. Where one is Cyrillic, the lines that seemed sure are tried, too.
    func readAmongOthers(_ lines: [TextLine], in photo: ImagePyramid) async throws -> [TextLine] {
        guard let recognizer = recognizers.first(where: { $0.script == .cyrillic }) else { return lines }
        let candidates = lines.indices.filter {
            UnknownLetters.areLookAlikes(lines[$0]) || UnknownLetters.areFew(in: lines[$0])
        }
        func isSure(_ index: Int) -> Bool {
            lines[index].score >= Self.sureScore && !UnknownLetters.areFew(in: lines[index])
        }
        var result = lines
        for sure in [false, true] where !sure || result != lines {
            let tried = candidates.filter { isSure($0) == sure }
            let readings = try await read(tried.map { lines[$0].quad }, with: recognizer, in: photo)
            for (index, reading) in zip(tried, readings) where Self.isCertain(reading) {
                if sure || UnknownLetters.areFew(in: lines[index]) || reading.score > lines[index].score {
                    result[index] = reading
                }
            }
        }
        return result
    }

    /// Latin lines are read as Cyrillic twins of their letters, at up to 0.88.
    private static func isCertain(_ reading: TextLine) -> Bool {
        let letters = reading.text.count(where: LetterScript.cyrillic.contains)
        let own = reading.text.count { LetterScript.cyrillic.contains($0) && !twins.contains($0) }
        let all = reading.text.count { !$0.isWhitespace }
        return reading.score >= 0.8 && letters >= voteLetters && Double(letters) >= voteShare * Double(all)
            && Double(own) >= leastOwn * Double(letters)
    }

    /// The least share of letters that have no Latin twin.
    private static let leastOwn = 0.3
    /// Cyrillic letters that look like Latin ones, also those that Russian lacks.
    private static let twins: Set<Character> = Set("АВЕЅІЈКМНОРСТУҮХЅаеіјорсухѕ")

    // MARK: Election

    private func elected(
        by lines: [TextLine], besides letters: UnknownLetters, in photo: ImagePyramid
    ) async throws -> ScriptRecognizer? {
        let voters = Array(lines.sorted { $0.quad.length > $1.quad.length }.prefix(Self.voters))
        // Of letters with twins the models' scores say nothing.
        let atLeast = voters.map { letters.script == nil ? $0.score : 0 }
        let quads = voters.map(\.quad)
        let parts = [Array(quads.indices.prefix(Self.firstVoters)), Array(quads.indices.dropFirst(Self.firstVoters))]
        /// The script that explains each area best, and how well.
        var choices: [Int: (recognizer: Int, score: Double)] = [:]
        for (place, recognizer) in recognizers.enumerated()
        where letters.script == nil || letters.script == recognizer.script {
            for part in parts {
                let votes = try await votes(of: part, in: quads, for: recognizer, in: photo)
                for (index, score) in votes where score > max(atLeast[index], choices[index]?.score ?? 0) {
                    choices[index] = (place, score)
                }
                if votes.isEmpty { break }
            }
        }
        let counts = recognizers.indices.map { place in choices.values.count { $0.recognizer == place } }
        guard let most = counts.max(), most >= Self.leastVotes, counts.count(where: { 2 * $0 > most }) == 1 else {
            return nil
        }
        return counts.firstIndex(of: most).map { recognizers[$0] }
    }

    /// Returns the score of each area that holds text in a script: read along, from the other end, or as stacked letters.
    private func votes(
        of indices: [Int], in quads: [Quad], for recognizer: ScriptRecognizer, in photo: ImagePyramid
    ) async throws -> [Int: Double] {
        let areas = indices.map { quads[$0] }
        let readings = try await recognizer.read(areas + areas.map(\.turnedHalf), in: photo, workers: workers)
        let stacked = try await readStacked(indices, of: quads, with: recognizer, in: photo)
        let read =
            zip(indices + indices, readings).map { ($0, $1.text, $1.score) }
            + stacked.map { ($0.index, $0.line.text, $0.line.score) }
        return read.filter { Self.isVote($1, $2, for: recognizer.script) }
            .reduce(into: [:]) { $0[$1.0] = max($0[$1.0] ?? 0, $1.2) }
    }

    private static func isVote(_ text: String, _ score: Double, for script: LetterScript) -> Bool {
        let own = text.count(where: script.contains)
        return score >= voteScore && own >= voteLetters && share(of: script, in: text) >= voteShare
    }

    /// The share of the characters, 0...1, that are letters of a script.
    private static func share(of script: LetterScript, in text: String) -> Double {
        let all = text.count { !$0.isWhitespace }
        return Double(text.count(where: script.contains)) / Double(max(1, all))
    }

    // MARK: Reading

    /// Reads each line from the end that the models chose, and where that is doubtful from the other end and in other sizes.
    private func read(
        _ quads: [Quad], with recognizer: ScriptRecognizer, in photo: ImagePyramid
    ) async throws -> [TextLine] {
        func lines(_ quads: [Quad], height: Int = ScriptRecognizer.lineHeight) async throws -> [TextLine] {
            let readings = try await recognizer.read(quads, height: height, in: photo, workers: workers)
            return zip(readings, quads).map { TextLine(text: Self.withoutMarks($0.text), score: $0.score, quad: $1) }
        }
        /// Upside down, letters are read as figures and marks.
        func quality(_ line: TextLine) -> Double { line.score * Self.share(of: recognizer.script, in: line.text) }
        var best = try await lines(quads)
        func doubtful() -> [Int] { best.indices.filter { quality(best[$0]) < Self.doubtfulScore } }
        let turned = doubtful()
        for (index, line) in zip(turned, try await lines(turned.map { best[$0].quad.turnedHalf })) {
            if quality(line) > quality(best[index]) { best[index] = line }
        }
        let left = doubtful()
        for height in Self.otherHeights {
            for (index, line) in zip(left, try await lines(left.map { best[$0].quad }, height: height)) {
                if quality(line) > quality(best[index]) { best[index] = line }
            }
        }
        for (index, line) in try await readStacked(doubtful(), of: quads, with: recognizer, in: photo) {
            if quality(line) > quality(best[index]) { best[index] = line }
        }
        return best
    }

    /// Reads those areas as stacked letters that can be.
    private func readStacked(
        _ indices: [Int], of quads: [Quad], with recognizer: ScriptRecognizer, in photo: ImagePyramid
    ) async throws -> [(index: Int, line: TextLine)] {
        let stacked = indices.compactMap { index in
            StackedLetters.line(in: quads[index], of: photo).map { (index: index, picture: $0) }
        }
        let readings = try await recognizer.read(stacked.map(\.picture), workers: workers)
        return zip(stacked, readings).map { line, reading in
            let text = Self.withoutMarks(reading.text)
            return (line.index, TextLine(text: text, score: reading.score, quad: quads[line.index]))
        }
    }

    /// Returns a line without the ornaments and edges at its ends that are read as marks: `~ Winter light ·`.
    private static func withoutMarks(_ text: String) -> String {
        func isMark(_ word: Substring) -> Bool { !word.contains { $0.isLetter || $0.isNumber } }
        let words = text.split(separator: " ")
        let kept = words.drop(while: isMark).reversed().drop(while: isMark).reversed()
        let line = kept.joined(separator: " ")
        // A quotation mark that nothing closes is the edge of a book.
        guard let first = line.first, quotes.contains(first), line.count(where: quotes.contains) == 1 else {
            return line
        }
        return String(line.dropFirst())
    }

    private static let quotes: Set<Character> = ["\"", "'", "«", "»", "“", "”", "„", "‘", "’"]
}
