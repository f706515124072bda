import ArgumentParser
import Bounds
import Foundation
import Identification
import Imaging
import Library
import Lookup
import Reading
import Scans
import ShelflistAPI
import SpineReading
import Terminal

/// `scan --compare`: what several readers see in the same photos.
extension ScanCommand {
    static func readers(_ text: String) throws -> [ReaderMode] {
        let modes = try text.split(separator: ",").map { word in
            guard let mode = ReaderMode(rawValue: word.trimmingCharacters(in: .whitespaces)) else {
                throw ValidationError(
                    "--compare names readers with commas between (\(ReaderMode.allCases.map(\.rawValue).joined(separator: ", "))"
                        + "); it cannot be '\(word)'.")
            }
            return mode
        }
        guard modes.count >= 2, Set(modes).count == modes.count else {
            throw ValidationError("--compare needs two or more different readers, for example local,gemini.")
        }
        return modes
    }

    func checkOptionsOfComparison() throws {
        let modes = try Self.readers(compare ?? "")
        if offline, modes.contains(where: { $0 != .local }) {
            throw ValidationError("--offline sends nothing, so there is nothing to compare. Leave it out.")
        }
        if isImported || annotate != nil || reader != nil {
            throw ValidationError("--compare only prints. Leave out --import, --annotate and --reader.")
        }
        if format == .csv { throw ValidationError("--compare prints a table or JSON. Use --format table or json.") }
    }

    func printComparison(of modes: [ReaderMode]) async throws {
        for mode in modes {
            try await ReaderQuestion(data: folder.url, canAsk: format == .table && SourceQuestion.isPossible)
                .settle(mode)
        }
        let installation = try Installation.locate()
        let sources = try await openSources(
            installation, library: openLibrary(), reader: modes.first { $0 != .local })
        let scanner = try PhotoScanner(
            installation: installation,
            options: ReadingOptions(preprocessing: preprocess, threshold: localThreshold, reportsSpines: false),
            cache: installation.cache(for: folder.url), catalog: sources.records)
        var comparisons: [ReaderComparison] = []
        var hasFailed = false
        for file in photos.map(PhotoFile.init(path:)) {
            do {
                let bytes = try file.read()
                let photo = try await scanner.read(bytes, name: file.path)
                var comparison = ReaderComparison(photo)
                for mode in modes {
                    var reason: String?
                    let question = PhotoQuestion(photo, mode: mode, threshold: localThreshold) { bytes }
                    let (reasons, continuation) = AsyncStream<String>.makeStream()
                    let result = try await sources.identification?.identify(question, with: scanner) {
                        if case .unavailable(let source) = $0 { continuation.yield(source.message) }
                    }
                    continuation.finish()
                    for await message in reasons { reason = message }
                    comparison.add(mode, result ?? photo, failure: reason)
                }
                comparisons.append(comparison)
                if format == .table {
                    StandardStream.output.write(
                        comparison.lines(
                            width: StandardStream.output.columns, colors: StandardStream.output.showsColors
                        )
                        .map { $0 + "\n" }.joined())
                }
            } catch {
                hasFailed = true
                StandardStream.errors.write(Failure.line(for: file.path, error))
            }
        }
        await sources.close()
        if format == .json { StandardStream.output.write(JSONText.document(["photos": comparisons])) }
        if hasFailed { throw ExitCode.failure }
    }
}

/// What several readers saw in one photo.
struct ReaderComparison: Encodable {
    /// One reader: what it read on each spine, in the order of the rows.
    struct Column: Encodable {
        struct Reading: Encodable {
            var title: String
            var author: String?

            fileprivate var words: String { [title, author].compactMap(\.self).joined(separator: " / ") }
        }

        var reader: ReaderMode.RawValue
        /// What the reader itself read on each spine; nil where it read nothing or was not asked.
        var readings: [Reading?]
        /// The number of spines that both this reader and the first one read, and of those the ones with the same title.
        var both = 0
        var agreed = 0
        var seconds: Double
        var model: ModelUse?
        /// Why the model did not answer.
        var failure: String?
    }

    let path: String
    /// Of the spines, left and top first: those of the local reader, then those that only a model saw.
    private(set) var columns: [Column] = []
    /// The spine of each row.
    private var outlines: [UnitQuad]
    private let localSeconds: Double

    private enum CodingKeys: CodingKey { case path, columns }

