/// The waiting photos: in their order within a client, one photo each in turn between clients.
struct FairQueue: Sendable {
    private var waiting: [String: [PhotoKey]] = [:]
    /// Clients with waiting photos; the first is served next.
    private var turns: [String] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a photo, unless it waits already.
    mutating func append(_ photo: PhotoKey, client: String) {
        guard !waiting[client, default: []].contains(photo) else { return }
        if waiting[client, default: []].isEmpty { turns.append(client) }
        waiting[client, default: []].append(photo)
    }

    /// Removes and returns the next photo that is not in `excluded`.
    mutating func next(except excluded: Set<PhotoKey> = []) -> PhotoKey? {
        for (turn, client) in turns.enumerated() {
            guard let index = waiting[client]?.firstIndex(where: { !excluded.contains($0) }) else { continue }
            turns.remove(at: turn)
            let photo = waiting[client]?.remove(at: index)
            if waiting[client]?.isEmpty ?? true { waiting[client] = nil } else { turns.append(client) }
            return photo
        }
        return nil
    }

    /// Puts the photos that were tried least first, so that a photo that crashes the process does not delay others.
    mutating func order(by attempts: [PhotoKey: Int]) {
        func tried(_ photo: PhotoKey) -> Int { attempts[photo, default: 0] }
        for client in waiting.keys {
            let photos = waiting[client, default: []].enumerated()
            waiting[client] = photos.sorted { (tried($0.element), $0.offset) < (tried($1.element), $1.offset) }
                .map(\.element)
        }
    }

    mutating func remove(job: String) {
        for (client, photos) in waiting {
            let left = photos.filter { $0.job != job }
            waiting[client] = left.isEmpty ? nil : left
            if left.isEmpty { turns.removeAll { $0 == client } }
        }
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
