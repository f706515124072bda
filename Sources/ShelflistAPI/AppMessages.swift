public import Foundation

/// The settings of the server that an app shows.
///
/// The message has more, which the web app changes.
public struct LibrarySettings: Codable, Hashable, Sendable {
    /// Books below this confidence need review: 0.4...0.9.
    public var threshold: Double
    /// Whether photos are kept after all their books are reviewed.
    public var keepShelfPhotos: Bool

    public init(threshold: Double, keepShelfPhotos: Bool) {
        (self.threshold, self.keepShelfPhotos) = (threshold, keepShelfPhotos)
    }
}

/// A change of settings; what is nil is kept.
public struct LibrarySettingsChange: Codable, Hashable, Sendable {
    /// 0.4...0.9.
    public var threshold: Double?
    public var keepShelfPhotos: Bool?

    public init(threshold: Double? = nil, keepShelfPhotos: Bool? = nil) {
        (self.threshold, self.keepShelfPhotos) = (threshold, keepShelfPhotos)
    }
}

/// The spines of a frame of the viewfinder.
public struct ViewfinderPreview: Codable, Hashable, Sendable {
    /// In pixels.
    public var width: Int
    public var height: Int
    public var spines: [SpineOutline]

    public init(width: Int, height: Int, spines: [SpineOutline]) {
        (self.width, self.height, self.spines) = (width, height, spines)
    }
}

/// A stored photo of a shelf, with its spines.
public struct ShelfPhoto: Codable, Hashable, Identifiable, Sendable {
    public struct Spine: Codable, Hashable, Identifiable, Sendable {
        public var detectionId: String
        /// The copy; nil for a spine that is not in the library.
        @Null public var entryId: String?
        @Null public var title: String?
        public var boundingBox: UnitRect
        @Null public var quad: UnitQuad?

        public var id: String { detectionId }
        /// The outline, or the box of a spine without one.
        public var outline: UnitQuad { quad ?? UnitQuad(boundingBox) }

        public init(detectionId: String, entryId: String?, title: String?, boundingBox: UnitRect, quad: UnitQuad?) {
            (self.detectionId, self.entryId, self.title) = (detectionId, entryId, title)
            (self.boundingBox, self.quad) = (boundingBox, quad)
        }
    }

    public var id: String
    /// In pixels.
    public var width: Int
    public var height: Int
    public var takenAt: Date
    /// The photo, or its smaller picture; nil if neither is stored.
    @Null public var url: ServerPath?
    public var detections: [Spine]

    public init(id: String, width: Int, height: Int, takenAt: Date, url: ServerPath?, detections: [Spine]) {
        (self.id, self.width, self.height) = (id, width, height)
        (self.takenAt, self.url, self.detections) = (takenAt, url, detections)
    }
}

/// A tag and the number of copies that have it.
public struct TagCount: Codable, Hashable, Identifiable, Sendable {
    public var key: String
    public var count: Int

    public var id: String { key }

    public init(key: String, count: Int) { (self.key, self.count) = (key, count) }
}
