import Foundation
import Inference
import Synchronization
import TestSupport
import Testing

extension Reading { @Suite("Canceled runs of models") struct ModelCancellationTests {} }

extension Reading.ModelCancellationTests {
    private static let budget = ComputeBudget(streams: 1, threads: 2)

    @Test(
        "A running model is canceled and can run again",
        arguments: readsAllPhotos ? [0, 10_000, 40_000, 80_000] : [10_000])
    func running(_ microseconds: Int) async throws {
        // Takes many times as much work as is waited for here: a task that was only stopped between two runs would end
        // one.
        let input = noise([1, 3, 1440, 1920], seed: 3, step: 1000)
        let model = try Model(contentsOf: file("detection.onnx"), shape: input.shape, budget: Self.budget)
        let expected = try await values(of: model, input)
        let running = Task {
            try await model.run(
                input,
                started: {
                    work(for: microseconds)
                    cancelCurrentTask()
                }
            ) { _ in _ = Issue.record("the run went on to its end") }
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try await values(of: model, input) == expected)
    }

    @Test("Canceling a model of open sizes does not interrupt its run", .whenReadingChanges)
    func openSizes() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: Self.budget)
        let small = noise([1, 3, 64, 64], seed: 3)
        let expected = try await values(of: model, small)
        let running = Task {
            try await model.run(blank([1, 3, 960, 1280]), started: cancelCurrentTask) { ($0.shape, Task.isCancelled) }
        }
        let (shape, isCanceled) = try await running.value
        #expect(shape == [1, 1, 960, 1280] && isCanceled)
        #expect(try await values(of: model, small) == expected)
    }

    @Test("A task that is already canceled runs nothing", .whenReadingChanges)
    func before() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: Self.budget)
        let running = Task {
            cancelCurrentTask()
            try await model.run(blank([1, 3, 64, 64])) { _ in _ = Issue.record("it ran") }
        }
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test("Canceling one of many runs does not affect the others", .whenReadingChanges, arguments: 1...4, 0..<4)
    func amongOthers(starts: Int, cut: Int) async throws {
        let shape = [1, 3, 96, 96]
        let model = try Model(
            contentsOf: file("detection.onnx"), shape: shape, budget: ComputeBudget(streams: 2, threads: 2))
        let inputs = (0..<4).map { noise(shape, seed: $0) }
        var expected: [[Float]] = []
        for input in inputs { expected.append(try await values(of: model, input)) }
        let victim = Victim(after: starts)
        let runs = inputs.enumerated().map { index, input in
            let run = Task { try await model.run(input, started: victim.countStart) { Array($0.values) } }
            if index == cut { victim.set(run) }
            return run
        }
        for (index, run) in runs.enumerated() {
            do {
                #expect(try await run.value == expected[index])
            } catch is CancellationError {
                #expect(index == cut)
            }
        }
    }
}

/// A run that is canceled when so many runs have started.
private final class Victim: Sendable {
    private struct State {
        var startsLeft: Int
        var run: Task<[Float], any Error>?
    }

    private let state: Mutex<State>

    init(after starts: Int) { state = Mutex(State(startsLeft: starts)) }

    func countStart() { change { $0.startsLeft -= 1 } }

    func set(_ run: Task<[Float], any Error>) { change { $0.run = run } }

    private func change(_ body: (inout State) -> Void) {
        let due = state.withLock { state in
            body(&state)
            return state.startsLeft <= 0 ? state.run : nil
        }
        due?.cancel()
    }
}

private func cancelCurrentTask() { withUnsafeCurrentTask { $0?.cancel() } }

/// Waits until the process has used so many microseconds of its processors, however long a busy machine takes for them.
private func work(for microseconds: Int) {
    let end = clock() + microseconds
    while clock() < end { sched_yield() }
}
