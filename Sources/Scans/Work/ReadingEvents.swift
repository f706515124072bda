import Bounds
import Imaging
import Reading
import ShelflistAPI

/// Logs the progress of reading a photo.
struct ReadingEvents: Sendable {
    let log: JobLog
    let key: PhotoKey
    /// How many photos the job has.
    let photos: Int

    /// Logs reports until they end.
    func add(_ reports: AsyncStream<ReadingProgress>) async throws {
        var count = SpineCount()
        for await report in reports {
            switch report {
            case .stage(let stage):
                try await emit { job in
                    let settled = job.photos.count { $0.status.isFinal }
                    let share = (Double(settled) + stage.share) / Double(max(photos, 1))
                    return .progress(
                        .init(
                            stage: .analyzing, progress: (0.1 + 0.4 * share).thousandths,
                            message: stage.message(photo: key.photo, of: photos), photo: key.photo))
                }
            case .spines(let spines):
                count.total = spines.count
                try await emit { _ in .segmented(.init(photo: key.photo, spines: spines)) }
            case .text(let share):
                guard let current = count.read(share) else { continue }
                let progress = JobEvent.BookProgress(
                    photo: key.photo, current: current, total: count.total, stage: "reading")
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

/// How many spines of a photo are read.
private struct SpineCount {
    /// The time between two events, because each is synced to disk.
    private static let pace = Duration.milliseconds(200)

    var total = 0
    private var logged = 0
    private var due = ContinuousClock.now

    /// Returns the number to log once a share of the text is read, 0...1; nil if it is not due.
    mutating func read(_ share: Double) -> Int? {
        let current = min(total, Int(saturating: Double(total) * share))
        let now = ContinuousClock.now
        guard current > logged, now >= due else { return nil }
        (logged, due) = (current, now.advanced(by: Self.pace))
        return current
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
