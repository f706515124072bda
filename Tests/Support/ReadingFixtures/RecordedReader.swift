package import Bibliography
package import Imaging
package import Reading
package import ShelflistAPI
import SpineReading
import Synchronization

/// A reader for tests that knows the text of recorded photos, and identifies their books as the product does.
package struct RecordedReader: ShelfReading {
    private final class Counts: Sendable {
        let read = Mutex((photos: 0, frames: 0))
    }

    private let photos: RecordedPhotos
    private var identifier: PhotoIdentifier
    package let gate = ReadingGate()
    private let counts = Counts()

    /// - Parameters:
    ///   - catalog: returns the catalog as it is now; called for each photo.
    ///   - expected: called for each photo of a known shelf.
    package init(
        _ photos: RecordedPhotos, catalog: @escaping @Sendable () throws -> CatalogSnapshot?,
        expected: @escaping ExpectedRecords = { _ in [] }
    ) {
        self.photos = photos
        identifier = PhotoIdentifier(options: ReadingOptions(), catalog: catalog, expected: expected)
    }

    package func reading(shelf: String?) -> any ShelfReading {
        var reader = self
        reader.identifier.shelf = shelf
        return reader
    }

    /// How many photos and how many frames of a viewfinder were read.
    package var read: (photos: Int, frames: Int) { counts.read.withLock { $0 } }

    package func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        counts.read.withLock { $0.photos += 1 }
        report(.stage(.decode))
        let image = try PhotoDecoder.decode(bytes).image
        let record = try photos.photo(image)
        report(.stage(.read))
        try await gate.pass(.outlines)
        report(.spines(record.spines))
        try await gate.pass(.text, report)
        report(.text(1))
        report(.stage(.identify))
        return try await identifier.identify(record.text(in: image), name: name)
    }

    package func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try await identifier.identify(photo) }

    package func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        counts.read.withLock { $0.frames += 1 }
        let photo = try PhotoDecoder.decode(frame, limits: limits)
        let record = try photos.frame(photo.image)
        return FrameOutline(
            width: photo.originalSize.width, height: photo.originalSize.height, spines: record.spines,
            quality: PhotoQuality(measuring: photo.image), seconds: 0)
    }

    /// Reads nothing: what a person cut out is not recorded.
    package func reread(_ spine: RGBImage) async throws -> DetectedBook {
        try identifier.book(of: ReadShelf(lines: []), in: spine.size)
    }
}
