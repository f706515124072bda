import SpineReading
import Testing

@Suite("Precision of recognition")
struct RecognitionPrecisionTests {
    #if arch(x86_64)
        @Test("8 bit is chosen where the processor has no bfloat16")
        func byProcessor() {
            #expect(RecognitionPrecision.fastest(withCapabilities: ["FP32", "INT8", "BIN"]) == .int8)
            #expect(RecognitionPrecision.fastest(withCapabilities: ["BF16", "FP32", "INT8"]) == .native)
        }
    #endif

    @Test("The runtime reports the capabilities of this processor")
    func thisMachine() throws {
        #expect(RecognitionPrecision.allCases.contains(try .fastest()))
    }
}
