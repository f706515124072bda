import Foundation
import GRDB
package import Imaging

/// A photo in the data directory that an import may refer to.
package struct StoredPhoto: Hashable, Codable, Sendable {
    /// Its name in the folder `photos`: `bookshelf_scan_<uuid>.jpg`.
    package var file: String
    /// Of the bytes as they came, in hexadecimal: the same picture is the same photo.
    package var sha256: String

    package init(file: String, sha256: String) {
        self.file = file
        self.sha256 = sha256
    }
}

extension LibraryStore {
    /// SHA-256 in hexadecimal: names a file by its content.
    package static func fingerprint(_ bytes: [UInt8]) -> String { SHA256.hex(bytes) }

    static let photoPrefix = "bookshelf_scan_"

    /// Keeps a photo: JPEG as it is, other formats as upright JPEG of the same size.
    ///
    /// The file is there whole or not at all. A photo that is in the library already is not written again. Until an
    /// import refers to it, the clean-up takes it away after 24 hours.
    ///
    /// - Parameter bytes: the whole file, JPEG, PNG, WebP or HEIC.
    /// - Throws: `ImageError`, `LibraryError.diskFull`, `.file`.
    package func storePhoto(_ bytes: [UInt8], limits: PhotoLimits = PhotoLimits()) async throws -> StoredPhoto {
        let hash = SHA256.hex(bytes)
        let known = try await read {
            try String.fetchOne($0, sql: "SELECT file FROM photo WHERE sha256 = ?", arguments: [hash])
        }
        if let known, FileManager.default.fileExists(atPath: folder.photo(known).path) {
            return StoredPhoto(file: known, sha256: hash)
        }
        let jpeg: [UInt8]
        if ImageFormat.sniff(bytes) == .jpeg {
            guard bytes.count <= limits.maxBytes else {
                throw ImageError(.tooManyBytes, "The file is larger than \(limits.maxBytes / 1_000_000) MB.")
            }
            jpeg = bytes
        } else {
            jpeg = try JPEGCodec.encode(PhotoDecoder.decode(bytes, limits: limits).image, quality: 92)
        }
        let name = "\(Self.photoPrefix)\(UUID().uuidString.lowercased()).jpg"
        try DurableFile.write(jpeg, to: folder.photo(name))
        let small = SmallPhotos(folder)
        // Whoever shows a spine of a photo that cannot be decoded is told so then.
        if let photo = try? PhotoDecoder.decode(jpeg, limits: limits, workingPixels: SpineCropCache.pixels) {
            small.keep(photo, of: name)
        }
        return StoredPhoto(file: name, sha256: hash)
    }

    /// Deletes the file of a photo whose import failed, so that trying again and again does not fill the disk.
    ///
    /// - Throws: errors of the database; the clean-up deletes the file later.
    package func discard(_ photo: StoredPhoto) async throws {
        let isInUse = try await read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM photo WHERE file = ?)", arguments: [photo.file])
        }
        guard isInUse == false else { return }
        SmallPhotos(folder).forget(photo.file)
        unlink(folder.photo(photo.file).path)
    }

    /// - Throws: `LibraryError.notFound`.
    package func photo(_ id: RowID<Photo>) async throws -> Photo { try await read { try $0.photo(id.rawValue) } }

    /// The photos of a shelf, or all, the latest first.
    package func photos(of shelf: RowID<Shelf>? = nil) async throws -> [Photo] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM photo WHERE ? IS NULL OR shelf = ? ORDER BY id DESC",
                arguments: [shelf?.rawValue, shelf?.rawValue]
            ).map(Photo.init(row:))
        }
    }

    /// What was found in a photo, from left to right.
    package func detections(in photo: RowID<Photo>) async throws -> [Detection] {
        try await read { try $0.detections("photo = ? ORDER BY x + width / 2, id", [photo.rawValue]) }
    }

    /// - Throws: `LibraryError.notFound`.
    package func detection(_ id: RowID<Detection>) async throws -> Detection {
        try await read { try $0.detection(id.rawValue) }
    }
}

extension Photo {
    init(row: Row) {
        self.init(
            id: RowID(row["id"]), file: row["file"], width: row["width"], height: row["height"],
            shelf: (row["shelf"] as Int64?).map { RowID($0) }, addedAt: Date(milliseconds: row["addedAt"]))
    }
}

extension Database {
    func photo(_ id: Int64) throws -> Photo {
        guard let row = try Row.fetchOne(self, sql: "SELECT * FROM photo WHERE id = ?", arguments: [id]) else {
            throw LibraryError.notFound("photo \(id)")
        }
        return Photo(row: row)
    }

    func detection(_ id: Int64) throws -> Detection {
        guard let detection = try detections("id = ?", [id]).first else {
            throw LibraryError.notFound("detection \(id)")
        }
        return detection
    }
}
