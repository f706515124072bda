/// The photos of all jobs that wait or are being processed.
///
/// Decides which photo is read next.
package struct PhotoRuns {
    private let limit: Int
    package var queue = FairQueue()
    /// Photos that were read before and whose text is needed again; read while no other photo waits.
    var again = FairQueue()
    package private(set) var reading: Set<PhotoKey> = []
    /// Photos that are being read, and those whose results are being stored and imported.
    package private(set) var active: Set<PhotoKey> = []

    /// - Parameter limit: how many photos are read at once.
    package init(maxConcurrent limit: Int) { self.limit = limit }

    package var isIdle: Bool { active.isEmpty && queue.isEmpty }

    package func isActive(job: String) -> Bool { active.contains { $0.job == job } }

    package mutating func dequeue(job: String) {
        queue.remove(job: job)
        again.remove(job: job)
    }

    /// Starts the next photo where another may be read; a photo that is still active waits until it has ended.
    ///
    /// - Parameter includingAgain: whether photos that were read before may be read.
    package mutating func startNext(includingAgain: Bool = true) -> PhotoKey? {
        guard reading.count < limit,
            let photo = queue.next(except: active) ?? (includingAgain ? again.next(except: active) : nil)
        else { return nil }
        reading.insert(photo)
        active.insert(photo)
        return photo
    }

    /// The photo was read; its result is still to be stored.
    package mutating func endReading(_ photo: PhotoKey) { reading.remove(photo) }

    package mutating func end(_ photo: PhotoKey) {
        reading.remove(photo)
        active.remove(photo)
    }
}
