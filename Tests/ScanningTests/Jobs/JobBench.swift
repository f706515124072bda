import Foundation
import Identification
import Imaging
import Scanning
import Synchronization

/// A job store, files and a reader that does what a photo's bytes say, in a folder of its own.
final class JobBench: Sendable {
    let folder: URL
    let reader = ScriptedReader()
    let importer = CountingImporter()
    private let uptime = Mutex(Duration.zero)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "jobs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Jobs over the same folder: called twice, the second is the server after a restart.
    func jobs(limits: JobLimits = JobLimits()) throws -> ScanJobs {
        ScanJobs(
            store: try JobStore(file: folder.appending(path: "jobs.sqlite")),
            files: try JobFiles(folder: folder.appending(path: "jobs")), reader: reader, importer: importer,
            limits: limits,
            clock: JobClock(start: Date(timeIntervalSince1970: 1_800_000_000)) { [self] in uptime.withLock { $0 } })
    }

    func advance(by time: Duration) { uptime.withLock { $0 += time } }

    func photo(_ script: String, in jobs: ScanJobs) throws -> ReceivedPhoto {
        let incoming = try jobs.files.receive(limit: 1000)
        try incoming.append(ScriptedReader.bytes(script))
        var photo = try incoming.close()
        photo.name = "\(script).jpg"
        return photo
    }
}

/// Reads what stands in the bytes: `books:A|B`, `fail`, `wait` (until released).
final class ScriptedReader: PhotoReading {
    private struct State {
        var read: [String] = []
        var isReleased = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var running = 0
        var mostRunning = 0
    }

    private let state = Mutex(State())

    /// What was read, in its order.
    var read: [String] { state.withLock(\.read) }
    var mostRunning: Int { state.withLock(\.mostRunning) }

    static func bytes(_ script: String) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0] + Array(script.utf8) }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func read(
        _ bytes: [UInt8], name: String, options: JobOptions, report: @escaping @Sendable (ReadingReport) -> Void
    ) async throws -> ScannedPhoto {
        let script = String(decoding: bytes.dropFirst(4), as: UTF8.self)
        state.withLock { state in
            state.read.append(script)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
        }
        defer { state.withLock { $0.running -= 1 } }
        report(.stage(.decode))
        report(.stage(.read))
        if script.hasPrefix("wait") {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if !state.isReleased { state.waiting.append(continuation) }
                    return state.isReleased
                }
                if goesOn { continuation.resume() }
            }
        }
        try Task.checkCancellation()
        if script.hasPrefix("fail") { throw ImageError(.damaged, "The JPEG file is damaged.") }
        report(.stage(.identify))
        return try Self.photo(name, books: script.split(separator: ":").last.map { $0.split(separator: "|") } ?? [])
    }

    /// A result with these titles, each a spine beside the one before.
    static func photo(_ name: String, books: [Substring]) throws -> ScannedPhoto {
        let fields = books.enumerated().map { index, title in
            let x = Double(index) * 0.1
            return """
                {"id": "book-\(index + 1)", "title": "\(title)", "author": "Somebody", "isbn": null,
                 "confidence": \(index == 0 ? 0.9 : 0.4), "reviewStatus": "\(index == 0 ? "verified" : "needsReview")",
                 "boundingBox": {"x": \(x), "y": 0, "width": 0.1, "height": 1},
                 "quad": [[\(x), 0], [\(x + 0.1), 0], [\(x + 0.1), 1], [\(x), 1]],
                 "text": [{"text": "\(title)", "score": 0.9}], "matches": []}
                """
        }
        let json = """
            {"path": "\(name)", "width": 100, "height": 100, "turn": 0, "seconds": 0.1, "preprocessed": false,
             "timings": {"decode": 0, "detect": 0, "recognise": 0, "group": 0, "match": 0},
             "quality": {"sharpness": 1, "exposure": 1, "glare": 0, "tilt": 0, "contrast": 1, "suggestions": []},
             "otherText": [], "books": [\(fields.joined(separator: ","))]}
            """
        return try JSONDecoder().decode(ScannedPhoto.self, from: Data(json.utf8))
    }
}

/// Counts what is imported, as a library would that takes each photo once.
final class CountingImporter: PhotoImporting {
    private let state = Mutex<[String: Int]>([:])

    /// How often each photo was brought, by `JOB/NUMBER`.
    var brought: [String: Int] { state.withLock { $0 } }

    func importPhoto(
        _ number: Int, of job: ScanJob, file: URL, result: ScannedPhoto
    ) async throws -> JobEvent.ImportCounts {
        state.withLock { $0["\(job.id)/\(number)", default: 0] += 1 }
        return JobEvent.ImportCounts(photo: number, entries: result.books.count, needsReview: 0, duplicates: 0)
    }
}

extension ScanJobs {
    /// Follows a job to its end.
    func finished(_ id: String) async throws -> ScanJob? {
        for await _ in follow(id, atLeastEvery: .seconds(60)) {
            let job = try await job(id)
            if job?.isFinished ?? true { return job }
        }
        return try await job(id)
    }

    /// Follows a job until a photo has a status.
    func reached(_ status: PhotoStatus, photo: Int, of id: String) async throws {
        for await _ in follow(id, atLeastEvery: .seconds(60)) {
            if try await job(id)?.photos.first(where: { $0.index == photo })?.status == status { return }
        }
    }
}

extension JobEvent {
    /// Its kind, for comparing the order of a log.
    var kind: String {
        switch content {
        case .progress(let progress): progress.stage.rawValue
        case .photo(let photo): "photo \(photo.status.rawValue)"
        case .segmented: "segmented"
        case .bookProgress: "book_progress"
        case .result(let book): "result \(book.book.title ?? "")"
        case .enriched: "enriched"
        case .enrichmentDegraded: "enrichment_degraded"
        case .imported: "imported"
        case .completed: "completed"
        case .error: "error"
        case .canceled: "canceled"
        }
    }
}
