internal import COpenVINO
package import Foundation
import Synchronization

/// A neural network loaded and compiled for the CPU by OpenVINO.
///
/// Has one input and one output, both `Float` tensors. Sizes may differ between runs if the model has dynamic
/// dimensions.
///
/// Safe to use from several threads: each run has its own infer request.
package final class Model: Sendable {
    private let name: String
    private let compiled: Handle
    /// Whether a run may be interrupted.
    ///
    /// With dynamic dimensions, each layer caches the sizes of the last run. After an interrupted run the layers
    /// disagree, and the next run would fail or return wrong results.
    private let isCancellable: Bool
    private let idleRequests = Mutex<[Handle]>([])
    /// Of results; the runtime's own limit is eight.
    private static let maximumRank = 8

    /// Loads an ONNX or OpenVINO IR file; takes a few tenths of a second.
    ///
    /// - Parameters:
    ///   - shape: of all inputs; `nil` keeps the model's own shape.
    ///   - floats: native ones take about half the time and memory (docs/decisions/0008-native-precision.md).
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    /// - Throws: `InferenceError` if the file is missing, damaged, unsupported by the runtime, or of another shape.
    package init(
        contentsOf file: URL, shape: [Int]? = nil, budget: ComputeBudget, floats: FloatPrecision = .native,
        keptIn kept: CompiledNetworks? = nil
    ) throws(InferenceError) {
        name = file.lastPathComponent
        isCancellable = shape != nil
        let action = "load \(file.path)"
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw InferenceError(action: action, reason: "the file is missing or cannot be read")
        }
        let core = try Runtime.core.get()
        let sizes = shape.map { $0.map(Int64.init) }
        func compile(keptIn folder: URL?) throws(InferenceError) -> Handle {
            try Handle(action, delete: sl_ov_network_delete) { message in
                sl_ov_network_compile(
                    core.pointer, file.path, sizes, sizes?.count ?? 0, folder?.path, Int32(budget.streams),
                    Int32(budget.threads), floats == .single, &message)
            }
        }
        if let kept {
            let size = shape.map { $0.map(String.init).joined(separator: "x") } ?? "any"
            let precision = floats == .single ? "-single" : ""
            let name = "\(file.deletingPathExtension().lastPathComponent)-\(size)\(precision)"
            compiled = try kept.compile(name, for: try Runtime.environment(), compile)
        } else {
            compiled = try compile(keptIn: nil)
        }
    }

    /// Runs the model on one input and passes the result to `body`, which must not keep it.
    ///
    /// Blocks its thread, so it should run on a blocking executor. A cancelled task waits at most for the current
    /// layer, or with dynamic dimensions for the end of the run.
    ///
    /// - Parameter started: is called once the run has begun; what it does delays the result at most.
    /// - Throws: `InferenceError`, for example if the shape does not fit the model; `CancellationError`.
    package func run<Result>(
        _ input: Tensor, started: () -> Void = {}, _ body: (TensorView) throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        let action = "run \(name) on a tensor of shape \(input.shape)"
        let idle = idleRequests.withLock { $0.popLast() }
        let request =
            try idle
            ?? Handle(action, delete: sl_ov_request_delete) { sl_ov_request_create(compiled.pointer, &$0) }
        // The run has ended, successfully or not, so its request can be reused.
        defer { idleRequests.withLock { $0.append(request) } }
        let run = CancellableRun(of: request)
        return try await withTaskCancellationHandler {
            try input.values.withUnsafeBufferPointer { values in
                try infer(run, values, shape: input.shape.map(Int64.init), action: action, started, body)
            }
        } onCancel: {
            if isCancellable { run.cancel() }
        }
    }

    private func infer<Result>(
        _ run: CancellableRun, _ values: UnsafeBufferPointer<Float>, shape: [Int64], action: String,
        _ started: () -> Void, _ body: (TensorView) throws -> Result
    ) throws -> Result {
        try run(values, shape: shape, action, started)
        var sizes = [Int64](repeating: 0, count: Self.maximumRank)
        var rank = 0
        let start = try call("\(action) and return its result") { message in
            sl_ov_request_output(run.request.pointer, &sizes, Self.maximumRank, &rank, &message)
        }
        let resultShape = sizes.prefix(rank).map { Int($0) }
        let count = resultShape.reduce(1, *)
        return try body(TensorView(shape: resultShape, values: UnsafeBufferPointer(start: start, count: count)))
    }

    /// Frees the memory that the layers keep for the next run, which takes a little longer then.
    ///
    /// Does nothing while the model runs.
    package func releaseMemory() {
        idleRequests.withLock { $0.removeAll() }
        _ = sl_ov_network_release_memory(compiled.pointer)
    }
}

/// One run of an infer request, which another thread may cancel.
private final class CancellableRun: Sendable {
    private enum State {
        case notStarted
        case running
        case over
        case cancelled
    }

    let request: Handle
    private let state = Mutex(State.notStarted)

    init(of request: Handle) { self.request = request }

    /// Runs the request and returns when it is idle again.
    ///
    /// - Throws: `InferenceError`, `CancellationError`.
    func callAsFunction(
        _ values: UnsafeBufferPointer<Float>, shape: [Int64], _ action: String, _ started: () -> Void
    ) throws {
        // A request that has not started cannot be cancelled, so starting it and marking it as running is one
        // critical section.
        try state.withLock { state in
            guard state != .cancelled else { throw CancellationError() }
            try call(action) { message in
                sl_ov_request_start(request.pointer, values.baseAddress, shape, shape.count, &message) ? () : nil
            }
            state = .running
        }
        started()
        let ended = Result { () throws(InferenceError) in
            try call(action) { message in sl_ov_request_wait(request.pointer, &message) ? () : nil }
        }
        let isCancelled = state.withLock { state in
            defer { if state == .running { state = .over } }
            return state == .cancelled
        }
        if isCancelled { throw CancellationError() }
        try ended.get()
    }

    /// Does nothing after the run has ended, because its request may already serve another run.
    func cancel() {
        state.withLock { state in
            if state == .running { sl_ov_request_cancel(request.pointer) }
            if state != .over { state = .cancelled }
        }
    }
}
