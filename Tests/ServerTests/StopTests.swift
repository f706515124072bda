import Fixtures
import Foundation
import Imaging
import Library
import Reading
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// What a stop does not wait for: each test ends only because the server leaves it.
@Suite(.serialized, .endsHangs) struct StopTests {
    /// How long a server waits for an action that it repeats, and for everything.
    private static let (patience, longest) = (Duration.seconds(1), Duration.seconds(9))

    @Test("A stop does not wait for models that are still being loaded")
    func loading() async throws {
        let load = BlockedWork()
        defer { load.release() }
        try await withServer(configure: { settings, _ in settings.loadModels = { load.run() } }) { server in
            try await eventually { load.hasBegun }
            await server.clock.passing(Self.patience) { await server.shutDown() }
        }
    }

    @Test("A stop does not wait for a backup that blocks its thread")
    func backup() async throws {
        let temporary = try TemporaryFolder()
        let (data, backups) = (temporary.url.appending(path: "data"), temporary.url.appending(path: "backups"))
        try FileManager.default.createDirectory(at: backups, withIntermediateDirectories: true)
        try await withServer(folder: data) { server in
            let id = try server.addBook(#"{"title":"Emma"}"#).id
            let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
            let answer = try server.send(
                "PUT", "/api/v1/library/\(id)/cover", headers: ["Content-Type": "image/jpeg"], body: picture)
            #expect(answer.status == 200)
        }
        let covers = LibraryFolder(data).covers
        let cover = try #require(try FileManager.default.contentsOfDirectory(atPath: covers.path).first)
        let pipe = covers.appending(path: cover)
        unlink(pipe.path)
        // Its reader waits for a writer.
        mkfifo(pipe.path, 0o600)
        try await withServer(
            folder: data, configure: { settings, _ in settings.backups = DailyBackups(folder: backups, kept: 1) }
        ) { server in
            var writer: Int32 = -1
            defer { close(writer) }
            try await eventually {
                writer = open(pipe.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                return writer >= 0
            }
            await server.clock.passing(Self.patience) { await server.shutDown() }
        }
    }

    @Test("A stop does not wait longer than its limit for a request, and stores what was changed before it")
    func request() async throws {
        let temporary = try TemporaryFolder()
        let reader = EndlessReader()
        defer { reader.gate.continuation.finish() }
        try await withServer(folder: temporary.url, reader: reader) { server in
            _ = try server.addBook(#"{"title":"Emma"}"#)
            let connection = try Connection(port: server.port)
            try connection.send(
                TestServer.request(
                    "POST", "/api/v1/preview", headers: ["Content-Type": "image/jpeg"],
                    body: ScriptedReader.bytes("books:Emma")))
            try await eventually { reader.previews.value == 1 }
            await server.clock.passing(Self.longest) { await server.shutDown() }
        }
        try await withServer(folder: temporary.url) { server in
            let kept = try server.books()
            #expect(kept.total == 1)
        }
    }

    @Test("A server whose models cannot be loaded ends with their error")
    func missing() async throws {
        await #expect(throws: CocoaError.self) {
            try await withServer(
                configure: { settings, _ in settings.loadModels = { throw CocoaError(.fileNoSuchFile) } }
            ) { server in
                try await server.waitUntilStopped()
            }
        }
    }
}

/// Work that blocks its thread until it is released.
private final class BlockedWork: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let begun = Mutex(false)

    var hasBegun: Bool { begun.withLock { $0 } }

    func run() {
        begun.withLock { $0 = true }
        gate.wait()
    }

    func release() { gate.signal() }
}

/// A reader whose previews do not end, also when they are cancelled.
private struct EndlessReader: ShelfReading {
    let gate = AsyncStream<Never>.makeStream()
    let previews = PreviewCount()
    private let scripted = ScriptedReader()

    func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        previews.add()
        await Task { [stream = gate.stream] in for await _ in stream {} }.value
        return try await scripted.preview(frame, limits: limits)
    }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        try await scripted.read(bytes, name: name, preprocessing: preprocessing, report: report)
    }

    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try await scripted.identify(photo) }

    func reread(_ spine: RGBImage) async throws -> DetectedBook { try await scripted.reread(spine) }
}

private final class PreviewCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
