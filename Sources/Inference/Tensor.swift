import ShelflistAPI

/// Numbers in row-major order with their shape.
package struct Tensor: Sendable {
    package let shape: [Int]
    package let values: [Float]

    /// - Precondition: the product of the shape is the number of values.
    package init(shape: [Int], values: [Float]) {
        precondition(shape.reduce(1, *) == values.count, "shape \(shape) does not match \(values.count) values")
        self.shape = shape
        self.values = values
    }
}

/// A result in the runtime's memory; row-major.
///
/// Valid only inside the closure that receives it.
package struct TensorView {
    package let shape: [Int]
    package let values: UnsafeBufferPointer<Float>
}

/// The share of the machine that one model may use.
package struct ComputeBudget: Hashable, Sendable {
    /// The number of inputs processed concurrently.
    package var streams: Int
    /// Threads shared by all streams.
    package var threads: Int

    package init(streams: Int, threads: Int) {
        self.streams = max(1, streams)
        self.threads = max(1, threads)
    }
}

/// The numbers that the layers of a model calculate with, but for those of integers.
package enum FloatPrecision: Sendable {
    /// bfloat16 where the processor calculates with it, else 32 bits.
    case native
    /// 32 bits on each processor, so that all of them agree but for rounding.
    case single
}

/// A model that could not be loaded or run.
package struct InferenceError: ReportedError {
    /// The action that failed, for example `load detection.onnx`.
    package let action: String
    /// The runtime's message.
    package let reason: String

    package init(action: String, reason: String) { (self.action, self.reason) = (action, reason) }

    package var problemCode: String { "model_failed" }

    package var description: String { "The inference runtime could not \(action): \(reason)" }
}
