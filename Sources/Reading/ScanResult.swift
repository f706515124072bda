package import Imaging
package import ShelflistAPI
package import SpineReading

/// What a scan of one or more photos found; the JSON document of `shelflist scan --format json`.
package struct ScanResult: Codable, Sendable {
    package var photos: [ScannedPhoto]

    package init(photos: [ScannedPhoto]) { self.photos = photos }
}

/// What was found in one photo.
package struct ScannedPhoto: Codable, Sendable {
    package var path: String
    /// Size of the EXIF-upright photo in pixels, as the file has it.
    package var width: Int
    package var height: Int
    /// By how many degrees, clockwise, the photo has to be turned so that the shelf stands upright: 0, 90, 180 or
    /// 270.
    ///
    /// All coordinates stay those of the EXIF-upright photo.
    package var turn: QuarterTurn
    /// Wall time from the first byte to the result, model loading and waiting for a worker apart.
    package var seconds: Double
    package var timings: StageTimings
    package var quality: PhotoQuality
    /// Whether the preprocessing filters were applied.
    package var preprocessed: Bool
    package var books: [DetectedBook]
    /// Lines that belong to no book.
    package var otherText: [ReadText]
    /// The labels of shelves; nil if an earlier version read the photo.
    package var labels: [ShelfLabel]?
    /// Signs of a library such as `796 SPORT`; nil as for `labels`.
    package var signs: [TextInPhoto]?
    /// The lines of `otherText` with words, and where they are; nil as for `labels`.
    package var looseLines: [TextInPhoto]?
    /// What a model was asked about the photo; nil if none was.
    package var model: ModelUse?
    /// What was read, to identify the books again; not part of the document.
    package var reading: PhotoReading?

    enum CodingKeys: CodingKey {
        case path, width, height, turn, seconds, timings, quality, preprocessed, books, otherText, labels, signs
        case looseLines, model
    }
}

/// The text of a photo before it is assigned to books.
package struct PhotoReading: Sendable {
    package var shelf: ReadShelf
    /// What models read on the spines.
    package var opinions: [SpineOpinion] = []
    /// A book that is at least this confident by its text is not lowered by an opinion, 0...1; nil for the reader's
    /// threshold.
    package var verifiedFrom: Double?
    /// The size of the picture that was read, in pixels.
    package var size: PixelSize

    package init(shelf: ReadShelf, size: PixelSize) { (self.shelf, self.size) = (shelf, size) }
}

/// Seconds spent in each stage.
package struct StageTimings: Codable, Sendable {
    package var decode = 0.0
    package var detect = 0.0
    package var recognise = 0.0
    package var group = 0.0
    package var match = 0.0

    package init(
        decode: Double = 0, detect: Double = 0, recognise: Double = 0, group: Double = 0, match: Double = 0
    ) {
        (self.decode, self.detect, self.recognise, self.group, self.match) = (decode, detect, recognise, group, match)
    }
}
