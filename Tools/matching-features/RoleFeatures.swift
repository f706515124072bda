import Foundation
import Identification
import Imaging
import SpineReading

/// A way to read a spine, as written for fitting.
struct ReadingRow: Encodable {
    var title: String?
    var author: String?
    var features: [Double]

    static func all(of lines: [UprightLine]) throws -> [ReadingRow] {
        try RoleAssignment.readings(of: lines).map { reading in
            ReadingRow(
                title: reading.roles.title, author: reading.roles.author,
                features: reading.features.map { ($0 * 1000).rounded() / 1000 })
        }
    }
}

/// Lists the ways to read spines that are given as text.
///
/// A spine is `{"lines": [...]}`, its lines in reading order down a standing spine. For each, prints `{"readings"}`.
enum RoleFeatures {
    private struct Spine: Decodable {
        var lines: [Line]
    }

    private struct Line: Decodable {
        var text: String
        /// In pixels.
        var height: Double
        /// 0...1; how surely the line was read.
        var score: Double?
        /// Whether the words are printed across the spine.
        var isAcross: Bool?
        /// Whether the line is beside the one before, not below it.
        var isBeside: Bool?
        /// The distance from the text before, in heights of this line.
        var gap: Double?
    }

    private struct Found: Encodable {
        var readings: [ReadingRow]
    }

    static func write() throws {
        while let row = readLine() {
            let spine = try JSONDecoder().decode(Spine.self, from: Data(row.utf8))
            let lines = zip(spine.lines, quads(of: spine.lines)).enumerated().map { index, line in
                let (line, quad) = line
                return UprightLine(
                    index: index, line: TextLine(text: line.text, score: line.score ?? 0.99, quad: quad), quad: quad)
            }
            try printLine(Found(readings: ReadingRow.all(of: lines)))
        }
    }

    /// Sets lines from the top of a spine down, centred on it.
    private static func quads(of lines: [Line]) -> [Quad] {
        var rows: [[Line]] = []
        for line in lines {
            if line.isBeside == true, !rows.isEmpty { rows[rows.count - 1].append(line) } else { rows.append([line]) }
        }
        var (top, quads) = (0.0, [Quad]())
        for row in rows {
            top += (row[0].gap ?? 1.5) * row[0].height
            // The first line of text that runs down the spine is the one farthest to the right.
            var right = row.reduce(0) { $0 + lineSpacing * $1.height } / 2
            var bottom = top
            for line in row {
                let length = width * line.height * Double(line.text.count)
                if line.isAcross == true {
                    quads.append(Quad(PixelRect(x: -length / 2, y: top, width: length, height: line.height)))
                    bottom = max(bottom, top + line.height)
                    continue
                }
                let left = right - line.height
                quads.append(
                    Quad(
                        PixelPoint(x: right, y: top), PixelPoint(x: right, y: top + length),
                        PixelPoint(x: left, y: top + length), PixelPoint(x: left, y: top)))
                bottom = max(bottom, top + length)
                right -= lineSpacing * line.height
            }
            top = bottom
        }
        return quads
    }

    /// Of a letter, and from one line to the next, in heights of the letters.
    private static let (width, lineSpacing) = (0.55, 1.2)
}
