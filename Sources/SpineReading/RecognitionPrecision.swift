import Inference

/// The numbers with which text lines are recognised.
package enum RecognitionPrecision: String, CaseIterable, Sendable {
    /// bfloat16 where the processor calculates with it, else 32-bit floating point.
    case native
    /// 8-bit integers, in a recogniser of its own (docs/decisions/0024-eight-bit-recogniser.md).
    case int8

    /// The file with the recogniser, in the folder of the models.
    package var file: String {
        switch self {
        case .native: "recognition.onnx"
        case .int8: "recognition-int8.onnx"
        }
    }

    /// The faster precision on this processor: 8 bit on x86 without bfloat16.
    ///
    /// A rule and not a measurement: a single run is faster with 8 bit on all of them, but with bfloat16 the time that
    /// the runtime needs for each new shape outweighs it, which no short measurement would show. On Arm nothing was
    /// measured.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    package static func fastest() throws -> RecognitionPrecision {
        fastest(withCapabilities: try Runtime.capabilities())
    }

    package static func fastest(withCapabilities capabilities: Set<String>) -> RecognitionPrecision {
        #if arch(x86_64)
            capabilities.contains("BF16") ? .native : .int8
        #else
            .native
        #endif
    }
}
