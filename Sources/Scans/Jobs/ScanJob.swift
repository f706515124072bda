package import Foundation
package import Imaging
package import ShelflistAPI

/// One request to read 1...5 photos.
package struct ScanJob: Identifiable, Sendable {
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
    /// Whether sources are still being asked about its books; also after the job is finished.
    package var isAsking = false
    /// How far they are; nil while none is asked.
    package var lookups: JobEvent.LookupProgress?
    package var lastEvent: Int
    package var createdAt: Date
    package var updatedAt: Date
    package var finishedAt: Date?

    package var isFinished: Bool { status.isFinal }

    /// Returns the part of `client` that the server has authenticated: without the name that a device chose.
    static func caller(of client: String) -> String {
        client.firstRange(of: " device:").map { String(client[..<$0.lowerBound]) } ?? client
    }

    /// Whether events about its books may still be logged.
    var acceptsAnswers: Bool { !isFinished || status == .completed && isAsking }

    /// Whether the job is not finished and none of its photos is outstanding.
    var isRead: Bool { !isFinished && photos.allSatisfy { $0.status.isFinal } }

    package func photo(_ number: Int) -> JobPhoto? { photos.first { $0.index == number } }

    /// Of the whole job, 0...1: receiving is the first tenth, reading takes it to 0.5, enriching to 1.
    package var progress: Double {
        isFinished ? 1 : progress(reading: 0.5 * Double(photos.count { $0.status == .reading }))
    }

    /// - Parameter reading: how much of the photos that are being read is done, in photos.
    func progress(reading: Double) -> Double {
        let read = Double(photos.count { $0.status.isFinal }) + reading
        return (0.1 + 0.4 * (read / Double(max(photosExpected, 1)))).thousandths
    }

    package var stage: JobStage {
        if isFinished { return .completed }
        if photos.allSatisfy({ $0.status.isFinal }) { return .enriching }
        return photos.contains { $0.status == .reading || $0.status.isFinal || $0.problem != nil }
            ? .analyzing : .uploading
    }
}

/// What jobs may use, and how long they are kept.
package struct JobLimits: Hashable, Sendable {
    package var photosPerJob = 5
    package var photo = PhotoLimits()
    /// Photos about which sources are asked at once, over all jobs.
    package var photosAskedAtOnce = 4
    /// Photos whose text is kept in memory until sources are asked about them, a few MB each; others are read again.
    package var textsKept = 16
    /// Of a viewfinder: a small picture, looked at several times a second.
    package var frame = PhotoLimits(maxBytes: 1_000_000, maxPixels: 2_000_000)
    /// Photos read at once, over all jobs.
    package var photosAtOnce = 1
    package var jobsInFlightPerClient = 10
    /// How long results and events of finished jobs are kept.
    package var kept: Duration = .seconds(24 * 3600)
    /// After how long a job that is neither watched nor to be imported is cleaned up.
    package var unwatched: Duration = .seconds(600)
    /// A photo at which the process died this often is not read again until a client retries it.
    ///
    /// Small, because each death ends all other work of the server; the photo is kept, and *Retry* reads it again after power
    /// cuts.
    package var attempts = 2
    /// So many deaths while other machines read a photo count as one: many photos are read there at once, and a death says
    /// little about each.
    static let deathsElsewhere = 5
    /// After how long the events of a photo report that the disk fails to read it.
    package var diskFailureReported: Duration = .seconds(300)
    /// After how long such a photo fails.
    package var diskFailureKept: Duration = .seconds(24 * 3600)
    /// Bytes of the disk that photos leave free for what is small and must be stored: sessions, accounts, results.
    package var bytesKeptFree = 200_000_000
    /// How long a stop waits for what it cancelled, so that its threads are idle when the process ends.
    package var stopping: Duration = .seconds(2)

    package init() {}
}
