package import Imaging
package import ShelflistAPI
package import SpineReading

/// Reads the text of photos, without identifying books.
///
/// `PhotoScanner` does it with the models of this machine. Errors are those of `ShelfReading`.
package protocol TextReading: Sendable {
    /// - Parameter report: receives the stages `decode` and `read`, the spines as soon as they are found, and how much of
    ///   their text was read.
    func readText(
        _ bytes: [UInt8], _ request: TextRequest, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> PhotoText
}

/// How the text of a photo is to be read.
package struct TextRequest: Hashable, Codable, Sendable {
    package var preprocessing: PreprocessingMode
    package var limits: PhotoLimits
    /// Whether outlines of the spines are computed and reported before the spines are read.
    package var reportsSpines: Bool

    package init(preprocessing: PreprocessingMode, limits: PhotoLimits, reportsSpines: Bool) {
        (self.preprocessing, self.limits, self.reportsSpines) = (preprocessing, limits, reportsSpines)
    }
}

/// What was read in a photo, before books are identified.
package struct PhotoText: Codable, Sendable {
    /// Of the EXIF-upright photo in pixels, as the file has it.
    package var originalSize: PixelSize
    /// The size of the picture that was read, in pixels: the frame of the lines.
    package var size: PixelSize
    /// Without edges where another machine read the photo.
    package var shelf: ReadShelf
    /// Without what the lines say about the framing.
    package var quality: PhotoQuality
    /// The filters that were applied to the photo; nil for none.
    package var filters: AppliedFilters?
    /// Seconds from the first byte to the decoded and filtered picture, and to the last line.
    package var decodeSeconds: Double
    package var seconds: Double

    package init(
        originalSize: PixelSize, size: PixelSize, shelf: ReadShelf, quality: PhotoQuality, filters: AppliedFilters?,
        decodeSeconds: Double, seconds: Double
    ) {
        (self.originalSize, self.size, self.shelf, self.quality) = (originalSize, size, shelf, quality)
        (self.filters, self.decodeSeconds, self.seconds) = (filters, decodeSeconds, seconds)
    }
}

/// What this machine finds in a photo that another one read.
package struct MeasuredPhoto: Sendable {
    /// As in `PhotoText`.
    package let originalSize: PixelSize
    package let size: PixelSize
    package let quality: PhotoQuality
    package let edges: ShelfEdges
}

/// The filters that photos are read with.
package enum AppliedFilters: String, Codable, Sendable {
    case standard
    case automatic

    /// The filters for a photo.
    ///
    /// - Returns: nil for a photo that is read as it is.
    init?(_ mode: PreprocessingMode, _ quality: PhotoQuality) {
        switch mode {
        case .off: return nil
        case .on: self = .standard
        case .auto:
            guard FilterChain.automatic(for: quality) != nil else { return nil }
            self = .automatic
        }
    }

    var chain: FilterChain {
        switch self {
        case .standard: .standard
        case .automatic: .automatic
        }
    }
}

/// A decoded photo in the size and with the filters in which it is read.
struct DecodedShelf {
    /// Long side of a filtered photo in pixels: enough for titles, and small enough for fast filters.
    private static let filteredLongSide = 2560

    let originalSize: PixelSize
    let quality: PhotoQuality
    private(set) var pyramid: ImagePyramid

    init(_ bytes: [UInt8], limits: PhotoLimits) throws {
        let photo = try PhotoDecoder.decode(bytes, limits: limits)
        originalSize = photo.originalSize
        pyramid = ImagePyramid(photo.image)
        quality = PhotoQuality(measuring: pyramid.fitted(longSide: PhotoQuality.measuredLongSide))
    }

    mutating func apply(_ filters: AppliedFilters) {
        pyramid = ImagePyramid(filters.chain.apply(to: pyramid.fitted(longSide: Self.filteredLongSide)))
    }
}
