import Foundation
import GRDB
import Scanning
import ServerFixtures
import TestSupport
import Testing

/// Tests jobs stored in the format before migration 3.
///
/// `jobs.sql` is a dump of a `jobs.sqlite` written by the older version; `answers.json` has its responses.
/// The formats of the older apps have changed since; of those, only the status is tested here.
@Suite(.serialized, .endsHangs) struct StoredJobsTests {
    private func fixture(_ name: String) throws -> Data {
        try Data(contentsOf: #require(Bundle.module.resourceURL).appending(path: "Fixtures/\(name)"))
    }

    @Test("Responses about jobs of an older version are identical to the byte")
    func olderJobs() async throws {
        let folder = try TemporaryFolder()
        let database = try DatabaseQueue(path: folder.url.appending(path: "jobs.sqlite").path)
        let dump = String(decoding: try fixture("jobs.sql"), as: UTF8.self)
        try await database.write { try $0.execute(sql: dump) }
        try database.close()
        let answers = try JSONDecoder().decode([String: String].self, from: fixture("answers.json"))
        // After the events, but before finished jobs expire.
        let date = Date(timeIntervalSince1970: 1_700_000_020)
        try await withServer(folder: folder.url, date: date) { server in
            for (path, expected) in answers.sorted(by: { $0.key < $1.key }) {
                let answer = try server.send("GET", path).text
                #expect(answer == expected, "\(path)")
            }
            for digit in 1...3 {
                let job = "00000000-0000-4000-8000-000000000000".replacing("0", with: "\(digit)")
                for path in ["/scan/results/\(job)", "/scan/status/\(job)", "/v3/jobs/scans/\(job)/results"] {
                    #expect(try server.send("GET", path).status == 200, "\(path)")
                }
            }
        }
    }
}
