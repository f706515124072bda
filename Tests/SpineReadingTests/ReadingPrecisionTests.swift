import SpineReading
import Testing

@Suite("Precision of recognition")
struct ReadingPrecisionTests {
    #if arch(x86_64)
        @Test("8 bit is chosen where the processor has no bfloat16")
        func byProcessor() {
            #expect(ReadingPrecision.fastest(withCapabilities: ["FP32", "INT8", "BIN"]) == .int8)
            #expect(ReadingPrecision.fastest(withCapabilities: ["BF16", "FP32", "INT8"]) == .native)
        }
    #endif

    @Test("The runtime reports the capabilities of this processor")
    func thisMachine() throws {
        #expect(ReadingPrecision.allCases.contains(try .fastest()))
    }
}
