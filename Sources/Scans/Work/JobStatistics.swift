package import Reading
package import ShelflistAPI

/// Counts for health and metrics.
package struct JobCounts: Sendable {
    package var byStatus: [JobStatus: Int]
    /// In the queue, except those that wait for the disk.
    package var photosWaiting: Int
    package var photosWaitingForDisk: Int
    package var photosReading: Int
    /// How long the longest waiting photo has waited, in seconds.
    package var queueAge: Double
}

/// Sums over all photos since the start of the process.
package struct JobStatistics: Sendable {
    package var photosRead = 0
    package var photosFailed = 0
    package var seconds = 0.0
    package var timings = StageTimings()

    mutating func add(_ result: ScannedPhoto) {
        photosRead += 1
        seconds += result.seconds
        timings.decode += result.timings.decode
        timings.detect += result.timings.detect
        timings.recognise += result.timings.recognise
        timings.group += result.timings.group
        timings.match += result.timings.match
    }
}
