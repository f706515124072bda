package import Bibliography
package import Foundation
import Imaging
package import ShelflistAPI

/// One entry of a job's event log.
///
/// The numbers of a job's events count from 1, in the order in which they happened. There are no gaps, but for
/// the results of a cancelled job, which are deleted.
package struct JobEvent: Codable, Sendable {
    package var id: Int
    package var time: Date
    package var content: Content

    package init(id: Int, time: Date, content: Content) {
        self.id = id
        self.time = time
        self.content = content
    }

    package enum Content: Codable, Sendable {
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
        package var isLast: Bool {
            switch self {
            case .completed, .canceled: true
            case .error(let problem): problem.photo == nil
            default: false
            }
        }
    }

    package struct Progress: Codable, Sendable {
        package var stage: JobStage
        /// Of the whole job, 0...1.
        package var progress: Double
        package var message: String
        package var photo: Int?
    }

    /// The spines of a photo, before their titles are known.
    package struct Segmentation: Codable, Sendable {
        package var photo: Int
        package var spines: [SpineOutline]
    }

    package struct BookProgress: Codable, Sendable {
        package var photo: Int
        package var current: Int
        package var total: Int
        package var stage: String
    }

    package struct Enrichment: Codable, Sendable {
        package var bookID: String
        package var state: EnrichmentState
        package var metadata: BookMetadata?
        package var current: Int
        package var total: Int
    }

    /// A provider that is not asked for now.
    package struct Degradation: Codable, Sendable {
        package var provider: String
        package var message: String
        package var retryAfterMs: Int?

        package init(provider: String, message: String, retryAfterMs: Int? = nil) {
            self.provider = provider
            self.message = message
            self.retryAfterMs = retryAfterMs
        }
    }

    package struct ImportCounts: Codable, Sendable {
        package var photo: Int
        package var entries: Int
        package var needsReview: Int
        package var duplicates: Int

        package init(photo: Int, entries: Int, needsReview: Int, duplicates: Int) {
            self.photo = photo
            self.entries = entries
            self.needsReview = needsReview
            self.duplicates = duplicates
        }
    }
}

package enum EnrichmentState: String, Codable, Sendable {
    case none
    case pending
    case enriched
    case notFound
    case failed
}
