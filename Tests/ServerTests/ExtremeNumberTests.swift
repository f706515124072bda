import Foundation
import Imaging
import Reading
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Numbers that a reader, or an earlier version, stored with a scan.
@Suite("Extreme numbers in results", .blocks)
struct ExtremeNumberTests {
    @Test("Every format of the results is sent", arguments: [1e300, 86_400, -1e300, .leastNonzeroMagnitude])
    func results(number: Double) async throws {
        try await withServer(reader: ExtremeReader(number: number)) { server in
            let job = UUID().uuidString
            _ = try server.scan(["books:Emma|Dune?"], path: "/api/scan-bookshelf?jobId=\(job)")
            _ = try BookshelfSocketClient(server, query: "jobId=\(job)").messages(to: "job_complete")
            for path in [
                "/v1/jobs/\(job)/results", "/scan/results/\(job)", "/scan/status/\(job)", "/api/v1/scans/\(job)",
                "/api/v1/scans/\(job)/results",
            ] {
                #expect(try server.send("GET", path).status == 200, "\(path)")
            }
            #expect(try server.send("GET", "/health").status == 200)
        }
    }
}

/// A scripted reader whose numbers are extreme.
private struct ExtremeReader: ShelfReading {
    let number: Double
    private let scripted = ScriptedReader()

    init(number: Double) { self.number = number }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        report(.text(number))
        var photo = try await scripted.read(bytes, name: name, preprocessing: preprocessing, report: report)
        report(.spines(photo.books.map(\.outline)))
        report(.text(number))
        photo.seconds = number
        photo.timings = StageTimings(decode: number, match: number)
        return photo
    }

    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try await scripted.identify(photo) }

    func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await scripted.preview(frame, limits: limits)
    }

    func reread(_ spine: RGBImage) async throws -> DetectedBook { try await scripted.reread(spine) }
}
