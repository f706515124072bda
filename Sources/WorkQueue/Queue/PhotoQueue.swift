package import Foundation

/// A server, or a command, that offers photos to the workers.
package struct QueueOwner: Sendable {
    /// The same after a restart, so that photos which were offered before are found again.
    package var id: UUID
    /// Shown by `work-queue status`.
    package var name: String
    /// Names the models with which the photos are to be read.
    package var models: String
    /// How long its photos are kept after it was seen last.
    package var kept: Duration

    package init(id: UUID, name: String, models: String, kept: Duration) {
        (self.id, self.name, self.models, self.kept) = (id, name, models, kept)
    }
}

/// How much may wait in the database, over all servers; the rest stays with the servers.
///
/// Servers ask once for all photos that they offer, so each may exceed it by those that it offers at the same moment.
package struct QueueLimits: Sendable {
    package var photosWaiting = 1000
    package var bytesWaiting = 1_000_000_000
    /// A photo at which so many workers ended fails.
    package var attempts = 3

    package init() {}
}

/// How long things take.
package struct QueueTiming: Sendable {
    /// A photo whose worker did not renew its lease for this long is given to another.
    package var lease = Duration.seconds(30)
    package var renewal = Duration.seconds(5)
    /// How often the queue is looked at where no notification arrives.
    package var poll = Duration.seconds(2)
    /// How often a server checks leases and old rows.
    package var upkeep = Duration.seconds(5)
    /// How long results that no server collects, and the history, are kept.
    package var retention = Duration.seconds(3600)
    /// How long a worker that is to stop may take for the photos that it is reading.
    package var grace = Duration.seconds(10)

    package init() {}
}

/// What is reported to the log.
package enum QueueEvent: Equatable, Sendable {
    case connected
    case unreachable(String)
    /// A worker whose photos no server wants, with the reason.
    case refused(String)
    /// A result that arrived after its photo was given to another worker.
    case late(photo: Int64)
    /// The database was full of waiting photos.
    case full
    case failed(String)
}

/// A photo as it is offered.
package struct OfferedPhoto: Sendable {
    /// Names it for its owner; offering it again finds the same photo.
    package var key: String
    package var bytes: [UInt8]
    /// How it is to be read, for the workers.
    package var request: [UInt8]

    package init(key: String, bytes: [UInt8], request: [UInt8]) {
        (self.key, self.bytes, self.request) = (key, bytes, request)
    }
}

/// What a worker made of a photo.
package enum PhotoOutcome: Equatable, Sendable {
    case done([UInt8])
    /// With the worker's description of the failure.
    case failed([UInt8])
    /// So many workers ended while they read it.
    case abandoned(attempts: Int)
}

extension QueueSchema {
    /// The version of requests and results: workers take only photos of theirs.
    package static let protocolVersion = 1
    /// Announces photos to all workers; with a payload, the row of a photo that was withdrawn.
    static let workChannel = "shelflist_work"

    static func channel(_ owner: UUID) -> String { "shelflist_work_\(owner.uuidString.lowercased())" }
}
