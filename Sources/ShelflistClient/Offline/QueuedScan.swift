public import Foundation
import ShelflistAPI

/// A scan that waits on this device.
///
/// ```swift
/// for scan in queue.scans { show(scan.id, scan.addedAt, scan.state) }
/// ```
public struct QueuedScan: Identifiable, Sendable {
    /// What happens to it.
    ///
    /// ```swift
    /// switch scan.state {
    /// case .waiting: show("Waiting")
    /// case .sending(let progress): show(progress.fraction)
    /// case .refused(let reason): show(reason)
    /// }
    /// ```
    public enum State: Sendable {
        /// It is sent when those before it are, and the server can be reached.
        case waiting
        /// Its photos are being sent.
        case sending(UploadProgress)
        /// The server refused it or some of its photos, for this reason; `ScanQueue.retry` sends it again.
        case refused(String)
    }

    /// Its place in the queue: scans are sent in the order of their identifiers.
    public let id: String
    /// When it was added.
    public let addedAt: Date
    let options: ScanOptions
    /// The files of its photos, in the queue's folder.
    let photos: [URL]
    let bytes: Int
    /// What happens to it.
    public internal(set) var state: State
}

/// What the file beside the photos of a queued scan contains.
struct QueuedScanRecord: Codable {
    var addedAt: Date
    var options: ScanOptions
    /// The names that people know the photos by.
    var names: [String?]
    var refusal: String?
}
