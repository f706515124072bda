package import Imaging
package import ShelflistAPI

/// Reads photos of shelves.
///
/// `PhotoScanner` does it with the models of this machine.
///
/// Errors: `ImageError` for bytes that are not a photo within the limits, `CancellationError`, others for faults of the
/// reader.
package protocol ShelfReading: Sendable {
    /// Returns the reader for photos of a shelf whose books the library knows.
    ///
    /// - Parameter shelf: the ID of the shelf; nil where it is not known.
    func reading(shelf: String?) -> any ShelfReading

    /// Finds the books in a photo.
    ///
    /// - Parameters:
    ///   - name: names the photo in the result.
    ///   - preprocessing: nil for the reader's own choice.
    ///   - report: receives the stages as they begin, the spines as soon as they are found, and how much of their text was
    ///     read.
    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto

    /// Whether other machines read the text of photos: this process works on a photo only when `began` was called.
    var readsElsewhere: Bool { get }

    /// Finds the books in a photo.
    ///
    /// - Parameter began: called when this process begins to work on the photo, or on what another machine read in it; only
    ///   by readers that read elsewhere.
    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        began: @escaping @Sendable () async throws -> Void, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto

    /// Identifies the books of a photo again, with the records that are known now.
    ///
    /// - Returns: the photo as it is, if its text was not kept.
    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto

    /// Outlines the spines in a viewfinder's frame, without reading them.
    func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline

    /// Reads the picture of one spine, as a person cut it out of a photo.
    ///
    /// - Returns: the book that fills most of the picture; without a title where nothing was read.
    func reread(_ spine: RGBImage) async throws -> DetectedBook
}

extension ShelfReading {
    package func reading(shelf: String?) -> any ShelfReading { self }

    package var readsElsewhere: Bool { false }

    package func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        began: @escaping @Sendable () async throws -> Void, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        try await read(bytes, name: name, preprocessing: preprocessing, report: report)
    }

    package func read(_ bytes: [UInt8], name: String) async throws -> ScannedPhoto {
        try await read(bytes, name: name, preprocessing: nil) { _ in }
    }
}

/// What a reader reports while it reads a photo.
package enum ReadingProgress: Codable, Sendable {
    case stage(ScanStage)
    case spines([SpineOutline])
    /// The share of the text that was read, 0...1.
    case text(Double)

    /// The time between two reports about the text that are sent or logged, because each is synced to disk.
    package static let textPause = Duration.milliseconds(200)
}

/// A stage of reading a photo.
package enum ScanStage: String, CaseIterable, Codable, Sendable {
    case decode
    case read
    case identify
}

/// What a viewfinder's frame shows.
package struct FrameOutline: Sendable {
    package var width: Int
    package var height: Int
    package var spines: [SpineOutline]
    package var quality: PhotoQuality
    package var seconds: Double

    package init(
        width: Int, height: Int, spines: [SpineOutline], quality: PhotoQuality, seconds: Double
    ) {
        (self.width, self.height, self.spines, self.quality, self.seconds) = (width, height, spines, quality, seconds)
    }
}
