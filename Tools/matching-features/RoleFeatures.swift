import Foundation
import Identification
import Imaging
import SpineReading

/// A way to read a spine, as written for fitting.
struct ReadingRow: Encodable {
    var title: String?
    var author: String?
    var features: [Double]

    static func all(of lines: [UprightLine]) -> [ReadingRow] {
        RoleAssignment.readings(of: lines).map { reading in
            ReadingRow(
                title: reading.roles.title, author: reading.roles.author,
                features: reading.features.map { ($0 * 1000).rounded() / 1000 })
        }
    }
}

/// Lists the ways to read spines that are given as text.
///
/// A spine is `{"lines": [{"text", "height"}]}`: lines one after another down a standing spine. For each, prints
/// `{"readings"}`.
enum RoleFeatures {
    private struct Spine: Decodable {
        struct Line: Decodable {
            var text: String
            /// In pixels.
            var height: Double
        }

        var lines: [Line]
    }

    private struct Found: Encodable {
        var readings: [ReadingRow]
    }

    static func write() throws {
        while let row = readLine() {
            var top = 0.0
            let spine = try JSONDecoder().decode(Spine.self, from: Data(row.utf8))
            let lines = spine.lines.enumerated().map { index, line in
                let bottom = top + 0.55 * line.height * Double(line.text.count)
                let quad = Quad(
                    PixelPoint(x: line.height / 2, y: top), PixelPoint(x: line.height / 2, y: bottom),
                    PixelPoint(x: -line.height / 2, y: bottom), PixelPoint(x: -line.height / 2, y: top))
                top = bottom + 1.5 * line.height
                return UprightLine(index: index, line: TextLine(text: line.text, score: 0.99, quad: quad), quad: quad)
            }
            try printLine(Found(readings: ReadingRow.all(of: lines)))
        }
    }
}
