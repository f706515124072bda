import Inference

/// The numbers with which photos are read.
package enum ReadingPrecision: String, CaseIterable, Sendable {
    /// bfloat16 where the processor calculates with it, else 32-bit floating point.
    case native
    /// 8-bit integers, in networks of their own (docs/decisions/0024-eight-bit-recogniser.md, 0032-detection.md).
    case int8
    /// 32-bit floating point: slower, and the same on all processors but for rounding.
    case single

    var floats: FloatPrecision { self == .single ? .single : .native }

    /// The file with the detector of the turned photo, in the folder of the models.
    package var detector: String { self == .int8 ? "detection-int8.xml" : "detection.onnx" }

    /// The file with the thorough recogniser, in the folder of the models; the one of eight bits has Latin letters only.
    package var recognizer: String { self == .int8 ? "recognition-latin-int8.onnx" : "recognition.onnx" }

    /// The files of the tiny models, which read all photos.
    static let (tinyDetector, tinyRecognizer) = ("detection-tiny.onnx", "recognition-tiny.onnx")

    /// All files with models of this precision.
    package var files: [String] {
        let weights = self == .int8 ? ["detection-int8.bin"] : []
        // Lines in other letters are read by the recogniser that has all of them.
        let complete = self == .int8 ? [Self.native.recognizer] : []
        return [Self.tinyDetector, Self.tinyRecognizer, detector, recognizer] + weights + complete
    }

    /// The faster precision on this processor: 8 bit on x86 without bfloat16.
    ///
    /// A rule and not a measurement: a single run is faster with 8 bit on all of them, but with bfloat16 the time that
    /// the runtime needs for each new shape outweighs it, which no short measurement would show. On Arm nothing was
    /// measured.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    package static func fastest() throws -> ReadingPrecision {
        fastest(withCapabilities: try Runtime.capabilities())
    }

    package static func fastest(withCapabilities capabilities: Set<String>) -> ReadingPrecision {
        #if arch(x86_64)
            capabilities.contains("BF16") ? .native : .int8
        #else
            .native
        #endif
    }
}
