import Concurrency
import Crypto
package import Foundation
import Imaging
import Library
import ShelflistAPI
import Storage

/// The photos of jobs on disk: `FOLDER/incoming` while they arrive, `FOLDER/JOB/N` once they are accepted.
package struct JobFiles: Sendable {
    package let folder: URL
    private let keptFree: Int
    private var incoming: URL { folder.appending(path: "incoming", directoryHint: .isDirectory) }

    /// - Parameter keptFree: the bytes of the disk that photos leave free.
    /// - Throws: `CocoaError` where the folder cannot be made.
    package init(folder: URL, keptFree: Int = 0) throws {
        (self.folder, self.keptFree) = (folder, keptFree)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "incoming"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    package func photo(_ number: Int, of job: String) -> URL { self.job(job).appending(path: "\(number)") }

    /// Returns the bytes of a photo's file.
    ///
    /// - Throws: `CocoaError` where it does not exist any more; `StorageError` where the disk fails.
    func bytes(ofPhoto number: Int, of job: String) throws -> [UInt8] {
        let url = photo(number, of: job)
        guard FileManager.default.fileExists(atPath: url.path) else { throw CocoaError(.fileReadNoSuchFile) }
        let file = try OpenFile(url)
        return try file.read(file.size)
    }

    /// A picture made from a photo, kept beside it.
    package func picture(_ name: String, of photo: Int, job: String) -> URL {
        self.job(job).appending(path: "\(photo)-\(name).jpg")
    }

    /// Deletes the pictures made from a photo, which show its books as they were.
    func removePictures(of photo: Int, job: String) throws {
        for name in ["annotated", "segmented"] { try remove(picture(name, of: photo, job: job)) }
    }

    /// The folder of a job; for a name that leads out of the folder, one that never exists.
    func job(_ id: String) -> URL {
        folder.appending(path: PictureName.isValid(id) ? id : ".invalid", directoryHint: .isDirectory)
    }

    /// Begins to take in a photo.
    ///
    /// - Throws: `PhotoIntakeError`.
    package func receive(limit: Int) throws(PhotoIntakeError) -> IncomingPhoto {
        try checkRoom(for: 0)
        return try IncomingPhoto(file: incoming.appending(path: UUID().uuidString), limit: limit, files: self)
    }

    /// - Parameter bytes: what is to be stored besides the bytes that stay free.
    /// - Throws: `PhotoIntakeError.noRoom`.
    package func checkRoom(for bytes: Int) throws(PhotoIntakeError) {
        guard let free = DiskSpace.free(in: folder), free - keptFree < bytes else { return }
        throw .noRoom(free: free, needed: keptFree + bytes)
    }

    /// Moves a photo that is on disk to its job; after this it survives a power cut.
    func take(_ photo: ReceivedPhoto, as number: Int, of job: String) async throws(PhotoIntakeError) {
        do {
            try await BlockingExecutor.interactive.run { () throws(StorageError) in
                if mkdir(self.job(job).path, 0o700) == 0 { try DurableFile.sync(folder) }
                try DurableFile.move(photo.file, to: self.photo(number, of: job))
            }
        } catch {
            throw PhotoIntakeError(error)
        }
    }

    /// Deletes a photo that no job has taken.
    package func discard(_ photo: ReceivedPhoto) { unlink(photo.file.path) }

    func removePhoto(_ number: Int, of job: String) throws { try remove(photo(number, of: job)) }

    func remove(job: String) async throws { try await BlockingExecutor.interactive.run { try remove(self.job(job)) } }

    private func remove(_ file: URL) throws {
        do {
            try FileManager.default.removeItem(at: file)
        } catch CocoaError.fileNoSuchFile {
            // Deleted already, or never made.
        }
    }

    /// Deletes what no job refers to: photos whose sender or whose server went away before the job was accepted.
    func removeAll(except jobs: Set<String>) async throws {
        try await BlockingExecutor.interactive.run {
            let files = FileManager.default
            for left in try files.contentsOfDirectory(at: incoming, includingPropertiesForKeys: nil) {
                try files.removeItem(at: left)
            }
            for found in try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            where found.lastPathComponent != "incoming" && !jobs.contains(found.lastPathComponent) {
                try files.removeItem(at: found)
            }
        }
    }
}

/// A photo that is on its way to the disk.
///
/// Used by one task at a time.
package final class IncomingPhoto {
    private let file: URL
    private let written: NewFile
    private let limit: Int
    private let files: JobFiles
    private var start: [UInt8] = []
    private var hash = SHA256()
    private var isKept = false
    package private(set) var count = 0

    fileprivate init(file: URL, limit: Int, files: JobFiles) throws(PhotoIntakeError) {
        (self.file, self.limit, self.files) = (file, limit, files)
        do {
            written = try NewFile(file, for: file, permissions: 0o600)
        } catch {
            throw PhotoIntakeError(error)
        }
    }

    deinit {
        if !isKept { unlink(file.path) }
    }

    /// - Throws: `PhotoIntakeError.tooLarge` beyond the limit, `notAPhoto` as soon as the first bytes show it,
    ///   `noRoom`, `diskFull`, `failed`.
    package func append(_ bytes: [UInt8]) throws(PhotoIntakeError) {
        guard bytes.count <= limit - count else { throw .tooLarge(limit: limit) }
        try files.checkRoom(for: bytes.count)
        if start.count < Self.telling { start += bytes.prefix(Self.telling - start.count) }
        do {
            try written.write(bytes)
        } catch {
            throw PhotoIntakeError(error)
        }
        hash.update(data: bytes)
        count += bytes.count
    }

    /// Enough bytes to detect the format.
    private static let telling = 2048

    /// Syncs the file to disk: a JPEG without its metadata, such as the place, unless its segments are damaged.
    ///
    /// - Throws: `PhotoIntakeError`; the file is then removed.
    package func close() async throws(PhotoIntakeError) -> ReceivedPhoto {
        guard count > 0 else { throw .isEmpty }
        guard let format = ImageFormat.sniff(start) else { throw .notAPhoto }
        do {
            try await BlockingExecutor.interactive.run { [file, count] () throws(StorageError) in
                if format == .jpeg, case let read = try OpenFile(file).read(count),
                    let stripped = JPEGMarkers.withoutMetadata(read), stripped != read
                {
                    try DurableFile.write(stripped, to: file, as: .secret)
                } else {
                    try DurableFile.sync(file)
                }
            }
        } catch {
            throw PhotoIntakeError(error)
        }
        isKept = true
        return ReceivedPhoto(
            file: file, bytes: count, sha256: hash.finalize().hex,
            format: format.rawValue)
    }
}

/// A photo that is on disk and belongs to no job yet.
package struct ReceivedPhoto: Sendable {
    let file: URL
    package let bytes: Int
    /// Of the bytes received, hexadecimal.
    let sha256: String
    package let format: String
    /// As the client called it, for people.
    package var name: String?
}

/// Why a photo was not accepted.
package enum PhotoIntakeError: ReportedError, Hashable {
    case isEmpty
    case notAPhoto
    case tooLarge(limit: Int)
    /// The disk would have less room than the bytes that stay free.
    case noRoom(free: Int, needed: Int)
    case diskFull
    case failed(reason: String)

    init(_ error: StorageError) {
        self =
            switch error {
            case .diskFull: .diskFull
            case .cannotWrite(_, let reason), .cannotRead(_, let reason), .file(_, let reason): .failed(reason: reason)
            case .damaged: .failed(reason: "the file is damaged")
            }
    }

    package var problemCode: String {
        switch self {
        case .isEmpty, .notAPhoto: "not_an_image"
        case .tooLarge: "photo_too_large"
        case .noRoom, .diskFull: "disk_full"
        case .failed: "not_saved"
        }
    }

    package var limit: Int? { if case .tooLarge(let limit) = self { limit } else { nil } }

    package var description: String {
        switch self {
        case .isEmpty: "The photo is empty (0 bytes). Take it again, or choose another file."
        case .notAPhoto: "This is not a photo. Choose a JPEG, PNG, WebP or HEIC file."
        case .tooLarge(let limit):
            "The photo has more than \(limit / 1_000_000) MB, which is the limit. Save it smaller, or as JPEG."
        case .diskFull:
            "The server's disk is full, so the photo was not kept. Free some space on the server, then send it again."
        case .noRoom(let free, let needed):
            "The server's disk has \(free / 1_000_000) MB free, and the photo needs \((needed + 999_999) / 1_000_000) MB with what stays "
                + "free for the library. Free some space on the server, then send it again."
        case .failed(let reason): "The photo could not be kept: \(reason). Send it again."
        }
    }
}
