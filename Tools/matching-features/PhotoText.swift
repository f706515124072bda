import Foundation
import Identification
import Imaging
import ShelflistAPI
import SpineReading

/// Writes what the rules that decide which text is a spine, and which spine a book, are fitted on.
enum PhotoText {
    private struct Pair: Encodable {
        var photo: String
        /// Around both lines.
        var first, second: UnitRect
        /// The values of `LinePair.names`.
        var features: [Double]
    }

    private struct Spine: Encodable {
        var photo: String
        var box: UnitRect
        var title: String
        var author: String?
        var confidence: Double
        /// Of the text, in pixels.
        var length: Double
    }

    /// Prints each pair of lines that `LinePair` judges: `{"photo", "first", "second", "features"}`.
    static func writePairs(installation: String, lines: String, photos: some Sequence<String>) async throws {
        let reading = try PhotoReading(models: installation + "/.deps/models", folder: lines)
        for path in photos {
            let (size, shelf) = try await reading.shelf(at: path)
            guard let edges = shelf.edges else { continue }
            let upright = shelf.lines.enumerated().map { index, line in
                UprightLine(index: index, line: line, quad: line.quad.map { shelf.turn.apply(to: $0, in: size) })
            }
            let grounds = upright.map { edges.ground(of: $0.quad) }
            for i in upright.indices {
                for j in 0..<i {
                    guard let pair = LinePair(upright[i], upright[j]) else { continue }
                    let both = grounds[i].flatMap { ground in grounds[j].map { (ground, $0) } }
                    try printLine(
                        Pair(
                            photo: URL(filePath: path).lastPathComponent,
                            first: SpineOutline(upright[i].line.quad, in: size).boundingBox,
                            second: SpineOutline(upright[j].line.quad, in: size).boundingBox,
                            features: pair.features(edges, grounds: both)))
                }
            }
        }
    }

    /// Prints each spine of which a title was read, without a catalog, also those that are not reported as books.
    static func writeScraps(installation: String, lines: String, photos: some Sequence<String>) async throws {
        let reading = try PhotoReading(models: installation + "/.deps/models", folder: lines)
        for path in photos {
            let (size, shelf) = try await reading.shelf(at: path)
            let found = try BookIdentifier().identify(shelf, in: size)
            for (judged, outline) in found.spines + found.scraps {
                guard let title = judged.title, let length = ScrapText.length(of: judged) else { continue }
                try printLine(
                    Spine(
                        photo: URL(filePath: path).lastPathComponent, box: outline.boundingBox, title: title,
                        author: judged.author, confidence: judged.confidence, length: length))
            }
        }
    }
}
