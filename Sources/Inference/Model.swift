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

    /// Loads an ONNX or OpenVINO IR file; takes a few tenths of a second.
    ///
    /// The runtime chooses the precision: half precision if the processor supports it natively, which roughly halves
    /// time and memory (docs/decisions/0008-native-precision.md).
    ///
    /// - Parameters:
    ///   - shape: of all inputs; `nil` keeps the model's own shape.
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    /// - Throws: `InferenceError` if the file is missing, damaged, unsupported by the runtime, or of another shape.
    package init(
        contentsOf file: URL, shape: [Int]? = nil, budget: ComputeBudget, keptIn kept: CompiledNetworks? = nil
    ) throws(InferenceError) {
        name = file.lastPathComponent
        isCancellable = shape != nil
        let action = "load \(file.path)"
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw InferenceError(action: action, reason: "the file is missing or cannot be read")
        }
        let core = try Runtime.core.get()
        let network = try Handle(action, free: ov_model_free) {
            ov_core_read_model(core.pointer, file.path, nil, &$0)
        }
        if let shape { try Self.fix(shape, of: network, action: action) }
        let settings = [
            (sl_ov_key_num_streams(), "\(budget.streams)"), (sl_ov_key_num_threads(), "\(budget.threads)"),
            // Otherwise each compiled model pins its threads to the first cores, which other models may be using.
            (sl_ov_key_cpu_pinning(), "NO"),
        ]
        func compile(keptIn folder: URL?) throws(InferenceError) -> Handle {
            let place = folder.map { (sl_ov_key_cache_dir(), $0.path) }
            return try Handle(action, free: ov_compiled_model_free) { handle in
                withProperties(settings + [place].compactMap(\.self)) {
                    ov_core_compile_model_props(core.pointer, network.pointer, "CPU", $0.count, $0.baseAddress, &handle)
                }
            }
        }
        if let kept {
            let size = shape.map { $0.map(String.init).joined(separator: "x") } ?? "any"
            let name = "\(file.deletingPathExtension().lastPathComponent)-\(size)"
            compiled = try kept.compile(name, for: try Runtime.environment(), compile)
        } else {
            compiled = try compile(keptIn: nil)
        }
    }

    private static func fix(_ shape: [Int], of network: Handle, action: String) throws(InferenceError) {
        var partial = ov_partial_shape_t()
        try check(
            ov_partial_shape_create_static(Int64(shape.count), shape.map(Int64.init), &partial), action)
        defer { ov_partial_shape_free(&partial) }
        try check(ov_model_reshape_single_input(network.pointer, partial), action)
    }

    /// Runs the model on one input and passes the result to `body`, which must not keep it.
    ///
    /// Blocks its thread, so it should run on a blocking executor. A cancelled task waits at most for the current
    /// layer, or with dynamic dimensions for the end of the run.
    ///
    /// - Throws: `InferenceError`, for example if the shape does not fit the model; `CancellationError`.
    package func run<Result>(_ input: Tensor, _ body: (TensorView) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        let action = "run \(name) on a tensor of shape \(input.shape)"
        let idle = idleRequests.withLock { $0.popLast() }
        let request =
            try idle
            ?? Handle(action, free: ov_infer_request_free) {
                ov_compiled_model_create_infer_request(compiled.pointer, &$0)
            }
        // The run has ended, successfully or not, so its request can be reused.
        defer { idleRequests.withLock { $0.append(request) } }
        let run = CancellableRun(of: request)
        return try await withTaskCancellationHandler {
            try input.values.withUnsafeBufferPointer { values in
                try infer(run, values, shape: input.shape.map(Int64.init), action: action, body)
            }
        } onCancel: {
            if isCancellable { run.cancel() }
        }
    }

    private func infer<Result>(
        _ run: CancellableRun, _ values: UnsafeBufferPointer<Float>, shape: [Int64], action: String,
        _ body: (TensorView) throws -> Result
    ) throws -> Result {
        let request = run.request
        var inputShape = ov_shape_t()
        try check(ov_shape_create(Int64(shape.count), shape, &inputShape), action)
        defer { ov_shape_free(&inputShape) }
        // The runtime only reads the input, though its signature takes a mutable pointer.
        let host = UnsafeMutableRawPointer(mutating: values.baseAddress)
        let input = try Handle(action, free: ov_tensor_free) {
            ov_tensor_create_from_host_ptr(F32, inputShape, host, &$0)
        }
        try check(ov_infer_request_set_input_tensor(request.pointer, input.pointer), action)
        try run(action)

        let output = try Handle(action, free: ov_tensor_free) {
            ov_infer_request_get_output_tensor(request.pointer, &$0)
        }
        var outputShape = ov_shape_t()
        try check(ov_tensor_get_shape(output.pointer, &outputShape), action)
        defer { ov_shape_free(&outputShape) }
        var data: UnsafeMutableRawPointer?
        try check(ov_tensor_data(output.pointer, &data), action)
        let sizes = UnsafeBufferPointer(start: outputShape.dims, count: Int(outputShape.rank)).map(Int.init)
        let count = sizes.reduce(1, *)
        guard let start = data?.assumingMemoryBound(to: Float.self) else {
            throw InferenceError(action: action, reason: "it gave no result")
        }
        return try body(TensorView(shape: sizes, values: UnsafeBufferPointer(start: start, count: count)))
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
    func callAsFunction(_ action: String) throws {
        // A request that has not started cannot be cancelled, so starting it and marking it as running is one
        // critical section.
        try state.withLock { state in
            guard state != .cancelled else { throw CancellationError() }
            try check(ov_infer_request_start_async(request.pointer), action)
            state = .running
        }
        let status = ov_infer_request_wait(request.pointer)
        let isCancelled = state.withLock { state in
            defer { if state == .running { state = .over } }
            return state == .cancelled
        }
        if isCancelled { throw CancellationError() }
        try check(status, action)
    }

    /// Does nothing after the run has ended, because its request may already serve another run.
    func cancel() {
        state.withLock { state in
            if state == .running { _ = ov_infer_request_cancel(request.pointer) }
            if state != .over { state = .cancelled }
        }
    }
}

/// Passes key and value as C strings, which are valid during the call.
private func withProperties(
    _ settings: [(key: UnsafePointer<CChar>?, value: String)],
    _ body: (UnsafeBufferPointer<ov_property_t>) -> ov_status_e
) -> ov_status_e {
    let values = settings.map { strdup($0.value) }
    defer { values.forEach { free($0) } }
    let properties = zip(settings, values).map { ov_property_t(key: $0.key, value: UnsafePointer($1)) }
    return properties.withUnsafeBufferPointer(body)
}
