package import Bibliography
import Concurrency
package import Foundation
import Identification
package import Imaging
import Inference
package import ShelflistAPI
import SpineReading

/// How a scan is done.
package struct ReadingOptions: Sendable {
    package var preprocessing: PreprocessingMode
    /// Books below this confidence are marked for review, 0...1.
    package var threshold: Double
    /// Processor threads that the reading of one photo may use.
    package var threads: Int
    package var limits: PhotoLimits
    /// Whether outlines of the spines are computed and reported before the spines are read.
    package var reportsSpines: Bool

    package init(
        preprocessing: PreprocessingMode = .auto, threshold: Double = 0.60,
        threads: Int = ProcessInfo.processInfo.activeProcessorCount, limits: PhotoLimits = PhotoLimits(),
        reportsSpines: Bool = true
    ) {
        (self.preprocessing, self.threshold) = (preprocessing, threshold)
        (self.threads, self.limits, self.reportsSpines) = (threads, limits, reportsSpines)
    }
}

/// Reads photos with the models of this machine.
///
/// Stateless between photos: safe to call from several tasks.
package struct PhotoScanner: ShelfReading, TextReading {
    private let reader: LocalReader
    private var identifier: PhotoIdentifier
    private let options: ReadingOptions

    /// - Parameters:
    ///   - loadsModels: whether the models are loaded now, which takes up to a second; otherwise by `loadModels()`, or when
    ///     a photo needs them.
    ///   - cache: keeps compiled models for the next process; `nil` to keep none.
    ///   - concurrentPhotos: how many photos are read at once, each with `options.threads`.
    ///   - catalog: returns the catalog as it is now; called for each photo.
    ///   - expected: called for each photo of a known shelf.
    /// - Throws: `InferenceError` where a model is missing or damaged.
    package init(
        installation: Installation, options: ReadingOptions = ReadingOptions(), loadsModels: Bool = true,
        cache: URL? = nil, concurrentPhotos: Int = 1,
        catalog: @escaping @Sendable () throws -> CatalogSnapshot? = { nil },
        expected: @escaping ExpectedRecords = { _ in [] }
    ) throws {
        reader = LocalReader(
            models: installation.models, precision: try installation.readingPrecision(),
            keptIn: cache.map { CompiledNetworks(in: $0.appending(path: "networks")) }, scripts: installation.scripts,
            concurrentPhotos: concurrentPhotos, threads: options.threads)
        identifier = PhotoIdentifier(options: options, catalog: catalog, expected: expected)
        self.options = options
        if loadsModels { try loadModels() }
    }

    /// Loads the models that most photos need.
    ///
    /// - Throws: `InferenceError` where a model is missing or damaged.
    package func loadModels() throws { try reader.prepare() }

    /// The ID of the shelf that the photos show; nil where it is not known.
    package var shelf: String? {
        get { identifier.shelf }
        set { identifier.shelf = newValue }
    }

    package func reading(shelf: String?) -> any ShelfReading {
        var scanner = self
        scanner.shelf = shelf
        return scanner
    }

    package func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        try await identifier.prepare()
        let text = try await readText(bytes, request(preprocessing), report: report)
        try Task.checkCancellation()
        report(.stage(.identify))
        return try await identify(text, name: name)
    }

    /// How this scanner reads a photo.
    ///
    /// - Parameter preprocessing: nil for its own choice.
    package func request(_ preprocessing: PreprocessingMode?) -> TextRequest {
        TextRequest(
            preprocessing: preprocessing ?? options.preprocessing, limits: options.limits,
            reportsSpines: options.reportsSpines)
    }

    package func readText(
        _ bytes: [UInt8], _ request: TextRequest, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> PhotoText {
        // Each stage blocks its thread for tenths of a second.
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            let clock = ContinuousClock()
            let start = clock.now
            report(.stage(.decode))
            var photo = try DecodedShelf(bytes, limits: request.limits)
            try Task.checkCancellation()
            let filters = AppliedFilters(request.preprocessing, photo.quality)
            if let filters { photo.apply(filters) }
            let decoded = clock.now

            try Task.checkCancellation()
            report(.stage(.read))
            let size = photo.pyramid.size
            let shelf = try await reader.read(
                photo.pyramid,
                detected: { areas in
                    guard request.reportsSpines else { return }
                    let spines = SpineSketch.spines(around: areas, in: size)
                    if !spines.isEmpty { report(.spines(spines)) }
                }, progress: { report(.text($0)) })
            return PhotoText(
                originalSize: photo.originalSize, size: size, shelf: shelf, quality: photo.quality, filters: filters,
                decodeSeconds: (decoded - start) / .seconds(1), seconds: (clock.now - start) / .seconds(1))
        }
    }

    /// Measures a photo that another machine read.
    ///
    /// Edges are computed here because they are larger than many a photo; sizes and quality, so that they are certain.
    ///
    /// - Parameters:
    ///   - filters: those with which it was read.
    ///   - turn: the clockwise rotation that turns the shelf upright.
    /// - Throws: `ImageError`.
    package func measure(
        _ bytes: [UInt8], filters: AppliedFilters?, turn: QuarterTurn
    ) async throws -> MeasuredPhoto {
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            var photo = try DecodedShelf(bytes, limits: options.limits)
            if let filters { photo.apply(filters) }
            return MeasuredPhoto(
                originalSize: photo.originalSize, size: photo.pyramid.size, quality: photo.quality,
                edges: ShelfEdges(of: photo.pyramid, turn: turn))
        }
    }

    /// Identifies the books of a photo whose text was read.
    ///
    /// - Parameter name: names the photo in the result.
    /// - Throws: errors of the catalog, `CancellationError`.
    package func identify(_ text: PhotoText, name: String) async throws -> ScannedPhoto {
        try await identifier.identify(text, name: name)
    }

    package func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto {
        try await identifier.identify(photo)
    }

    package func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
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
                spines: spines, quality: quality, seconds: (clock.now - start).seconds)
        }
    }

    package func reread(_ spine: RGBImage) async throws -> DetectedBook {
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            let pyramid = ImagePyramid(spine)
            let shelf = try await reader.read(pyramid)
            try Task.checkCancellation()
            return try identifier.book(of: shelf, in: pyramid.size)
        }
    }
}

extension Duration {
    /// In seconds, rounded to three decimals.
    fileprivate var seconds: Double { (self / .seconds(1)).thousandths }
}
