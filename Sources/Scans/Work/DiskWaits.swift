import Foundation

/// Photos that are not read yet because the disk failed, not the photo.
struct DiskWaits {
    private struct Wait {
        /// When the disk failed first.
        let since: Date
        /// Whether the disk failed after the photo's file was read.
        var hasBegun = false
    }

    private var waits: [PhotoKey: Wait] = [:]

    /// Records that the disk failed for a photo.
    ///
    /// - Returns: when it failed first.
    mutating func fail(_ photo: PhotoKey, hasBegun: Bool, at time: Date) -> (since: Date, isNew: Bool) {
        let known = waits[photo]
        let wait = Wait(since: known?.since ?? time, hasBegun: hasBegun)
        waits[photo] = wait
        return (wait.since, known == nil)
    }

    /// Records that the last process reported that the disk failed for a photo; the next failure is the last.
    mutating func resume(_ photo: PhotoKey) { waits[photo] = Wait(since: .distantPast) }

    mutating func end(_ photo: PhotoKey) { waits[photo] = nil }

    mutating func forget(job: String) { waits = waits.filter { $0.key.job != job } }

    func contains(_ photo: PhotoKey) -> Bool { waits[photo] != nil }

    /// Whether the photo's file could not be read.
    func needsFile(_ photo: PhotoKey) -> Bool { waits[photo].map { !$0.hasBegun } ?? false }

    /// Whether the file was read and the disk failed after that: the attempts then add no events.
    func isQuiet(_ photo: PhotoKey) -> Bool { waits[photo]?.hasBegun ?? false }

    /// How many photos have waited since `time` or longer.
    func count(since time: Date) -> Int { waits.values.count { $0.since <= time } }
}
