/// Numbers in row-major order with their shape.
package struct Tensor: Sendable {
    package let shape: [Int]
    package let values: [Float]

    /// - Precondition: the shape's product is the number of values.
    package init(shape: [Int], values: [Float]) {
        precondition(shape.reduce(1, *) == values.count, "shape \(shape) does not hold \(values.count) values")
        self.shape = shape
        self.values = values
    }
}

/// A result that is still in the runtime's memory; row-major.
///
/// Not to be kept beyond the closure it is lent to.
package struct TensorView {
    package let shape: [Int]
    package let values: UnsafeBufferPointer<Float>
}

/// How much of the machine one model may use.
package struct ComputeBudget: Hashable, Sendable {
    /// How many inputs are worked on side by side.
    package var streams: Int
    /// Threads of all streams together.
    package var threads: Int

    package init(streams: Int, threads: Int) {
        self.streams = max(1, streams)
        self.threads = max(1, threads)
    }
}

/// A model that could not be loaded or run.
package struct InferenceError: Error, CustomStringConvertible, Sendable {
    /// What was being done, for example `load detection.onnx`.
    package let action: String
    /// What the runtime said.
    package let reason: String

    package init(action: String, reason: String) {
        self.action = action
        self.reason = reason
    }

    package var description: String { "The inference runtime could not \(action): \(reason)" }
}
