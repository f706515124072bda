import Fixtures
import Foundation
import Imaging
import Reading
import ReadingFixtures
import Scans
import ServerFixtures
import ShelflistAPI
import ShelflistClient
import Synchronization
import TestSupport
import Testing

/// Many connections that break, each after another number of bytes: within the handshake, an event or a page.
@Suite(.serialized, .endsHangs) struct ReconnectionTests {
    /// The most bytes are enough for the head of an answer and each event.
    private static let cuts: @Sendable (Int) -> Fault? = { number in
        var generator = SeededGenerator(seed: UInt64(number))
        return Fault(kind: .cut, direction: .down, after: Int.random(in: 100...2200, using: &generator))
    }

    /// The reader reports the next event when the one before has arrived, so that one is always being sent, and
    /// ends after the last connection, however long that takes.
    @Test("Many reconnections while a scan is read lose no event and double none")
    func liveScan() async throws {
        let reader = SteppedReader()
        try await withClient(reader: reader) { fixture in
            let scan = fixture.direct.scan(
                [.script("books:Emma|Dune")], options: ScanOptions(addsToLibrary: false))
            for try await case .job(let event) in scan.events {
                if case .photo(let photo) = event.content, photo.status == .reading { break }
            }
            fixture.proxy.plan(Self.cuts)
            let session = fixture.client.follow(try #require(scan.jobID))
            var statusAtEnd: JobStatus?
            var seen: [JobEvent] = []
            for try await case .job(let event) in session.events {
                seen.append(event)
                guard statusAtEnd == nil else { continue }
                if fixture.proxy.accepted < (testsThoroughly ? 1000 : 100) {
                    reader.step()
                } else {
                    statusAtEnd = try await fixture.server.jobs.log.job(event.jobId)?.status
                    reader.finish()
                }
            }
            #expect(statusAtEnd == .running)
            // A request for results has three attempts only.
            fixture.proxy.plan { _ in nil }
            fixture.proxy.cutAll()
            let results = try await session.results
            #expect(results.status == .completed && results.books.count == 2)
            #expect(seen.map(\.id) == Array(1...seen.count))
            let log = try await fixture.server.jobs.log.events(of: results.jobId, after: 0, limit: 100_000)
            #expect(seen.map { "\($0.id) \($0.type)" } == log.map { "\($0.id) \($0.type)" })
        }
    }

    @Test("Reconnections while the events of a finished scan are replayed lose none and double none")
    func finishedScan() async throws {
        try await withClient { fixture in
            let photos = (1...5).map { PhotoSource.script("books:A\($0)|B\($0)|C\($0)|D\($0)") }
            let id = try await fixture.client.scan(photos, options: ScanOptions(addsToLibrary: false)).results.jobId
            let log = try await fixture.server.jobs.log.events(of: id, after: 0, limit: 10_000).map(\.id)
            fixture.proxy.plan(Self.cuts)
            let before = fixture.proxy.accepted
            while fixture.proxy.accepted - before < (testsThoroughly ? 200 : 20) {
                #expect(try await fixture.client.follow(id).jobEvents().map(\.id) == log)
            }
        }
    }
}

/// A reader that reports one event for each step, of various sizes, and reads its photo after `finish`.
private final class SteppedReader: ScriptedReading {
    let scripted = ScriptedReader()
    private let steps: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (steps, continuation) = AsyncStream.makeStream() }

    func step() { continuation.yield() }
    func finish() { continuation.finish() }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        let spine = SpineOutline(UnitRect(x: 0.1, y: 0.2, width: 0.1, height: 0.5))
        var number = 0
        for await _ in steps {
            number += 1
            report(.spines(Array(repeating: spine, count: number % 6)))
        }
        return try await scripted.read(bytes, name: name, preprocessing: preprocessing, report: report)
    }
}
