import Concurrency
import Crypto
package import Foundation
import GRDB
package import Imaging
import Storage

/// A photo in the data directory that an import may refer to.
package struct StoredPhoto: Hashable, Sendable {
    /// The file name in the folder `photos`: `bookshelf_scan_<uuid>.jpg`.
    package var file: String
    /// The hexadecimal SHA-256 of the bytes received, which identifies the same picture.
    package var sha256: String
    /// Whether the file was written for this import, so that nothing else can refer to it yet.
    var isNew = false

    package init(file: String, sha256: String) {
        self.file = file
        self.sha256 = sha256
    }
}

extension LibraryStore {
    /// Returns the SHA-256 of a file's bytes in hexadecimal.
    package static func fingerprint(_ bytes: [UInt8]) -> String { SHA256.hash(data: bytes).hex }

    static let photoPrefix = "bookshelf_scan_"

    /// Stores a photo without its metadata, such as the place: JPEG with the same picture, other formats as an upright
    /// JPEG of the same size.
    ///
    /// The file is written completely or not at all. A photo that the library already has is not written again. If no
    /// import refers to it, the cleanup deletes it after 24 hours.
    ///
    /// - Parameter bytes: the whole file, JPEG, PNG, WebP or HEIC.
    /// - Throws: `ImageError`, `StorageError`.
    package func storePhoto(_ bytes: [UInt8], limits: PhotoLimits = PhotoLimits()) async throws -> StoredPhoto {
        let hash = await BlockingExecutor.interactive.run { Self.fingerprint(bytes) }
        return try await storePhoto(sha256: hash) {
            guard bytes.count <= limits.maxBytes else {
                throw ImageError(.tooManyBytes, "The file is larger than \(limits.maxBytes / 1_000_000) MB.")
            }
            return try writePhoto(bytes, limits)
        }
    }

    /// Stores the photo in a file, as above; a JPEG without metadata shares its place on the disk with that file.
    ///
    /// - Parameter sha256: of the bytes received, before metadata were removed.
    /// - Throws: `CocoaError` where the file cannot be read, `ImageError`, `StorageError`.
    package func storePhoto(
        at file: URL, sha256: String, limits: PhotoLimits = PhotoLimits()
    ) async throws -> StoredPhoto {
        try await storePhoto(sha256: sha256) { try writePhoto([UInt8](try Data(contentsOf: file)), limits, at: file) }
    }

    /// - Parameter write: writes the file unless the library has the photo, and returns its name.
    private func storePhoto(
        sha256 hash: String, _ write: @escaping @Sendable () throws -> String
    ) async throws -> StoredPhoto {
        let known = try await read {
            try String.fetchOne($0, sql: "SELECT file FROM photo WHERE sha256 = ?", arguments: [hash])
        }
        if let known, FileManager.default.fileExists(atPath: folder.photo(known).path) {
            return StoredPhoto(file: known, sha256: hash)
        }
        var stored = StoredPhoto(file: try await BlockingExecutor.interactive.run(write), sha256: hash)
        stored.isNew = true
        return stored
    }

    /// - Parameter file: holds the bytes, synced.
    private func writePhoto(_ bytes: [UInt8], _ limits: PhotoLimits, at file: URL? = nil) throws -> String {
        let jpeg = try PictureCodec.withoutMetadata(bytes, limits: limits)
        let name = "\(Self.photoPrefix)\(UUID().uuidString.lowercased()).jpg"
        let photo = folder.photo(name)
        if let file, jpeg == bytes, link(file.path, photo.path) == 0 {
            // The clean-up spares what is new, and a scan may have waited for days.
            guard utimensat(AT_FDCWD, photo.path, nil, 0) == 0 else { throw StorageError(errno, writing: photo) }
            try DurableFile.syncFolder(of: photo)
        } else {
            // A file system without links has two copies until the scan's is deleted.
            try DurableFile.write(jpeg, to: photo)
        }
        // A photo that cannot be decoded is reported when one of its spines is requested.
        if let photo = try? PictureCodec.decode(jpeg, limits: limits, workingPixels: PictureCache.pixels) {
            SmallPhotos(folder).keep(photo, of: name)
        }
        return name
    }

    /// Deletes the file of a photo whose import failed, so that repeated attempts do not fill the disk.
    ///
    /// - Throws: database errors; the cleanup then deletes the file later.
    package func discard(_ photo: StoredPhoto) async throws {
        let isInUse = try await read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM photo WHERE file = ?)", arguments: [photo.file])
        }
        guard photo.isNew, isInUse == false else { return }
        SmallPhotos(folder).forget(photo.file)
        unlink(folder.photo(photo.file).path)
    }

    /// - Throws: `LibraryError.notFound`.
    package func photo(_ id: RowID<Photo>) async throws -> Photo { try await read { try $0.photo(id) } }

    /// Returns a page of the photos of a shelf, or of all photos, latest first, and their total number.
    package func photos(
        of shelf: RowID<Shelf>? = nil, limit: Int, offset: Int = 0
    ) async throws -> (photos: [Photo], total: Int) {
        try await read { db in
            let photos = "FROM photo WHERE :shelf IS NULL OR shelf = :shelf"
            return (
                try Photo.fetchAll(
                    db, sql: "SELECT * \(photos) ORDER BY id DESC LIMIT :limit OFFSET :offset",
                    arguments: ["shelf": shelf, "limit": limit, "offset": offset]),
                try Int.fetchOne(db, sql: "SELECT count(*) \(photos)", arguments: ["shelf": shelf]) ?? 0
            )
        }
    }

    /// Returns the detections in a photo, from left to right.
    package func detections(in photo: RowID<Photo>) async throws -> [Detection] {
        try await read { try $0.detections("photo = ? ORDER BY x + width / 2, id", [photo]) }
    }

    /// Returns the detection of a scan's book, or `nil` if it was not imported.
    package func detection(ofBook book: String, inScan job: String) async throws -> Detection? {
        try await read { try $0.detections("job = ? AND book = ? ORDER BY id LIMIT 1", [job, book]).first }
    }

    /// Returns the copies that these detections show; nothing for one that shows none.
    package func entries(
        shownBy detections: [RowID<Detection>]
    ) async throws -> [RowID<Detection>: RowID<LibraryEntry>] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, entry FROM detection WHERE entry IS NOT NULL AND id IN (SELECT value FROM json_each(?))
                    """, arguments: [detections.jsonArray()])
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["id"], $0["entry"]) })
        }
    }

    /// - Throws: `LibraryError.notFound`.
    package func detection(_ id: RowID<Detection>) async throws -> Detection {
        try await read { try $0.detection(id) }
    }
}
