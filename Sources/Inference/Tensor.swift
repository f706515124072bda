/// Numbers in row-major order with their shape.
public struct Tensor: Sendable {
    public let shape: [Int]
    public let values: [Float]

    /// - Precondition: the shape's product is the number of values.
    public init(shape: [Int], values: [Float]) {
        precondition(shape.reduce(1, *) == values.count, "shape \(shape) does not hold \(values.count) values")
        self.shape = shape
        self.values = values
    }
}

/// A result that is still in the runtime's memory; row-major.
///
/// Not to be kept beyond the closure it is lent to.
public struct TensorView {
    public let shape: [Int]
    public let values: UnsafeBufferPointer<Float>
}

/// How much of the machine one model may use.
public struct ComputeBudget: Hashable, Sendable {
    /// How many inputs are worked on side by side.
    public var streams: Int
    /// Threads of all streams together.
    public var threads: Int

    public init(streams: Int, threads: Int) {
        self.streams = max(1, streams)
        self.threads = max(1, threads)
    }
}

/// A model that could not be loaded or run.
public struct InferenceError: Error, CustomStringConvertible, Sendable {
    /// What was being done, for example `load detection.onnx`.
    public let action: String
    /// What the runtime said.
    public let reason: String

    public init(action: String, reason: String) {
        self.action = action
        self.reason = reason
    }

    public var description: String { "The inference runtime could not \(action): \(reason)" }
}
