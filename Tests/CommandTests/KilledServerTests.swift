import Fixtures
import Foundation
import ShelflistAPI
import ShelflistClient
import TestSupport
import Testing

extension Reading { @Suite struct KilledServerTests {} }

extension Reading.KilledServerTests {
    @Test("A scan is followed to its end although the server is killed (SIGKILL) in the middle")
    func killed() async throws {
        let runner = try CommandRunner()
        let port = try ReservedPort()
        let first = try runner.launch(["serve", "--port", "\(port.number)", "--data", "data"])
        try await eventually { try !first.isRunning || first.errorsSoFar().contains("Shelflist is at") }
        let address = try #require(URL(string: "http://127.0.0.1:\(port.number)"))
        // The answer to the last upload may be cut off, and the second server takes as long as it takes to start.
        var environment = ClientEnvironment()
        environment.limits.attempts = .max
        let client = ShelflistClient(
            address: address, token: nil, options: ClientOptions(), environment: environment)

        let example = Data(try Photos.threeSpines.get())
        // Bytes after the end of a JPEG are ignored: each photo is another file.
        let photos = (1...3).map { PhotoSource.data(example + Data("\($0)".utf8), name: "shelf \($0).jpg") }
        let session = client.scan(photos, options: ScanOptions(addsToLibrary: false))
        var arrived: Set<Int> = []
        for try await case .job(let event) in session.events {
            if case .photo(let photo) = event.content, photo.status == .queued { arrived.insert(photo.index) }
            if arrived.count == photos.count { break }
        }
        first.kill()
        #expect(try first.outcome().status == SIGKILL)

        let second = try runner.launch(["serve", "--port", "\(port.number)", "--data", "data"])
        let results = try await session.results
        #expect(results.status == .completed)
        #expect(Set(results.books.flatMap { $0.book.positions.map(\.photo) }) == [1, 2, 3])
        let seen = try await Self.events(session)
        #expect(seen.map(\.id) == Array(1...seen.count))
        let log = try await Self.events(client.follow(results.jobId))
        #expect(seen.map { "\($0.id) \($0.type)" } == log.map { "\($0.id) \($0.type)" })
        second.interrupt()
        _ = try second.outcome()
    }

    private static func events(_ session: ScanSession) async throws -> [JobEvent] {
        var list: [JobEvent] = []
        for try await case .job(let event) in session.events { list.append(event) }
        return list
    }
}