    /// - Parameter photo: as this machine read it.
    init(_ photo: ScannedPhoto) {
        (path, outlines, localSeconds) = (photo.path, photo.books.map(\.quad), photo.seconds)
    }

    mutating func add(_ mode: ReaderMode, _ photo: ScannedPhoto, failure: String?) {
        var column = Column(
            reader: mode.rawValue, readings: outlines.map { _ in nil },
            seconds: mode == .local ? localSeconds : photo.model?.seconds ?? 0, model: photo.model, failure: failure)
        for (outline, reading) in Self.readings(of: mode, photo) {
            if let row = row(of: outline, free: column.readings) {
                column.readings[row] = reading
            } else {
                outlines.append(outline)
                column.readings.append(reading)
            }
        }
        // A spine that only this reader saw is a new row of the others, too.
        for index in columns.indices {
            columns[index].readings += outlines.dropFirst(columns[index].readings.count).map { _ in nil }
        }
        if let first = columns.first {
            for (one, other) in zip(first.readings, column.readings) {
                guard let one, let other else { continue }
                column.both += 1
                if Self.isSame(one, other) { column.agreed += 1 }
            }
        }
        columns.append(column)
    }

    private static func isSame(_ one: Column.Reading, _ other: Column.Reading) -> Bool {
        SpineOpinion(
            reader: "", title: one.title, author: one.author, certainty: 1,
            outline: UnitQuad(UnitRect(x: 0, y: 0, width: 1, height: 1))
        ).names(title: other.title, authors: other.author.map { [$0] } ?? [])
    }

    private static func readings(of mode: ReaderMode, _ photo: ScannedPhoto) -> [(UnitQuad, Column.Reading)] {
        if mode == .local {
            return photo.books.compactMap { book in
                book.title.map { (book.quad, Column.Reading(title: $0, author: book.author)) }
            }
        }
        return (photo.reading?.opinions ?? []).map { ($0.outline, Column.Reading(title: $0.title, author: $0.author)) }
    }

    /// Returns the row, of those without a reading, whose spine has the most of an outline.
    private func row(of outline: UnitQuad, free readings: [Column.Reading?]) -> Int? {
        let size = PixelSize(width: 10_000, height: 10_000)
        let outline: Quad = outline.pixels(in: size)
        let shares = outlines.indices.filter { readings[$0] == nil }.map { index in
            let spine: Quad = outlines[index].pixels(in: size)
            return (index: index, share: (spine.sharedArea(with: outline) ?? 0) / max(1, min(spine.area, outline.area)))
        }
        return shares.max { $0.share < $1.share }.flatMap { $0.share >= 0.5 ? $0.index : nil }
    }

    func lines(width: Int?, colors: Bool) -> [String] {
        var table = TerminalTable(columns: [TerminalTable.Column("#", isRightAligned: true)], rows: [])
        for column in columns { table.columns.append(TerminalTable.Column(column.reader, atLeast: 20)) }
        table.columns.append(TerminalTable.Column(""))
        for row in Range(from: 0, upTo: columns.map(\.readings.count).max() ?? 0) {
            let readings = columns.map { row < $0.readings.count ? $0.readings[row] : nil }
            var cells = [TerminalTable.Cell(String(row + 1), .dim)]
            for reading in readings { cells.append(TerminalTable.Cell(reading?.words ?? "·")) }
            table.rows.append(cells + [TerminalTable.Cell(Self.mark(readings))])
        }
        return [TextStyle.bold.applied(to: TerminalText.safe(path), colors: colors), ""]
            + table.lines(width: width, colors: colors) + [""] + columns.map { summary($0) } + [""]
    }

    private static func mark(_ readings: [Column.Reading?]) -> String {
        let known = readings.compactMap(\.self)
        guard known.count > 1 else { return "" }
        return known.dropFirst().allSatisfy { isSame(known[0], $0) } ? "=" : "≠"
    }

    private func summary(_ column: Column) -> String {
        let named = column.readings.count { $0 != nil }
        var facts = ["\(named) \(named == 1 ? "spine" : "spines") named"]
        if column.reader != columns[0].reader { facts.append("agrees on \(column.agreed) of \(column.both)") }
        facts += column.model.map(\.facts) ?? ["\(String(format: "%.2f", column.seconds)) s"]
        if let failure = column.failure { facts.append(TerminalText.safe(failure)) }
        return "\(column.reader): \(facts.joined(separator: " · "))"
    }
}
