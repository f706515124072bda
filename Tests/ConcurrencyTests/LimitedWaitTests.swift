import Concurrency
import Testing

@Suite struct LimitedWaitTests {
    @Test("A wait ends with the work or at its limit, whichever comes first", arguments: [true, false])
    func ends(workEnds: Bool) async {
        let gate = AsyncStream<Never>.makeStream()
        let hasEnded = await waitForEnd {
            if !workEnds { for await _ in gate.stream {} }
        } until: {
            if workEnds { for await _ in gate.stream {} }
        }
        #expect(hasEnded == workEnds)
        gate.continuation.finish()
    }
}
