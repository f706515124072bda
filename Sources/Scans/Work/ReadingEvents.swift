import Bounds
import Concurrency
import Imaging
import Reading
import ShelflistAPI

/// Logs the progress of reading a photo.
struct ReadingEvents: Sendable {
    let log: JobLog
    let key: PhotoKey
    /// Whether nothing is logged.
    var isQuiet = false

    /// Logs reports until they end.
    func add(_ reports: AsyncStream<ReadingProgress>) async throws {
        guard !isQuiet else {
            for await _ in reports {}
            return
        }
        var (spines, logged, due) = (0, 0, Duration.zero)
        for await report in reports {
            switch report {
            case .stage(let stage):
                try await emit { job in
                    .progress(
                        .init(
                            stage: .analyzing, progress: job.progress(reading: stage.share),
                            message: stage.message(photo: key.photo, of: job.photosExpected), photo: key.photo))
                }
            case .spines(let outlines):
                spines = outlines.count
                try await emit { _ in .segmented(.init(photo: key.photo, spines: outlines)) }
            case .text(let share):
                let (current, now) = (min(spines, Int(saturating: Double(spines) * share)), log.clock.uptime)
                guard current > logged, now >= due else { continue }
                (logged, due) = (current, now + ReadingProgress.textPause)
                let progress = JobEvent.BookProgress(
                    photo: key.photo, current: current, total: spines, stage: "reading")
                try await emit { _ in .bookProgress(progress) }
            }
        }
    }

    /// Logs an event of a job that is not finished.
    private func emit(_ content: @escaping @Sendable (ScanJob) -> JobEvent.Content) async throws {
        try await log.change(key.job) { change in
            guard !change.job.isFinished else { return }
            try change.emit(content(change.job))
        }
    }
}

extension ScanStage {
    /// The share of a photo's time that has passed when the stage begins, 0...1.
    fileprivate var share: Double {
        switch self {
        case .decode: 0.05
        case .read: 0.15
        case .identify: 0.9
        }
    }

    fileprivate func message(photo: Int, of count: Int) -> String {
        let which = count == 1 ? "the photo" : "photo \(photo) of \(count)"
        return switch self {
        case .decode: "Opening \(which)."
        case .read: "Reading the spines in \(which)."
        case .identify: "Naming the books in \(which)."
        }
    }
}
