public import Foundation
public import ShelflistAPI
import Synchronization

/// Scans that are kept on disk until the server can be reached.
///
/// ```swift
/// let queue = try ScanQueue(folder: folder, client: client)
/// try queue.add([.data(photo)], options: ScanOptions(addsToLibrary: true))
/// Task { await queue.run() }
/// for await scans in queue.updates { badge = scans.count }
/// ```
///
/// Scans survive the end of the app, are sent in order, and take effect once: a scan that was sent before a crash is
/// recognised by its key. A scan leaves the queue when the server has stored all its photos. Ask the server to add
/// the books (`ScanOptions.addsToLibrary`) unless the app follows the job: otherwise the server deletes the job after
/// ten minutes. A folder belongs to one queue at a time.
public final class ScanQueue: Sendable {
    fileprivate struct State {
        var scans: [QueuedScan] = []
        var records: [String: QueuedScanRecord] = [:]
        var isSending = false
        var observers: [UUID: AsyncStream<[QueuedScan]>.Continuation] = [:]
        var nextNumber = 1
    }

    private let client: ShelflistClient
    private let folder: QueueFolder
    private let state = Mutex(State())
    private let sizeLimit: Int

    /// Opens the queue in a folder, which is created if it does not exist.
    ///
    /// - Parameter sizeLimit: of all queued photos, in bytes.
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
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.observers[id] = nil } }
        state.withLock { state in
            state.observers[id] = continuation
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
        let waiting = scans.reduce(0) { $0 + $1.bytes }
        guard waiting + bytes <= sizeLimit else {
            throw ShelflistError(
                .tooLarge,
                "The queue holds \(Self.megabytes(waiting)) of at most \(Self.megabytes(sizeLimit)), and the photos have "
                    + "\(Self.megabytes(bytes)).", "Send or remove queued scans first.")
        }
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let digits = String(number)
        let id = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        let record = QueuedScanRecord(addedAt: Date(), options: options, names: photos.map(\.name))
        do {
            let scan = try folder.add(id, photos, record)
            change { state in
                state.scans.append(scan)
                state.scans.sort { $0.id < $1.id }
                state.records[id] = record
            }
            return scan
        } catch {
            throw Self.error(error, "The photos could not be stored in the queue.")
        }
    }

    /// Removes a scan, unless it is being sent.
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
    public func retry(_ id: String) throws(ShelflistError) { try setRefusal(nil, of: id) }

    /// Sends the waiting scans in order.
    ///
    /// Returns when none is left, or at once if they are being sent already.
    ///
    /// - Parameter onSent: receives each scan with its job, which `ShelflistClient.follow` follows.
    /// - Throws: the error for which the first scan cannot be sent now; it and those after it stay.
    public func send(
        onSent: @Sendable (QueuedScan, ScanStatus) async -> Void = { _, _ in }
    ) async throws(ShelflistError) {
        let begins = state.withLock { state in
            defer { state.isSending = true }
            return !state.isSending
        }
        guard begins else { return }
        defer { state.withLock { $0.isSending = false } }
        while let scan = scans.first(where: { if case .waiting = $0.state { true } else { false } }) {
            do {
                let (job, refusals) = try await send(scan)
                // A refused photo is nowhere else.
                if refusals.isEmpty {
                    try drop(scan.id)
                } else {
                    try setRefusal(refusals.joined(separator: " "), of: scan.id)
                }
                await onSent(scan, job)
            } catch {
                let error = ShelflistError(error, host: client.connection.host)
                guard error.refusesScan else {
                    change { $0.set(.waiting, of: scan.id) }
                    throw error
                }
                try setRefusal(error.description, of: scan.id)
            }
        }
    }

    /// Returns the job, and why the server refused photos of it.
    private func send(_ scan: QueuedScan) async throws -> (job: ScanStatus, refusals: [String]) {
        let names = state.withLock { $0.records[scan.id]?.names } ?? []
        let photos = zip(scan.photos, names).map { PhotoSource(body: .file($0), name: $1) }
        let start = UploadProgress(photo: 1, photos: photos.count, sent: 0, total: scan.bytes)
        change { $0.set(.sending(start), of: scan.id) }
        let refusals = Mutex<[String]>([])
        let uploader = PhotoUploader(connection: client.connection) { [weak self] event in
            switch event {
            case .uploading(let progress): self?.change { $0.set(.sending(progress), of: scan.id) }
            case .photoRefused(let number, let error):
                refusals.withLock { $0.append("Photo \(number): \(error)") }
            case .connection, .job: break
            }
        }
        let job = try await uploader.create(photos.count, scan.options)
        try await uploader.upload(photos, to: job)
        return (job, refusals.withLock(\.self))
    }

    /// Sends scans whenever there are some and the server can be reached, until its task is cancelled.
    public func run(onSent: @Sendable (QueuedScan, ScanStatus) async -> Void = { _, _ in }) async {
        let connection = client.connection
        var failures = 0
        while !Task.isCancelled {
            do {
                try await send(onSent: onSent)
                failures = 0
                let updates = updates
                for await scans in updates {
                    if scans.contains(where: { if case .waiting = $0.state { true } else { false } }) { break }
                }
            } catch {
                failures += 1
                let wait =
                    error.retryAfter ?? connection.limits.backOff(failures, random: connection.environment.random())
                // Ends early only if the task is cancelled.
                try? await connection.clock.sleep(for: wait)
            }
        }
    }

    // MARK: State

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            for observer in state.observers.values { observer.yield(state.scans) }
        }
    }

    private func drop(_ id: String) throws(ShelflistError) {
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

    private func setRefusal(_ reason: String?, of id: String) throws(ShelflistError) {
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
    fileprivate mutating func set(_ new: QueuedScan.State, of id: String) {
        guard let index = scans.firstIndex(where: { $0.id == id }) else { return }
        scans[index].state = new
    }
}

extension ShelflistError {
    /// Whether a scan will never be accepted as it is, so that those after it need not wait.
    fileprivate var refusesScan: Bool { [.invalid, .tooLarge, .file, .notFound, .conflict].contains(category) }
}
