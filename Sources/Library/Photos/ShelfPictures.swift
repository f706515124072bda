import Concurrency
import Foundation
import GRDB
import Imaging
import Storage

/// The picture that stays when a photo is deleted: smaller, and without the photo's metadata.
package enum ShelfPicture {
    /// The longest side, in pixels.
    package static let longSide = 2048
    /// The usual size, in bytes: 0.1 to 0.4 MB for photos of shelves.
    package static let usualBytes = 300_000
    static let quality = 80
    static let prefix = "shelf_picture_"
}

/// The disk space of the shelf pictures.
package struct ShelfPictureUse: Hashable, Codable, Sendable {
    package var pictures: Int
    package var bytes: Int
}

extension LibraryStore {
    /// Stores the shelf picture of a photo.
    ///
    /// - Returns: its name in the folder `photos`; `nil` if the photo is missing or cannot be decoded.
    /// - Throws: `StorageError`.
    func storeShelfPicture(of file: String) async throws -> String? {
        try await BlockingExecutor.background.run { () throws -> String? in
            guard FileManager.default.fileExists(atPath: folder.photo(file).path) else { return nil }
            let jpeg: [UInt8]
            do {
                let photo = try decodePhoto(file, pixels: 26_000_000).image
                jpeg = try PictureCodec.jpeg(
                    photo.fitted(longSide: ShelfPicture.longSide), quality: ShelfPicture.quality)
            } catch is ImageError {
                return nil
            }
            let name = "\(ShelfPicture.prefix)\(UUID().uuidString.lowercased()).jpg"
            try DurableFile.write(jpeg, to: folder.photo(name))
            return name
        }
    }

    /// Removes the references to the shelf pictures of deleted photos, because the user does not keep them.
    ///
    /// - Returns: the files to delete.
    func clearShelfPictures() async throws -> [String] {
        try await write { db in
            let files = try String.fetchAll(
                db, sql: "SELECT picture FROM photo WHERE picture IS NOT NULL ORDER BY picture")
            try db.execute("UPDATE photo SET picture = NULL WHERE picture IS NOT NULL")
            return files
        }
    }

    /// Returns the number and the size of the shelf pictures.
    package func shelfPictureUse() async throws -> ShelfPictureUse {
        let files = try await read { db in
            try String.fetchAll(db, sql: "SELECT picture FROM photo WHERE picture IS NOT NULL")
        }
        return await BlockingExecutor.interactive.run {
            files.reduce(into: ShelfPictureUse(pictures: 0, bytes: 0)) { use, file in
                // A clean-up may delete a picture while they are counted.
                let values = try? folder.photo(file).resourceValues(forKeys: [.fileSizeKey])
                guard let bytes = values?.fileSize else { return }
                use.pictures += 1
                use.bytes += bytes
            }
        }
    }
}
