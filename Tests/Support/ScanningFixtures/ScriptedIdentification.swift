package import Scanning
package import ShelflistAPI
import Synchronization

/// A source for tests whose answers about each photo follow a script.
package final class ScriptedIdentification: PhotoIdentifying {
    package enum Step: Sendable {
        /// Changes the photo's books and reports them.
        case books(@Sendable (inout [DetectedBook]) -> Void)
        case unavailable(UnavailableSource)
        /// Continues when `release` is called.
        case wait
        case fail(any Error)
    }

    private let steps: [Step]
    private let counts = Mutex<(asked: Int, cancelled: Int)>((0, 0))
    private let off: Mutex<Bool>
    private let isReleased = Mutex(false)

    package init(isOff: Bool = false, _ steps: [Step]) {
        self.steps = steps
        off = Mutex(isOff)
    }

    /// How many photos it was asked about.
    package var asked: Int { counts.withLock(\.asked) }
    /// How many times it was cancelled while it waited.
    package var cancelled: Int { counts.withLock(\.cancelled) }

    package var isOff: Bool {
        get { off.withLock { $0 } }
        set { off.withLock { $0 = newValue } }
    }

    package func release() { isReleased.withLock { $0 = true } }

    package func isOff(for mode: ReaderMode?) -> Bool { isOff }

    package func identify(
        _ question: PhotoQuestion, with reader: any ShelfReading,
        report: @escaping @Sendable (IdentificationReport) async -> Void
    ) async throws -> ScannedPhoto {
        counts.withLock { $0.asked += 1 }
        var photo = question.photo
        for step in steps {
            switch step {
            case .books(let change):
                change(&photo.books)
                await report(.identified(photo))
            case .unavailable(let outage): await report(.unavailable(outage))
            case .wait:
                do {
                    while !isReleased.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
                } catch {
                    counts.withLock { $0.cancelled += 1 }
                    throw error
                }
            case .fail(let error): throw error
            }
        }
        return photo
    }
}
