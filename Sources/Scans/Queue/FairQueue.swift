/// The waiting photos: in their order within a client, one photo each in turn between clients.
///
/// The devices of a client share its turn, because a device chooses its own name.
package struct FairQueue: Sendable {
    /// Clients with waiting photos; the first is served next.
    private var turns: [(client: String, photos: [PhotoKey])] = []

    var isEmpty: Bool { turns.isEmpty }

    /// Adds a photo, unless it waits already.
    package mutating func append(_ photo: PhotoKey, client: String) {
        let client = ScanJob.caller(of: client)
        if let turn = turns.firstIndex(where: { $0.client == client }) {
            if !turns[turn].photos.contains(photo) { turns[turn].photos.append(photo) }
        } else {
            turns.append((client, [photo]))
        }
    }

    /// Removes and returns the next photo that is not in `excluded`.
    mutating func next(except excluded: Set<PhotoKey>) -> PhotoKey? {
        for (turn, waiting) in turns.enumerated() {
            guard let index = waiting.photos.firstIndex(where: { !excluded.contains($0) }) else { continue }
            var served = turns.remove(at: turn)
            let photo = served.photos.remove(at: index)
            if !served.photos.isEmpty { turns.append(served) }
            return photo
        }
        return nil
    }

    /// Puts the photos that were tried least first, so that a photo that crashes the process does not delay others.
    package mutating func order(by attempts: [PhotoKey: Int]) {
        for turn in turns.indices {
            turns[turn].photos = turns[turn].photos.enumerated()
                .sorted { (attempts[$0.element] ?? 0, $0.offset) < (attempts[$1.element] ?? 0, $1.offset) }
                .map(\.element)
        }
    }

    mutating func remove(job: String) {
        for turn in turns.indices { turns[turn].photos.removeAll { $0.job == job } }
        turns.removeAll { $0.photos.isEmpty }
    }
}

/// Names a photo of a job.
package struct PhotoKey: Hashable, Sendable {
    package var job: String
    package var photo: Int

    package init(job: String, photo: Int) {
        self.job = job
        self.photo = photo
    }
}
