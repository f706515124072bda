public import Identification
public import Imaging

/// What a scan of one or more photos found; the JSON document of `shelflist scan --format json`.
public struct ScanResult: Codable, Sendable {
    public var photos: [ScannedPhoto]

    public init(photos: [ScannedPhoto]) { self.photos = photos }
}

/// What was found in one photo.
public struct ScannedPhoto: Codable, Sendable {
    public var path: String
    /// Size of the EXIF-upright photo in pixels, as the file has it.
    public var width: Int
    public var height: Int
    /// By how many degrees, clockwise, the photo has to be turned so that the shelf stands upright: 0, 90, 180 or
    /// 270.
    ///
    /// All coordinates stay those of the EXIF-upright photo.
    public var turn: QuarterTurn
    /// Wall time from the first byte to the result, model loading apart.
    public var seconds: Double
    public var timings: StageTimings
    public var quality: PhotoQuality
    /// Whether the preprocessing filters were applied.
    public var preprocessed: Bool
    public var books: [DetectedBook]
    /// Lines that belong to no book.
    public var otherText: [ReadText]
}

/// Seconds spent in each stage.
public struct StageTimings: Codable, Sendable {
    public var decode = 0.0
    public var detect = 0.0
    public var recognise = 0.0
    public var group = 0.0
    public var match = 0.0
}
