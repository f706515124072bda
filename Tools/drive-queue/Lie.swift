import ArgumentParser
import Foundation
import Imaging
import Reading
import ShelflistAPI
import SpineReading
import WorkQueue

/// What a worker lies about that was taken over.
enum Lie: String, CaseIterable, ExpressibleByArgument {
    /// A corner far outside of the photo.
    case far
    /// Corners whose distance is more than the largest number.
    case huge
    /// The time that it took.
    case seconds
    /// More lines than any photo has.
    case lines
    /// The share of the text that was read, in a report.
    case share
    /// A result of megabytes.
    case bytes

    /// A worker's result, with what is not true.
    func changing(_ outcome: PhotoOutcome) throws -> PhotoOutcome {
        guard case .done(let result) = outcome else { return outcome }
        var text = try JSONDecoder().decode(PhotoText.self, from: Data(result))
        switch self {
        case .far: text.shelf.lines[0].quad.bottomLeft = PixelPoint(x: 10, y: 1e20)
        case .huge: text.shelf.lines[0].quad = Quad(PixelRect(x: -1e300, y: -1e300, width: 2e300, height: 2e300))
        case .seconds: text.seconds = 1e300
        case .lines: text.shelf.lines = Array(repeating: text.shelf.lines[0], count: 10_000)
        case .share, .bytes: break
        }
        return .done([UInt8](try JSONEncoder().encode(text)))
    }

    /// Messages for the server, which come before the result.
    func reports() throws -> [[UInt8]] {
        guard self == .share else { return [] }
        let outline = SpineOutline(UnitRect(x: 0.1, y: 0.1, width: 0.1, height: 0.8))
        return try [ReadingProgress.spines([outline]), .text(1e300)].map { [UInt8](try JSONEncoder().encode($0)) }
    }

    /// The result instead of a text; nil where the text lies.
    var result: PhotoOutcome? { self == .bytes ? .done([UInt8](repeating: 0x20, count: 5_000_000)) : nil }
}
