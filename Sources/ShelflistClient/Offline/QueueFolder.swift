import Foundation
import ShelflistAPI

/// The files of a queue: a folder for each scan, with its photos and a record.
///
/// A scan is written under a temporary name and renamed once it is on disk, so that a crash leaves all of it or nothing.
struct QueueFolder: Sendable {
    let url: URL

    private static let incoming = ".incoming-"
    private static let record = "scan.json"
    private static let photo = "photo-"

    /// Creates the folder and removes what a crash has left.
    init(_ url: URL) throws {
        self.url = url
        let files = FileManager.default
        try files.createDirectory(at: url, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: url.path) where name.hasPrefix(Self.incoming) {
            try files.removeItem(at: url.appending(path: name))
        }
    }

    /// Reads all scans, in order.
    func scans() throws -> [(scan: QueuedScan, record: QueuedScanRecord)] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).filter { !$0.hasPrefix(".") }.sorted().map {
            try scan($0)
        }
    }

    private func scan(_ id: String) throws -> (QueuedScan, QueuedScanRecord) {
        let folder = url.appending(path: id)
        let record = try record(in: folder)
        let photos = record.names.indices.map { folder.appending(path: Self.photo($0)) }
        let sizes = try photos.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
        let scan = QueuedScan(
            id: id, addedAt: record.addedAt, options: record.options, photos: photos, bytes: sizes.reduce(0, +),
            state: record.refusal.map(QueuedScan.State.refused) ?? .waiting)
        return (scan, record)
    }

    /// Reads a scan's record.
    ///
    /// One that is damaged does not keep the other scans from being sent, nor lose its photos.
    private func record(in folder: URL) throws -> QueuedScanRecord {
        let file = folder.appending(path: Self.record)
        do {
            return try WireJSON.decode(QueuedScanRecord.self, from: try Data(contentsOf: file))
        } catch is DecodingError {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return QueuedScanRecord(
                addedAt: try folder.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
                    ?? Date(),
                options: ScanOptions(addsToLibrary: true),
                names: names.filter { $0.hasPrefix(Self.photo) }.map { _ in nil },
                refusal: "\(file.path) is damaged, so the shelf and the other options of this scan are lost. Send it "
                    + "again to add its books without them, or remove it and scan the shelf again.")
        }
    }

    /// Stores a scan.
    ///
    /// - Parameter id: after those of the scans before it.
    func add(_ id: String, _ photos: [PhotoSource], _ record: QueuedScanRecord) throws -> QueuedScan {
        let temporary = url.appending(path: Self.incoming + id)
        do {
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
            for (index, photo) in photos.enumerated() {
                try write(photo.body, to: temporary.appending(path: Self.photo(index)))
            }
            try write(.data(try WireJSON.encode(record)), to: temporary.appending(path: Self.record))
            try synchronize(temporary)
            try FileManager.default.moveItem(at: temporary, to: url.appending(path: id))
            try synchronize(url)
        } catch {
            // What cannot be removed now is removed when the queue is opened again.
            try? FileManager.default.removeItem(at: temporary)
            throw error
        }
        return try scan(id).0
    }

    func set(_ record: QueuedScanRecord, of id: String) throws {
        let file = url.appending(path: id).appending(path: Self.record)
        try WireJSON.encode(record).write(to: file, options: .atomic)
        try synchronize(file)
        try synchronize(url.appending(path: id))
    }

    /// Removes a scan; a crash does not bring back part of it.
    func remove(_ id: String) throws {
        let gone = url.appending(path: Self.incoming + "removed-" + id)
        try FileManager.default.moveItem(at: url.appending(path: id), to: gone)
        try synchronize(url)
        try FileManager.default.removeItem(at: gone)
    }

    private static func photo(_ index: Int) -> String { "\(photo)\(index + 1)" }

    private func write(_ body: TransportRequest.Body, to file: URL) throws {
        switch body {
        case .none: try Data().write(to: file)
        case .data(let data): try data.write(to: file)
        case .file(let source): try FileManager.default.copyItem(at: source, to: file)
        }
        try synchronize(file)
    }

    /// Waits until a file or the names in a folder are on the disk.
    private func synchronize(_ url: URL) throws {
        let handle = try FileHandle(forReadingFrom: url)
        try handle.synchronize()
        try handle.close()
    }
}
