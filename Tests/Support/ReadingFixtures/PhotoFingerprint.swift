import Foundation
package import Imaging

/// What a picture looks like, coarsely: the same for a picture that was encoded again, by any browser.
package struct PhotoFingerprint: Sendable {
    /// In pixels.
    package var size: PixelSize
    /// The brightness of a grid of `columns` by `rows` cells, row by row.
    private var cells: [UInt8]

    private static let columns = 64
    private static let rows = 48
    /// The mean difference of brightness, in levels of 256, up to which pictures are the same.
    ///
    /// Pictures that were encoded again differ by less than half a level, the most similar pictures of the tests by more
    /// than four.
    private static let tolerance = 1.5

    package init(_ image: RGBImage) {
        size = image.size
        cells = GrayImage(lumaOf: image.resized(to: PixelSize(width: Self.columns, height: Self.rows))).samples
    }

    /// Whether two pictures of the same size look the same.
    package func matches(_ other: PhotoFingerprint) -> Bool { size == other.size && looks(like: other) }

    /// Whether two pictures look the same, of whatever size but in the same proportions.
    package func looks(like other: PhotoFingerprint) -> Bool {
        let proportions = Double(size.width * other.size.height) / Double(size.height * other.size.width)
        return abs(proportions - 1) < 0.01 && difference(to: other) <= Self.tolerance
    }

    /// The mean difference of brightness, in levels of 256.
    package func difference(to other: PhotoFingerprint) -> Double {
        Double(zip(cells, other.cells).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(cells.count)
    }
}

extension PhotoFingerprint: Codable {
    private enum CodingKeys: CodingKey { case width, height, cells }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = PixelSize(
            width: try container.decode(Int.self, forKey: .width),
            height: try container.decode(Int.self, forKey: .height))
        cells = [UInt8](try container.decode(Data.self, forKey: .cells))
        guard cells.count == Self.columns * Self.rows else {
            throw DecodingError.dataCorruptedError(
                forKey: .cells, in: container, debugDescription: "The grid has \(cells.count) cells.")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size.width, forKey: .width)
        try container.encode(size.height, forKey: .height)
        try container.encode(Data(cells), forKey: .cells)
    }
}
