package import Concurrency
package import Foundation
package import ShelflistAPI

extension Array where Element == any RecordSource {
    /// Queries all sources concurrently and returns their answers in the order of the sources: nil for a source that
    /// did not answer in time.
    ///
    /// Slow requests continue, so that the circuit breaker still sees their outcome.
    ///
    /// - Parameters:
    ///   - patience: seconds that the sources may take.
    ///   - ask: queries one source; errors are converted to `UnavailableSource`.
    ///   - timeLeft: called with each answer as it arrives; returns the seconds that the other sources may still take,
    ///     or nil to keep the current limit.
    package func answers<Answer: Sendable>(
        within patience: TimeInterval, clock: any WallClock = SystemClock(),
        _ ask: @escaping @Sendable (any RecordSource) async throws -> Answer,
        timeLeft: (Answer) -> TimeInterval? = { _ in nil }
    ) async -> [Result<Answer, UnavailableSource>?] {
        let (events, continuation) = AsyncStream<(index: Int, answer: Result<Answer, UnavailableSource>)?>.makeStream()
        for (index, source) in enumerated() {
            Task { continuation.yield((index, await source.answer(ask))) }
        }
        var timers: [Task<Void, any Error>] = []
        func end(after seconds: TimeInterval) {
            timers.append(
                Task {
                    try await clock.sleep(seconds: seconds)
                    continuation.yield(nil)
                })
        }
        end(after: patience)
        defer {
            timers.forEach { $0.cancel() }
            continuation.finish()
        }
        var answers = [Result<Answer, UnavailableSource>?](repeating: nil, count: count)
        var missing = count
        guard missing > 0 else { return [] }
        for await event in events {
            guard let event else { break }
            answers[event.index] = event.answer
            missing -= 1
            guard missing > 0 else { break }
            guard case .success(let answer) = event.answer, let left = timeLeft(answer) else { continue }
            guard left > 0 else { break }
            end(after: left)
        }
        return answers
    }
}

extension RecordSource {
    /// Returns the answer of `ask`; errors are converted to `UnavailableSource`.
    func answer<Answer: Sendable>(
        _ ask: @Sendable (any RecordSource) async throws -> Answer
    ) async -> Result<Answer, UnavailableSource> {
        do {
            return .success(try await ask(self))
        } catch let unavailable as UnavailableSource {
            return .failure(unavailable)
        } catch {
            return .failure(UnavailableSource(source: name, message: "\(title): \(error)"))
        }
    }
}
