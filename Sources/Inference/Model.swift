internal import COpenVINO
package import Foundation
import Synchronization

/// One neural network, loaded and compiled for the CPU by OpenVINO.
///
/// Has one input and one output, both `Float` tensors; sizes may differ from run to run where the model leaves them
/// open.
///
/// Safe to use from several threads: each run takes an infer request of its own.
package final class Model: Sendable {
    private let name: String
    private let compiled: Handle
    /// Whether a run may be cut short.
    ///
    /// A network whose sizes are open remembers, layer by layer, those of the last run; after one that was cut short,
    /// the next would meet layers that remember different runs, and give errors or wrong results.
    private let isCancellable: Bool
    private let idleRequests = Mutex<[Handle]>([])

    /// Loads an ONNX or OpenVINO IR file; takes a few tenths of a second.
    ///
    /// The precision is the runtime's choice: half of the width where the processor computes in it natively, which takes
    /// little more than half of the time and of the memory (docs/decisions/0008-native-precision.md).
    ///
    /// - Parameter shape: of all inputs; `nil` for any that the model takes.
    /// - Throws: `InferenceError` where the file is missing, damaged, not for this runtime, or of another shape.
    package init(contentsOf file: URL, shape: [Int]? = nil, budget: ComputeBudget) throws(InferenceError) {
        name = file.lastPathComponent
        isCancellable = shape != nil
        let action = "load \(file.path)"
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            throw InferenceError(action: action, reason: "the file is missing or cannot be read")
        }
        let core = try Self.core.get()
        var read: OpaquePointer?
        try check(ov_core_read_model(core.pointer, file.path, nil, &read), action)
        let network = try Handle(read, action: action, free: ov_model_free)
        if let shape { try Self.fix(shape, of: network, action: action) }
        let settings = [
            (sl_ov_key_num_streams(), "\(budget.streams)"), (sl_ov_key_num_threads(), "\(budget.threads)"),
            // Each compiled model would bind its threads to the first cores, whatever other models do there.
            (sl_ov_key_cpu_pinning(), "NO"),
        ]
        var handle: OpaquePointer?
        try withProperties(settings) { properties throws(InferenceError) in
            try check(
                ov_core_compile_model_props(
                    core.pointer, network.pointer, "CPU", properties.count, properties.baseAddress, &handle), action)
        }
        compiled = try Handle(handle, action: action, free: ov_compiled_model_free)
    }

    private static func fix(_ shape: [Int], of network: Handle, action: String) throws(InferenceError) {
        var partial = ov_partial_shape_t()
        try check(
            ov_partial_shape_create_static(Int64(shape.count), shape.map(Int64.init), &partial), action)
        defer { ov_partial_shape_free(&partial) }
        try check(ov_model_reshape_single_input(network.pointer, partial), action)
    }

    /// Runs the model on one input and lends the result to `body`.
    ///
    /// Blocks its thread: for tasks on an executor of their own. A task that is cancelled waits for no more than the
    /// layer of the network that is being computed; where the model's sizes are open, for the end of the run.
    ///
    /// - Throws: `InferenceError`, for example where the shape does not fit the model; `CancellationError`.
    package func run<Result>(_ input: Tensor, _ body: (TensorView) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        let action = "run \(name) on a tensor of shape \(input.shape)"
        let request = try idleRequests.withLock { $0.popLast() } ?? makeRequest(action)
        // Whatever became of the run, it is over: the request takes the next one.
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

    /// The runtime is started once per process; starting it loads its plugins.
    private static let core: Result<Handle, InferenceError> = Result { () throws(InferenceError) in
        sl_return_large_blocks()
        var core: OpaquePointer?
        try check(ov_core_create(&core), "start")
        return try Handle(core, action: "start", free: ov_core_free)
    }

    private func makeRequest(_ action: String) throws(InferenceError) -> Handle {
        var request: OpaquePointer?
        try check(ov_compiled_model_create_infer_request(compiled.pointer, &request), action)
        return try Handle(request, action: action, free: ov_infer_request_free)
    }

    private func infer<Result>(
        _ run: CancellableRun, _ values: UnsafeBufferPointer<Float>, shape: [Int64], action: String,
        _ body: (TensorView) throws -> Result
    ) throws -> Result {
        let request = run.request
        var inputShape = ov_shape_t()
        try check(ov_shape_create(Int64(shape.count), shape, &inputShape), action)
        defer { ov_shape_free(&inputShape) }
        var tensor: OpaquePointer?
        // The runtime only reads the input, though its signature takes a mutable pointer.
        let host = UnsafeMutableRawPointer(mutating: values.baseAddress)
        try check(ov_tensor_create_from_host_ptr(F32, inputShape, host, &tensor), action)
        let input = try Handle(tensor, action: action, free: ov_tensor_free)
        try check(ov_infer_request_set_input_tensor(request.pointer, input.pointer), action)
        try run(action)

        var result: OpaquePointer?
        try check(ov_infer_request_get_output_tensor(request.pointer, &result), action)
        let output = try Handle(result, action: action, free: ov_tensor_free)
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

/// One run of an infer request, which another thread may cut short.
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

    /// Returns when the request is at rest again, whatever became of it.
    ///
    /// - Throws: `InferenceError`, `CancellationError`.
    func callAsFunction(_ action: String) throws {
        // A request that has not begun cannot be cancelled: it is begun and declared running in one step.
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

    /// Does nothing to a run that is over: by then the request may be another's.
    func cancel() {
        state.withLock { state in
            if state == .running { _ = ov_infer_request_cancel(request.pointer) }
            if state != .over { state = .cancelled }
        }
    }
}

/// Owns one pointer of the C API and frees it once.
private final class Handle: @unchecked Sendable {
    // Sendable: the pointer never changes, and OpenVINO's core and compiled models may be used from several
    // threads. An infer request may only be cancelled from another; the pool of `Model` hands each to one run at a
    // time.
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer?) -> Void

    init(
        _ pointer: OpaquePointer?, action: String, free: @escaping @Sendable (OpaquePointer?) -> Void
    ) throws(InferenceError) {
        guard let pointer else { throw InferenceError(action: action, reason: "it gave no handle") }
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}

/// Lends key and value as C strings.
private func withProperties(
    _ settings: [(key: UnsafePointer<CChar>?, value: String)],
    _ body: (UnsafeBufferPointer<ov_property_t>) throws(InferenceError) -> Void
) throws(InferenceError) {
    let values = settings.map { strdup($0.value) }
    defer { values.forEach { free($0) } }
    let properties = zip(settings, values).map { ov_property_t(key: $0.key, value: UnsafePointer($1)) }
    let result = properties.withUnsafeBufferPointer { buffer in
        Result { () throws(InferenceError) in try body(buffer) }
    }
    try result.get()
}

/// Every status code of the C API passes through here.
private func check(_ status: ov_status_e, _ action: String) throws(InferenceError) {
    guard status != OK else { return }
    let detail = ov_get_last_err_msg().map { String(cString: $0) } ?? ""
    let reason = detail.isEmpty ? String(cString: ov_get_error_info(status)) : detail
    throw InferenceError(action: action, reason: reason)
}
