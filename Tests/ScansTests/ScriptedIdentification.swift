import Reading
import Scans
import ShelflistAPI
import Synchronization

/// A source for tests whose answers about each photo follow a script.
final class ScriptedIdentification: PhotoIdentifying {
    enum Step: Sendable {
        /// Changes the photo's books and reports them.
        case books(@Sendable (inout [DetectedBook]) -> Void)
        case open(Int)
        case unavailable(UnavailableSource)
        /// Continues when `release` is called.
        case wait
        case fail(any Error)
        case run(@Sendable () async -> Void)
    }

    private struct Waiting {
        var isReleased = false
        var last = 0
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let steps: [Step]
    private let counts = Mutex<(asked: Int, cancelled: Int)>((0, 0))
    private let off: Mutex<Bool>
    private let waiting = Mutex(Waiting())

    init(isOff: Bool = false, _ steps: [Step]) {
        self.steps = steps
        off = Mutex(isOff)
    }

    /// How many photos it was asked about.
    var asked: Int { counts.withLock(\.asked) }
    /// How many times it was cancelled while it waited.
    var cancelled: Int { counts.withLock(\.cancelled) }

    var isOff: Bool {
        get { off.withLock { $0 } }
        set { off.withLock { $0 = newValue } }
    }

    func release() {
        let continuations = waiting.withLock { waiting in
            defer { waiting.continuations = [:] }
            waiting.isReleased = true
            return waiting.continuations.values
        }
        for continuation in continuations { continuation.resume() }
    }

    private func waitForRelease() async throws {
        let id = waiting.withLock { waiting in
            waiting.last += 1
            return waiting.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isReleased = waiting.withLock { waiting in
                    if !waiting.isReleased { waiting.continuations[id] = continuation }
                    return waiting.isReleased
                }
                if isReleased { continuation.resume() }
                // The handler found nothing if it ran before.
                if Task.isCancelled { stopWaiting(id) }
            }
        } onCancel: {
            stopWaiting(id)
        }
    }

    private func stopWaiting(_ id: Int) {
        let continuation = waiting.withLock { $0.continuations.removeValue(forKey: id) }
        continuation?.resume(throwing: CancellationError())
    }

    func isOff(for mode: ReaderMode?) -> Bool { isOff }

    func identify(
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
            case .open(let spines): await report(.open(spines))
            case .unavailable(let outage): await report(.unavailable(outage))
            case .wait:
                do {
                    try await waitForRelease()
                } catch {
                    counts.withLock { $0.cancelled += 1 }
                    throw error
                }
            case .fail(let error): throw error
            case .run(let body): await body()
            }
        }
        return photo
    }
}
