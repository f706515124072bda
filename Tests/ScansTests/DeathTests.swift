import Concurrency
import Imaging
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import TestSupport
import Testing

/// Photos at which the process died, read here and by other machines.
@Suite("Photos at which the process died", .endsHangs)
struct DeathTests {
    private let bench: JobBench

    init() throws { bench = try JobBench() }

    @Test(
        "A photo is not read again after two deaths, and after ten while other machines read it",
        arguments: [
            (WorkerReader.Progress?.none, 2), (.began, 2), (.elsewhere, 10),
        ])
    func givesUp(progress: WorkerReader.Progress?, deaths: Int) async throws {
        let readers = (0...deaths).map { _ in ScriptedReader() }
        var id = ""
        for reader in readers.dropLast() {
            let jobs = try await server(reader, progress)
            if id.isEmpty {
                id = try await jobs.accept("wait:Emma")
            }
            // The process dies while the photo is read.
            try await eventually { reader.read.count == 1 }
        }
        let jobs = try await server(readers[deaths], progress)
        let job = id
        try await eventually { try await jobs.log.job(job)?.photos.first?.status == .failed }
        #expect(readers[deaths].read.isEmpty)
        for reader in readers { reader.release() }
    }

    @Test("A photo that other machines read is read again after each regular stop")
    func stopped() async throws {
        var id: String?
        for _ in 0..<3 {
            let reader = ScriptedReader()
            let jobs = try await server(reader, .began)
            if id == nil {
                id = try await jobs.accept("wait:Emma")
            }
            try await eventually { reader.read.count == 1 }
            async let stop: Void = jobs.stop()
            try await eventually { await jobs.runner.isStopping }
            reader.release()
            await stop
        }
        let reader = ScriptedReader()
        let jobs = try await server(reader, .began)
        reader.release()
        #expect(try await jobs.finished(try #require(id))?.photos.map(\.status) == [.done])
    }

    @Test(
        "A photo whose reading outlasts the stops of the server is read again after each of them",
        arguments: [WorkerReader.Progress?.none, .began])
    func outlasts(progress: WorkerReader.Progress?) async throws {
        var id: String?
        var readers: [ScriptedReader] = []
        for _ in 0..<3 {
            let (reader, clock) = (ScriptedReader(), HeldClock())
            readers.append(reader)
            let jobs = try await server(reader, progress, clock: SteadyClock(clock: clock))
            if id == nil { id = try await jobs.accept("wait:Emma") }
            try await eventually { reader.read.count == 1 }
            async let stop: Void = jobs.stop()
            await clock.pass(JobLimits().stopping)
            await stop
        }
        let reader = ScriptedReader()
        let jobs = try await server(reader, progress)
        reader.release()
        #expect(try await jobs.finished(try #require(id))?.photos.map(\.status) == [.done])
        for reader in readers { reader.release() }
    }

    /// The server after a restart.
    private func server(
        _ reader: ScriptedReader, _ progress: WorkerReader.Progress?, clock: SteadyClock? = nil
    ) async throws -> ScanJobs {
        try await bench.jobs(reader: progress.map { WorkerReader(reader, $0) } ?? reader, clock: clock)
    }
}

/// A reader whose photos are read by other machines.
struct WorkerReader: ShelfReading {
    /// How far a photo comes before the reader waits.
    enum Progress: Sendable {
        /// A worker reads it.
        case elsewhere
        /// A worker's result arrived.
        case began
    }

    private let scripted: ScriptedReader
    private let progress: Progress

    init(_ scripted: ScriptedReader, _ progress: Progress) { (self.scripted, self.progress) = (scripted, progress) }

    var readsElsewhere: Bool { true }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        try await scripted.read(bytes, name: name, preprocessing: preprocessing, report: report)
    }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        began: @escaping @Sendable () async throws -> Void, report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        if progress == .began { try await began() }
        return try await read(bytes, name: name, preprocessing: preprocessing, report: report)
    }

    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try await scripted.identify(photo) }

    func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await scripted.preview(frame, limits: limits)
    }

    func reread(_ spine: RGBImage) async throws -> DetectedBook { try await scripted.reread(spine) }
}
