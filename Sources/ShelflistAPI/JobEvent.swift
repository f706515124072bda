public import Foundation

/// One entry of a job's event log, as stored and sent: `{"id", "jobId", "type", "time", "data"}`.
///
/// A job's events are numbered from 1, in order and without gaps, except that the results of a cancelled job are
/// deleted. The server adds URLs to the data of some events.
public struct JobEvent: Codable, Sendable {
    public var id: Int
    public var jobId: String
    public var time: Date
    public var content: Content

    public init(id: Int, jobId: String, time: Date, content: Content) {
        (self.id, self.jobId, self.time, self.content) = (id, jobId, time, content)
    }

    /// The fields `type` and `data` of an event.
    public enum Content: Sendable {
        case progress(Progress)
        case photo(JobPhoto)
        case segmented(Segmentation)
        case bookProgress(BookProgress)
        case result(ScanBook)
        case enriched(Enrichment)
        case enrichmentDegraded(UnavailableSource)
        case lookupProgress(LookupProgress)
        case imported(ImportCounts)
        case updated(Update)
        case completed(ScanSummary)
        case error(JobProblem)
        case canceled
        /// A type that this version does not know. Ignore it.
        case unknown(String)
    }

    public struct Progress: Codable, Hashable, Sendable {
        public var stage: JobStage
        /// The progress of the whole job, 0...1.
        public var progress: Double
        public var message: String
        public var photo: Int?

        public init(stage: JobStage, progress: Double, message: String, photo: Int? = nil) {
            (self.stage, self.progress, self.message, self.photo) = (stage, progress, message, photo)
        }
    }

    /// The spines of a photo, before their titles are known.
    public struct Segmentation: Codable, Hashable, Sendable {
        public var photo: Int
        public let totalBooks: Int
        public let spines: [SpineOutline]

        public init(photo: Int, spines: [SpineOutline]) {
            self.photo = photo
            self.spines = spines
            totalBooks = spines.count
        }
    }

    public struct BookProgress: Codable, Hashable, Sendable {
        public var photo: Int
        public var current: Int
        public var total: Int
        public var stage: String

        public init(photo: Int, current: Int, total: Int, stage: String) {
            (self.photo, self.current, self.total, self.stage) = (photo, current, total, stage)
        }
    }

    /// The result of looking up one book in catalogs and providers.
    public struct Enrichment: Codable, Hashable, Sendable {
        public var bookID: String
        public var state: EnrichmentState
        @Null public var metadata: BookMetadata?
        public var current: Int
        public var total: Int

        public init(bookID: String, state: EnrichmentState, metadata: BookMetadata?, current: Int, total: Int) {
            (self.bookID, self.state) = (bookID, state)
            (self.metadata, self.current, self.total) = (metadata, current, total)
        }

        enum CodingKeys: String, CodingKey {
            case bookID = "bookId"
            case state = "enrichment"
            case metadata, current, total
        }
    }

    /// How far the look-ups of unsure spines in sources are.
    ///
    /// A spine is looked up once it is sure, or nothing is left to ask about it.
    public struct LookupProgress: Codable, Hashable, Sendable {
        /// The spines of one photo.
        public struct Photo: Codable, Hashable, Sendable {
            public var photo: Int
            /// The spines that are looked up, 0...`total`.
            public var current: Int
            /// The spines to look up; those that a source did not answer do not count once the photo is finished.
            public var total: Int

            public init(photo: Int, current: Int, total: Int) {
                (self.photo, self.current, self.total) = (photo, current, total)
            }
        }

        /// The spines of all photos that are looked up, 0...`total`.
        public let current: Int
        /// The spines of all photos to look up, as far as their look-ups have begun.
        public let total: Int
        /// In order; without photos about which no source was asked yet.
        public let photos: [Photo]

        public init(photos: [Photo]) {
            self.photos = photos
            current = photos.reduce(0) { $0 + $1.current }
            total = photos.reduce(0) { $0 + $1.total }
        }
    }

    /// What changed in a photo's books after sources answered.
    public struct Update: Codable, Sendable {
        public var photo: Int
        /// The books that are new or changed.
        public var books: [UpdatedBook]
        /// The identifiers of books that are no longer in the results: their text belongs to another book, or they are
        /// further sightings of one.
        public var removed: [String]

        public init(photo: Int, books: [UpdatedBook], removed: [String]) {
            (self.photo, self.books, self.removed) = (photo, books, removed)
        }
    }

    /// The counts of one photo's import.
    public struct ImportCounts: Codable, Hashable, Sendable {
        public var photo: Int
        public var entries: Int
        public var needsReview: Int
        public var duplicates: Int

        public init(photo: Int, entries: Int, needsReview: Int, duplicates: Int) {
            (self.photo, self.entries, self.needsReview, self.duplicates) = (photo, entries, needsReview, duplicates)
        }
    }
}
