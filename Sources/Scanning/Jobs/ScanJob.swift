package import Foundation
package import Imaging

/// One request to read 1...5 photos.
package struct ScanJob: Codable, Identifiable, Sendable {
    package var id: String
    /// Who asked; photos are read in turn between clients.
    package var client: String
    package var status: JobStatus
    package var options: JobOptions
    /// How many photos the job will have, 1...5.
    package var photosExpected: Int
    /// One for each number from 1 to `photosExpected`.
    package var photos: [JobPhoto]
    package var books: Int
    package var needsReview: Int
    /// Whether every photo that was read is in the library.
    package var imported: Bool
    package var lastEvent: Int
    package var createdAt: Date
    package var updatedAt: Date
    package var finishedAt: Date?

    package var isFinished: Bool { status.isFinal }

    /// Of the whole job, 0...1: receiving is the first tenth, reading takes it to 0.5, enriching to 1.
    package var progress: Double {
        if isFinished { return 1 }
        let settled = photos.filter { $0.status.isFinal }.count
        let reading = photos.filter { $0.status == .reading }.count
        let share = (Double(settled) + 0.5 * Double(reading)) / Double(max(photosExpected, 1))
        return ((0.1 + 0.4 * share) * 1000).rounded() / 1000
    }

    package var stage: JobStage {
        if isFinished { return .completed }
        if photos.allSatisfy({ $0.status.isFinal }) { return .enriching }
        return photos.contains { $0.status == .reading || $0.status.isFinal } ? .analyzing : .uploading
    }
}

package enum JobStatus: String, Codable, CaseIterable, Sendable {
    case queued
    case running
    case completed
    /// No photo could be read. A bad photo among good ones does not fail the job.
    case failed
    case canceled

    package var isFinal: Bool { self == .completed || self == .failed || self == .canceled }
}

package enum JobStage: String, Codable, CaseIterable, Sendable {
    case uploading
    case analyzing
    case enriching
    case completed
}

/// One photo of a job.
package struct JobPhoto: Codable, Sendable {
    /// From 1.
    package var index: Int
    package var status: PhotoStatus
    /// As the client called it, for people; never a path.
    package var name: String?
    package var bytes: Int?
    /// How many books were found, when done.
    package var books: Int?
    /// Why it failed.
    package var problem: JobProblem?
}

package enum PhotoStatus: String, Codable, CaseIterable, Sendable {
    /// Announced and not here yet.
    case missing
    case queued
    case reading
    case done
    case failed
    case canceled

    package var isFinal: Bool { self == .done || self == .failed || self == .canceled }
}

/// Why a photo or a job failed: a stable code for programs, a sentence for people.
package struct JobProblem: Codable, Hashable, Sendable {
    package var code: String
    package var message: String
    package var retryable: Bool
    /// The photo's number, where one photo failed.
    package var photo: Int?

    package init(code: String, message: String, retryable: Bool, photo: Int? = nil) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.photo = photo
    }
}

/// How a job is done.
package struct JobOptions: Codable, Hashable, Sendable {
    /// A book below this confidence needs review, 0...1; the setting's value where `nil`.
    package var threshold: Double?
    /// Put the books into the library as photos are read.
    package var importsResults: Bool
    /// The shelf that the photos belong to.
    package var shelf: String?
    package var reader: String?
    package var preprocessing: PreprocessingMode?
    /// Whose words the job's WebSocket speaks to a client that asks for no others; this API's own where `nil`.
    package var app: OlderApp?

    /// An app whose protocol is served besides this API's own.
    package enum OlderApp: String, Codable, Sendable {
        /// The one that posts to `/api/scan-bookshelf`.
        case bookshelf
    }

    package init(
        threshold: Double? = nil, importsResults: Bool = false, shelf: String? = nil, reader: String? = nil,
        preprocessing: PreprocessingMode? = nil, app: OlderApp? = nil
    ) {
        self.threshold = threshold
        self.importsResults = importsResults
        self.shelf = shelf
        self.reader = reader
        self.preprocessing = preprocessing
        self.app = app
    }
}

/// What jobs may use, and how long they are kept.
package struct JobLimits: Hashable, Sendable {
    package var photosPerJob = 5
    package var photo = PhotoLimits()
    /// Of a viewfinder: a small picture, looked at several times a second.
    package var frame = PhotoLimits(maxBytes: 1_000_000, maxPixels: 2_000_000)
    /// Photos read at once, over all jobs.
    package var photosAtOnce = 1
    package var jobsInFlightPerClient = 10
    /// How long results and events of finished jobs are kept.
    package var kept: Duration = .seconds(24 * 3600)
    /// After how long a job that is neither watched nor to be imported is cleaned up.
    package var unwatched: Duration = .seconds(600)
    /// A photo at which the process died this often is left alone until somebody asks for it again.
    ///
    /// Large, because a death need not be the photo's fault: a machine that is switched off again and again must not
    /// cost anybody a photo.
    package var attempts = 10

    package init() {}
}

extension PreprocessingMode: Codable {}
