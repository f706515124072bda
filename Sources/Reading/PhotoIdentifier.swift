package import Bibliography
import Concurrency
import Identification
package import Imaging
package import ShelflistAPI
package import SpineReading

/// Returns the records of the copies that a photo of a shelf is expected to show, one for each copy, by the shelf's ID.
package typealias ExpectedRecords = @Sendable (_ shelf: String) throws -> [BookRecord]

/// Identifies the books of photos whose text was read; needs no reading models.
package struct PhotoIdentifier: Sendable {
    private let identifier: BookIdentifier
    private let expected: ExpectedRecords
    /// The ID of the shelf that the photos show; nil where it is not known.
    package var shelf: String?

    /// - Parameters:
    ///   - options: the threshold and the number of threads are used.
    ///   - catalog: returns the catalog as it is now; called for each photo.
    ///   - expected: called for each photo of a known shelf.
    package init(
        options: ReadingOptions, catalog: @escaping @Sendable () throws -> CatalogSnapshot?,
        expected: @escaping ExpectedRecords = { _ in [] }
    ) {
        identifier = BookIdentifier(catalog: catalog, threshold: options.threshold, threads: options.threads)
        self.expected = expected
    }

    private func expectedCopies() throws -> [BookRecord] { try shelf.map(expected) ?? [] }

    /// Opens the catalog and starts to read it ahead.
    ///
    /// - Throws: errors of the catalog.
    package func prepare() async throws {
        try await BlockingExecutor.background.run { try identifier.prepare() }
    }

    /// - Parameter name: names the photo in the result.
    /// - Throws: errors of the catalog, `CancellationError`.
    package func identify(_ text: PhotoText, name: String) async throws -> ScannedPhoto {
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            let clock = ContinuousClock()
            let start = clock.now
            let shelf = text.shelf
            let identified = try identifier.identify(shelf, expected: expectedCopies(), in: text.size)
            let timings = StageTimings(
                decode: text.decodeSeconds.thousandths, detect: shelf.detectionSeconds.thousandths,
                recognise: shelf.recognitionSeconds.thousandths, group: identified.groupSeconds.thousandths,
                match: identified.matchSeconds.thousandths)
            return ScannedPhoto(
                path: name, width: text.originalSize.width, height: text.originalSize.height, turn: shelf.turn,
                seconds: (text.seconds + (clock.now - start) / .seconds(1)).thousandths, timings: timings,
                quality: text.quality.adding(
                    tilt: ShelfFraming.tilt(of: shelf.lines),
                    cutAt: ShelfFraming.cutEdges(shelf.lines, in: text.size),
                    unknownLetters: shelf.unknownLetters.map(Suggestion.unknown)),
                preprocessed: text.filters != nil, books: identified.books,
                otherText: identified.otherText.map(\.readText), labels: identified.labels, signs: identified.signs,
                looseLines: identified.looseLines(in: text.size),
                reading: PhotoReading(shelf: shelf, size: text.size))
        }
    }

    /// Identifies the books of a photo again, with the records that are known now.
    ///
    /// - Returns: the photo as it is, if its text was not kept.
    /// - Throws: errors of the catalog, `CancellationError`.
    package func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto {
        guard let reading = photo.reading else { return photo }
        return try await withTaskExecutorPreference(BlockingExecutor.background) {
            let identified = try identifier.identify(
                reading.shelf, opinions: reading.opinions, verifiedFrom: reading.verifiedFrom,
                expected: expectedCopies(), in: reading.size)
            var photo = photo
            photo.books = identified.books
            photo.otherText = identified.otherText.map(\.readText)
            photo.signs = identified.signs
            photo.looseLines = identified.looseLines(in: reading.size)
            return photo
        }
    }

    /// Returns the book that fills most of the picture of one spine, which may show a part of a neighbor; without a
    /// title where nothing was read.
    ///
    /// - Throws: errors of the catalog, `CancellationError`.
    package func book(of shelf: ReadShelf, in size: PixelSize) throws -> DetectedBook {
        try identifier.identify(shelf, in: size).books.max { $0.boundingBox.presence < $1.boundingBox.presence }
            ?? DetectedBook(
                id: "unread", title: nil, confidence: 0, checked: true, reviewStatus: .needsReview,
                outline: SpineOutline(UnitRect(x: 0, y: 0, width: 1, height: 1)),
                text: shelf.lines.map(\.readText), matches: [])
    }
}

extension UnitRect {
    /// How much of a picture a box fills, the more the nearer it is to the middle.
    fileprivate var presence: Double { width * height * (1 - abs(x + width / 2 - 0.5)) }
}
