import Concurrency
import Foundation
import GRDB
import Imaging
import Storage

extension LibraryStore {
    /// Uses a stored cover for a copy's edition, or none.
    ///
    /// Revisions do not grow, so an edit in progress does not conflict with a new cover. The file of the previous cover
    /// is kept as long as this can be undone, and for a day at least, so that it can be chosen again.
    ///
    /// - Parameter file: the name of a file in the folder `covers`; `nil` removes the cover.
    /// - Throws: `LibraryError.notFound`.
    package func setCover(_ entry: RowID<LibraryEntry>, toStored file: String?) async throws {
        if let file, !hasCover(named: file) { throw LibraryError.notFound("cover \(file)") }
        try await write { db in
            let action = try db.beginAction(.edit)
            try db.execute("UPDATE edition SET cover = ? WHERE id = ?", [file, try db.editionMade(ofEntry: entry)])
            try db.finish(action)
        }
    }

    /// Whether the folder `covers` has a file of this name.
    package func hasCover(named file: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.cover(file).path)
    }

    /// Returns the covers that no edition has and no undo brings back, older than 24 hours.
    func unusedCovers() async throws -> [URL] {
        let used = """
            SELECT cover FROM edition WHERE cover IS NOT NULL
            UNION SELECT value FROM undoChange
            WHERE tableName = 'edition' AND columnName = 'cover' AND value IS NOT NULL
            """
        return try await unreferenced(in: folder.covers, used: used) { name in
            name.hasSuffix(".jpg") && UUID(uuidString: String(name.dropLast(4))) != nil
        }
    }

    /// Uses a picture that a source sent as the cover of a copy's edition.
    ///
    /// It belongs to the action that chose the record, and is undone by itself only if the store has a token.
    ///
    /// - Parameters:
    ///   - picture: JPEG, PNG, WebP or HEIC, up to 10 MB.
    ///   - onlyMissing: whether to keep an existing cover.
    /// - Throws: `LibraryError.notFound`, `ImageError`.
    package func setCover(_ entry: RowID<LibraryEntry>, to picture: [UInt8], onlyMissing: Bool = false) async throws {
        let file = try await storeCover(picture)
        var isUsed = false
        defer { if !isUsed { unlink(folder.cover(file).path) } }
        isUsed = try await writeUnseen { db in
            try writeEnrichment(in: db) {
                let edition = try db.editionMade(ofEntry: entry)
                if onlyMissing, try db.edition(edition).cover != nil { return false }
                try db.execute("UPDATE edition SET cover = ? WHERE id = ?", [file, edition])
                return true
            }
        }
    }

    /// Decodes the picture and encodes it again, so that no other data is kept: a JPEG with a long side of at most
    /// 1,000 pixels.
    ///
    /// - Returns: the name of the file in the folder `covers`.
    /// - Throws: `ImageError`, `StorageError`.
    package func storeCover(_ bytes: [UInt8]) async throws -> String {
        try await BlockingExecutor.interactive.run {
            let limits = PhotoLimits(maxBytes: 10_000_000, maxPixels: 50_000_000)
            let picture = try PictureCodec.decode(bytes, limits: limits, workingPixels: 4_000_000).image
            let name = "\(UUID().uuidString.lowercased()).jpg"
            let jpeg = try PictureCodec.jpeg(picture.fitted(longSide: min(1000, picture.size.longSide)), quality: 88)
            try DurableFile.write(jpeg, to: folder.cover(name))
            return name
        }
    }
}
