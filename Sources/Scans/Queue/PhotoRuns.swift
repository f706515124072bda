/// The photos of all jobs that wait or are being processed.
///
/// Decides what is read next.
package struct PhotoRuns {
    private let limit: Int
    /// Whether no photo is started.
    package var isHeld = false
    package var queue = FairQueue()
    /// Photos for which the disk failed; read while no other photo waits.
    package var later = FairQueue()
    /// Photos that were read before and whose text is needed again; read while no other photo waits.
    var again = FairQueue()
    package private(set) var reading: Set<PhotoKey> = []
    /// Photos that are being read, and those whose results are being stored and imported.
    package private(set) var active: Set<PhotoKey> = []
    private var isPreviewing = false

    /// - Parameter limit: how many photos are read at once.
    package init(maxConcurrent limit: Int) { self.limit = limit }

    package var isIdle: Bool { active.isEmpty && queue.isEmpty }

    package func isActive(job: String) -> Bool { active.contains { $0.job == job } }

    package mutating func dequeue(job: String) {
        queue.remove(job: job)
        later.remove(job: job)
        again.remove(job: job)
    }

    /// Starts the next photo where another may be read; a photo that is still active waits until it has ended.
    ///
    /// - Parameter includingAgain: whether photos that were read before may be read.
    package mutating func startNext(includingAgain: Bool = true) -> PhotoKey? {
        guard !isHeld, reading.count < limit,
            let photo = queue.next(except: active) ?? later.next(except: active)
                ?? (includingAgain ? again.next(except: active) : nil)
        else { return nil }
        reading.insert(photo)
        active.insert(photo)
        return photo
    }

    /// Starts a preview where no photo waits or is active, and no other preview is running.
    ///
    /// - Returns: whether it may run.
    package mutating func startPreview() -> Bool {
        guard isIdle, !isPreviewing else { return false }
        isPreviewing = true
        return true
    }

    package mutating func endPreview() { isPreviewing = false }

    /// The photo was read; its result is still to be stored.
    package mutating func endReading(_ photo: PhotoKey) { reading.remove(photo) }

    package mutating func end(_ photo: PhotoKey) {
        reading.remove(photo)
        active.remove(photo)
    }
}
