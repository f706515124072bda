/// The photos that wait: first come first served within a client, one photo each in turn between clients.
struct FairQueue: Sendable {
    private var waiting: [String: [PhotoKey]] = [:]
    /// Clients with waiting photos, the one whose turn it is first.
    private var turns: [String] = []

    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// A photo that waits already is not queued twice.
    mutating func append(_ photo: PhotoKey, client: String) {
        guard !waiting[client, default: []].contains(photo) else { return }
        if waiting[client, default: []].isEmpty { turns.append(client) }
        waiting[client, default: []].append(photo)
    }

    mutating func next() -> PhotoKey? {
        guard let client = turns.first, let photo = waiting[client]?.first else { return nil }
        turns.removeFirst()
        waiting[client]?.removeFirst()
        if waiting[client]?.isEmpty ?? true { waiting[client] = nil } else { turns.append(client) }
        return photo
    }

    /// Puts what was tried least first, so that a photo at which the process died keeps no other waiting.
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
struct PhotoKey: Hashable, Sendable {
    var job: String
    var photo: Int
}
