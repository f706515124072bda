import Foundation
import ShelflistAPI
import Synchronization

/// The work that the identification of one photo takes, and the most that it may take.
///
/// Several steps compare all lines or spines of a photo in pairs, and some compare groups of them. The text may come from
/// another machine, which can return thousands of lines in one place.
package final class IdentificationEffort: Sendable {
    /// A step takes about ten nanoseconds.
    ///
    /// A photo of 300 spines takes about a twentieth.
    package static let mostSteps = 1_000_000_000
    /// For what the steps do not count.
    package static let mostTime = Duration.seconds(10)
    /// The steps between two looks at the clock.
    private static let betweenLooks = 10_000_000

    private let taken = Atomic(0)
    private let mostSteps: Int
    private let time: @Sendable () -> Duration
    private let start: Duration
    private let thread = pthread_self()

    /// - Parameter time: returns the processor time of the calling thread, so that a machine that does other work, and a
    ///   process that was stopped, take no time.
    package init(
        mostSteps: Int = mostSteps, time: @escaping @Sendable () -> Duration = ProcessorTime.ofThread
    ) {
        (self.mostSteps, self.time) = (mostSteps, time)
        start = time()
    }

    /// The steps so far.
    package var steps: Int { taken.load(ordering: .relaxed) }

    /// Adds steps that are about to be taken, on any thread.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    func spend(_ steps: Int) throws(IdentificationError) {
        let (before, after) = taken.add(max(0, min(steps, mostSteps)), ordering: .relaxed)
        guard after <= mostSteps else { throw .tooMuchText }
        // Other threads have other times.
        guard before / Self.betweenLooks != after / Self.betweenLooks, pthread_equal(pthread_self(), thread) != 0 else {
            return
        }
        try checkTime()
    }

    /// Call on the thread on which the work began.
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    func checkTime() throws(IdentificationError) {
        guard time() - start <= Self.mostTime else { throw .tooMuchText }
    }
}

/// Why the books of a photo could not be identified.
package enum IdentificationError: ReportedError {
    case tooMuchText

    package var problemCode: String { "too_much_text" }

    package var description: String {
        "The photo has too much text to find books in it. Photograph fewer books at once, or crop it."
    }
}

/// Clocks that run only while a thread works.
package enum ProcessorTime {
    package static let ofThread: @Sendable () -> Duration = {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
