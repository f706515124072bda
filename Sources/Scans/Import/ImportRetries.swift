package import Foundation

/// When imports that failed are tried again, and which failures the jobs' events report.
package struct ImportRetries {
    private struct Retry {
        var next: Date
        var wait: TimeInterval
    }

    private var retries: [String: Retry] = [:]
    /// Photos whose failure was reported since their last import that succeeded.
    package var reported: Set<PhotoKey> = []

    package init() {}

    package func isDue(_ job: String, at time: Date) -> Bool { retries[job].map { $0.next <= time } ?? true }

    /// Schedules the next try: after a minute, then after twice the time before, up to an hour.
    package mutating func fail(_ job: String, at time: Date) {
        let wait = min(retries[job].map { 2 * $0.wait } ?? 60, 3600)
        retries[job] = Retry(next: time.addingTimeInterval(wait), wait: wait)
    }

    /// Removes what is known of a job that is imported or deleted.
    package mutating func forget(_ job: String) {
        retries[job] = nil
        reported = reported.filter { $0.job != job }
    }
}
