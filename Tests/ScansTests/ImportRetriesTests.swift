import Foundation
import Scans
import Testing

@Suite struct ImportRetriesTests {
    private let day = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("The wait doubles with each failure, from a minute to an hour")
    func waits() {
        var retries = ImportRetries()
        var time = day
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(retries.isDue("a", at: time))
            retries.fail("a", at: time)
            let next = time + TimeInterval(minutes * 60)
            #expect(!retries.isDue("a", at: next - 1) && retries.isDue("a", at: next))
            time = next
        }
        #expect(retries.isDue("b", at: day))
    }

    @Test("A job that is forgotten starts again")
    func forgotten() {
        var retries = ImportRetries()
        retries.fail("a", at: day)
        retries.reported = [PhotoKey(job: "a", photo: 1), PhotoKey(job: "b", photo: 1)]
        retries.forget("a")
        #expect(retries.isDue("a", at: day) && retries.reported == [PhotoKey(job: "b", photo: 1)])
    }
}
