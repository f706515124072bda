public import Bibliography
public import Foundation
public import Imaging

/// One entry of a job's event log.
///
/// The numbers of a job's events count from 1, in the order in which they happened. There are no gaps, but for
/// the results of a cancelled job, which are deleted.
public struct JobEvent: Codable, Sendable {
    public var id: Int
    public var time: Date
    public var content: Content

    public init(id: Int, time: Date, content: Content) {
        self.id = id
        self.time = time
        self.content = content
    }

    public enum Content: Codable, Sendable {
        case progress(Progress)
        case photo(JobPhoto)
        case segmented(Segmentation)
        case bookProgress(BookProgress)
        case result(ScanBook)
        case enriched(Enrichment)
        case enrichmentDegraded(Degradation)
        case imported(ImportCounts)
        case completed(ScanSummary)
        case error(JobProblem)
        case canceled

        /// Whether the job's log ends with this event.
        public var isLast: Bool {
            switch self {
            case .completed, .canceled: true
            case .error(let problem): problem.photo == nil
            default: false
            }
        }
    }

    public struct Progress: Codable, Sendable {
        public var stage: JobStage
        /// Of the whole job, 0...1.
        public var progress: Double
        public var message: String
        public var photo: Int?
    }

    /// The spines of a photo, before their titles are known.
    public struct Segmentation: Codable, Sendable {
        public var photo: Int
        public var spines: [Spine]

        public struct Spine: Codable, Sendable {
            public var quad: UnitQuad
            public var boundingBox: UnitRect

            public init(quad: UnitQuad, boundingBox: UnitRect) {
                self.quad = quad
                self.boundingBox = boundingBox
            }
        }
    }

    public struct BookProgress: Codable, Sendable {
        public var photo: Int
        public var current: Int
        public var total: Int
        public var stage: String
    }

    public struct Enrichment: Codable, Sendable {
        public var bookID: String
        public var state: EnrichmentState
        public var metadata: BookMetadata?
        public var current: Int
        public var total: Int
    }

    /// A provider that is not asked for now.
    public struct Degradation: Codable, Sendable {
        public var provider: String
        public var message: String
        public var retryAfterMs: Int?

        public init(provider: String, message: String, retryAfterMs: Int? = nil) {
            self.provider = provider
            self.message = message
            self.retryAfterMs = retryAfterMs
        }
    }

    public struct ImportCounts: Codable, Sendable {
        public var photo: Int
        public var entries: Int
        public var needsReview: Int
        public var duplicates: Int

        public init(photo: Int, entries: Int, needsReview: Int, duplicates: Int) {
            self.photo = photo
            self.entries = entries
            self.needsReview = needsReview
            self.duplicates = duplicates
        }
    }
}

public enum EnrichmentState: String, Codable, Sendable {
    case none
    case pending
    case enriched
    case notFound
    case failed
}
