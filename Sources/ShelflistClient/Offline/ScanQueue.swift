public import Foundation
import ShelflistAPI
import Synchronization

/// Scans that are kept on disk until the server can be reached.
///
/// ```swift
/// let queue = try ScanQueue(folder: folder, client: client)
/// try queue.add([.data(jpeg)], options: ScanOptions(addsToLibrary: true))
/// Task { await queue.run() }
/// for await scans in queue.updates { badge = scans.count }
/// ```
///
/// Scans survive the end of the app, are sent in order, and take effect once: a scan that was sent before a crash is
/// recognised by its key. A scan leaves the queue when the server has stored all its photos. Ask the server to add
/// the books (`ScanOptions.addsToLibrary`) unless the app follows the job: otherwise the server deletes the job after
/// ten minutes. A folder belongs to one queue at a time.
public final class ScanQueue: Sendable {
    struct State {
        var scans: [QueuedScan] = []
        var records: [String: QueuedScanRecord] = [:]
        /// The size of scans that are being written.
        var incoming = 0
        var isSending = false
        var observers: [AsyncStream<[QueuedScan]>.Continuation] = []
        var nextNumber = 1

        var firstWaiting: QueuedScan? { scans.first { if case .waiting = $0.state { true } else { false } } }

        mutating func set(_ new: QueuedScan.State, of id: String) {
            guard let index = scans.firstIndex(where: { $0.id == id }) else { return }
            scans[index].state = new
        }
    }

    let client: ShelflistClient
    private let folder: QueueFolder
    private let state = Mutex(State())
    private let sizeLimit: Int

    /// Opens the queue in a folder, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: of this queue only.
    ///   - client: of the server that the scans are sent to.
    ///   - sizeLimit: of all queued photos, in bytes.
    public init(folder: URL, client: ShelflistClient, sizeLimit: Int = 500_000_000) throws(ShelflistError) {
        self.client = client
        self.sizeLimit = sizeLimit
        do {
            self.folder = try QueueFolder(folder)
            let found = try self.folder.scans()
            state.withLock { state in
                state.scans = found.map(\.scan)
                state.records = Dictionary(uniqueKeysWithValues: found.map { ($0.scan.id, $0.record) })
                state.nextNumber = (found.last.flatMap { Int($0.scan.id.prefix(8)) } ?? 0) + 1
            }
        } catch {
            throw Self.error(error, "The queue of scans cannot be opened.")
        }
    }

    /// The scans, in the order in which they are sent.
    public var scans: [QueuedScan] { state.withLock(\.scans) }

