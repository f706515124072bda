package import Bibliography
import Concurrency
import Foundation
package import Identification
package import Imaging
import Inference
package import Library
package import ShelflistAPI
import SpineReading

/// How a scan is done.
package struct ScanOptions: Sendable {
    package var preprocessing: PreprocessingMode
    /// Books below this confidence are marked for review, 0...1.
    package var threshold: Double
    /// Processor threads that the reading of one photo may use.
    package var threads: Int
    package var limits: PhotoLimits

    package init(
        preprocessing: PreprocessingMode = .auto, threshold: Double = 0.60,
        threads: Int = ProcessInfo.processInfo.activeProcessorCount, limits: PhotoLimits = PhotoLimits()
    ) {
        self.preprocessing = preprocessing
        self.threshold = threshold
        self.threads = threads
        self.limits = limits
    }
}

/// What is being done with a photo.
package enum ScanStage: String, CaseIterable, Sendable {
    case decode
    case read
    case identify
}

/// The way of a photo, from bytes to books.
///
/// Stateless between photos: safe to call from several tasks.
package struct PhotoScanner: Sendable {
    /// Long side, in pixels, of a photo that is filtered: enough for titles, and small enough for the filters' time.
    private static let filteredLongSide = 2560

    private let reader: LocalReader
    private let identifier: BookIdentifier
    private let options: ScanOptions

    /// Loads the models, which takes some tenths of a second.
    ///
    /// - Parameter concurrentPhotos: how many photos will be scanned at once, each with `options.threads`.
    /// - Throws: `InferenceError` where a model is missing or damaged.
    package init(
        installation: Installation, options: ScanOptions = ScanOptions(), concurrentPhotos: Int = 1,
        catalog: (any RecordSearch)? = nil
    ) throws {
        try self.init(
            installation: installation, options: options, concurrentPhotos: concurrentPhotos,
            catalogNow: { catalog.map { ($0, "") } })
    }

    /// The same with a catalog that may change while the program runs.
    ///
    /// - Parameter catalogNow: asked for each photo.
    package init(
        installation: Installation, options: ScanOptions = ScanOptions(), concurrentPhotos: Int = 1,
        catalogNow: @escaping @Sendable () throws -> BookIdentifier.KnownCatalog?
    ) throws {
        reader = try LocalReader(
            models: installation.models, concurrentPhotos: concurrentPhotos, threads: options.threads)
        identifier = BookIdentifier(catalogNow: catalogNow, threshold: options.threshold)
        self.options = options
    }

    /// - Parameters:
    ///   - path: names the photo in the result.
    ///   - preprocessing: `nil` for the scanner's own.
    ///   - stage: told when each stage begins.
    ///   - spines: told where spines seem to stand, before they are read.
    /// - Throws: `ImageError` for bytes that are no photo within the limits, `InferenceError`, `CancellationError`.
    package func scan(
        _ bytes: [UInt8], path: String, preprocessing: PreprocessingMode? = nil,
        stage: @Sendable (ScanStage) -> Void = { _ in }, spines: (@Sendable ([SpineOutline]) -> Void)? = nil
    ) async throws -> ScannedPhoto {
        // Stages block for tenths of a second each: not on the threads that all other tasks share.
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            try await scanBlocking(
                bytes, path: path, preprocessing: preprocessing ?? options.preprocessing, stage: stage, spines: spines)
        }
    }

    private func scanBlocking(
        _ bytes: [UInt8], path: String, preprocessing: PreprocessingMode, stage: @Sendable (ScanStage) -> Void,
        spines: (@Sendable ([SpineOutline]) -> Void)?
    ) async throws -> ScannedPhoto {
        let clock = ContinuousClock()
        let start = clock.now
        stage(.decode)
        let photo = try PhotoDecoder.decode(bytes, limits: options.limits)
        var pyramid = ImagePyramid(photo.image)
        let quality = PhotoQuality(measuring: pyramid.fitted(longSide: PhotoQuality.measuredLongSide))
        try Task.checkCancellation()
        let filters = filters(preprocessing, for: quality)
        if let filters {
            pyramid = ImagePyramid(filters.apply(to: pyramid.fitted(longSide: Self.filteredLongSide)))
        }
        let decoded = clock.now

        try Task.checkCancellation()
        stage(.read)
        let size = pyramid.size
        let shelf = try await reader.read(pyramid) { areas in spines?(SpineSketch.spines(around: areas, in: size)) }
        try Task.checkCancellation()
        stage(.identify)
        let identified = try identifier.identify(shelf, in: pyramid.size)
        let timings = StageTimings(
            decode: (decoded - start) / .seconds(1), detect: shelf.detectionSeconds,
            recognise: shelf.recognitionSeconds,
            group: identified.groupSeconds, match: identified.matchSeconds)
        return ScannedPhoto(
            path: path, width: photo.originalSize.width, height: photo.originalSize.height, turn: shelf.turn,
            seconds: ((clock.now - start) / .seconds(1)).rounded(toPlaces: 3), timings: timings.rounded,
            quality: quality.adding(
                tilt: ShelfFraming.tilt(of: shelf.lines), cutAt: ShelfFraming.cutEdges(shelf.lines, in: pyramid.size)),
            preprocessed: filters != nil, books: identified.books, otherText: identified.otherText.map(\.readText))
    }

    /// Where the spines seem to stand in a viewfinder's frame; nothing is read.
    ///
    /// - Throws: as `scan`.
    package func outline(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            let clock = ContinuousClock()
            let start = clock.now
            let photo = try PhotoDecoder.decode(frame, limits: limits)
            let pyramid = ImagePyramid(photo.image)
            let quality = PhotoQuality(measuring: pyramid.fitted(longSide: PhotoQuality.measuredLongSide))
            let areas = try await reader.outline(pyramid)
            let spines = SpineSketch.spines(around: areas, in: pyramid.size)
            return FrameOutline(
                width: photo.originalSize.width, height: photo.originalSize.height,
                spines: spines, quality: quality, seconds: ((clock.now - start) / .seconds(1)).rounded(toPlaces: 3))
        }
    }

    /// Reads the picture of one spine, as a person cut it out of a photo.
    ///
    /// - Returns: the book that fills most of the picture; without a title where nothing was read.
    /// - Throws: `InferenceError`, errors of the catalog, `CancellationError`.
    package func reread(_ spine: RGBImage) async throws -> RereadSpine {
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            let pyramid = ImagePyramid(spine)
            let shelf = try await reader.read(pyramid)
            try Task.checkCancellation()
            let found = try identifier.identify(shelf, in: pyramid.size)
            // A neighbour may look in from the side.
            let book = found.books.max { $0.boundingBox.presence < $1.boundingBox.presence }
            guard let book else {
                return RereadSpine(
                    title: nil, confidence: 0,
                    text: shelf.lines.map(\.readText))
            }
            let read = ScannedBook(book)
            return RereadSpine(
                title: read.title, author: read.author, isbn: read.isbn, confidence: read.confidence, text: read.text,
                matches: read.matches)
        }
    }

    private func filters(_ preprocessing: PreprocessingMode, for quality: PhotoQuality) -> FilterChain? {
        switch preprocessing {
        case .off: nil
        case .on: .standard
        case .auto: .automatic(for: quality)
        }
    }
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
        self.width = width
        self.height = height
        self.spines = spines
        self.quality = quality
        self.seconds = seconds
    }
}

extension UnitRect {
    /// How much of a picture a box fills, the more the nearer it is to the middle.
    fileprivate var presence: Double { width * height * (1 - abs(x + width / 2 - 0.5)) }
}

extension StageTimings {
    fileprivate var rounded: StageTimings {
        StageTimings(
            decode: decode.rounded(toPlaces: 3), detect: detect.rounded(toPlaces: 3),
            recognise: recognise.rounded(toPlaces: 3), group: group.rounded(toPlaces: 3),
            match: match.rounded(toPlaces: 3))
    }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        let factor = pow(10, Double(places))
        return (self * factor).rounded() / factor
    }
}