    /// The scans now, and after each change.
    public var updates: AsyncStream<[QueuedScan]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [QueuedScan].self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.observers.append(continuation)
            continuation.yield(state.scans)
        }
        return stream
    }

    /// Stores a scan on disk.
    ///
    /// - Throws: `ShelflistError` of the category `tooLarge` if the queue would exceed its limit, `file` if the photos
    ///   cannot be read or stored.
    @discardableResult
    public func add(
        _ photos: [PhotoSource], options: ScanOptions = ScanOptions()
    ) throws(ShelflistError) -> QueuedScan {
        guard !photos.isEmpty else {
            throw ShelflistError(.invalid, "The scan has no photos.", "Add at least one.")
        }
        let bytes = photos.reduce(0) { $0 + $1.count }
        let number = try reserve(bytes)
        let digits = String(number)
        let id = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let record = QueuedScanRecord(addedAt: Date(), options: options, names: photos.map(\.name))
        do {
            let scan = try folder.add(id, photos, record)
            change { state in
                state.incoming -= bytes
                state.scans.append(scan)
                state.scans.sort { $0.id < $1.id }
                state.records[id] = record
            }
            return scan
        } catch {
            state.withLock { $0.incoming -= bytes }
            throw Self.error(error, "The photos could not be stored in the queue.")
        }
    }

    /// Returns the number of a new scan, for which there is room until it is written.
    private func reserve(_ bytes: Int) throws(ShelflistError) -> Int {
        let (held, number) = state.withLock { state -> (Int, Int?) in
            let held = state.scans.reduce(state.incoming) { $0 + $1.bytes }
            guard held + bytes <= sizeLimit else { return (held, nil) }
            state.incoming += bytes
            defer { state.nextNumber += 1 }
            return (held, state.nextNumber)
        }
        guard let number else {
            throw ShelflistError(
                .tooLarge,
                "The queue holds \(Self.megabytes(held)) of at most \(Self.megabytes(sizeLimit)), and the photos have "
                    + "\(Self.megabytes(bytes)).", "Send or remove queued scans first.")
        }
        return number
    }

    /// Removes a scan, unless it is being sent.
    ///
    /// ```swift
    /// for scan in queue.scans { try queue.remove(scan.id) }
    /// ```
    public func remove(_ id: String) throws(ShelflistError) {
        let isSending = state.withLock { state in
            state.scans.contains { scan in if case .sending = scan.state { scan.id == id } else { false } }
        }
        guard !isSending else {
            throw ShelflistError(.conflict, "The scan is being sent.", "Cancel it when it is on the server.")
        }
        try drop(id)
    }

    /// Sends a scan again that the server refused.
    ///
    /// ```swift
    /// if case .refused = scan.state { try queue.retry(scan.id) }
    /// ```
    public func retry(_ id: String) throws(ShelflistError) { try setRefusal(nil, of: id) }

    // MARK: State

    /// Begins to send, unless another task sends.
    func beginSending() -> Bool {
        state.withLock { state in
            defer { state.isSending = true }
            return !state.isSending
        }
    }

    /// Returns the scan to be sent next, which cannot be removed from now on; nil if there is none, which ends the
    /// sending.
    func next() -> QueuedScan? {
        state.withLock { state in
            guard let scan = state.firstWaiting else {
                state.endSending()
                return nil
            }
            let start = UploadProgress(photo: 1, photos: scan.photos.count, sent: 0, total: scan.bytes)
            state.set(.sending(start), of: scan.id)
            state.report()
            return scan
        }
    }

    /// Ends the sending after a failure; the scan is sent again later.
    func endSending(_ id: String) {
        state.withLock { state in
            state.set(.waiting, of: id)
            state.endSending()
        }
    }

    /// Whether `send` would send something.
    var hasWork: Bool { state.withLock { !$0.isSending && $0.firstWaiting != nil } }

    func names(of id: String) -> [String?] { state.withLock { $0.records[id]?.names ?? [] } }

    func set(_ new: QueuedScan.State, of id: String) { change { $0.set(new, of: id) } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.report()
        }
    }

    func drop(_ id: String) throws(ShelflistError) {
        guard scans.contains(where: { $0.id == id }) else { return }
        do {
            try folder.remove(id)
        } catch {
            throw Self.error(error, "The scan could not be removed from the queue.")
        }
        change { state in
            state.scans.removeAll { $0.id == id }
            state.records[id] = nil
        }
    }

    func setRefusal(_ reason: String?, of id: String) throws(ShelflistError) {
        guard var record = state.withLock({ $0.records[id] }) else { return }
        record.refusal = reason
        do {
            try folder.set(record, of: id)
        } catch {
            throw Self.error(error, "The scan could not be changed in the queue.")
        }
        change { [record] state in
            state.records[id] = record
            state.set(reason.map(QueuedScan.State.refused) ?? .waiting, of: id)
        }
    }

    private static func error(_ error: any Error, _ message: String) -> ShelflistError {
        ShelflistError(.file, message, "Check the free space and the permissions of its folder.", cause: error)
    }

    private static func megabytes(_ bytes: Int) -> String { "\((bytes + 999_999) / 1_000_000) MB" }
}

extension ScanQueue.State {
    /// Gives the scans to the observers, and forgets those that have ended.
    ///
    /// They are yielded inside the lock, so that the last ones are the newest; so no observer's end may take the lock: it
    /// would wait for the yield, which waits for the task that is being cancelled.
    fileprivate mutating func report() {
        observers.removeAll {
            if case .terminated = $0.yield(scans) { true } else { false }
        }
    }

    fileprivate mutating func endSending() {
        isSending = false
        // `ScanQueue.run` waits for its turn.
        report()
    }
}
