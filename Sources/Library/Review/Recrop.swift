import Bibliography
import Concurrency
import GRDB
package import Imaging
package import ShelflistAPI

extension LibraryStore {
    /// Moves the box of a spine and reads the new crop.
    ///
    /// A book that waits for review gets the new reading and stays in the queue. An approved book keeps its title and
    /// authors, and only its box changes. Edits by the user and the history are kept.
    ///
    /// - Parameters:
    ///   - box: fractions of the EXIF-upright photo.
    ///   - read: reads the picture of the spine, in its orientation in the photo.
    /// - Throws: `LibraryError.notFound`, `.invalid`, `.notPossible` without a photo, `.changedMeanwhile`, and the
    ///   errors of `read`. Nothing is changed then.
    package func recrop(
        _ entry: RowID<LibraryEntry>, to box: UnitRect, ifRevision: Int? = nil,
        read: @Sendable (RGBImage) async throws -> DetectedBook
    ) async throws -> ReviewItem {
        let item = try await reviewItem(entry)
        guard let detection = item.detection else {
            throw LibraryError.notPossible("No photo shows this book, so there is no spine to cut out.")
        }
        try box.check(ofBook: detection.book)
        let photo = try await photo(detection.photo)
        let whole = try await wholePicture(of: photo)
        let crop = await BlockingExecutor.interactive.run {
            SpineCrop.image(of: UnitQuad(box), in: whole, longSide: 8192)
        }
        var book = try await read(crop)
        book.id = detection.book
        book.boundingBox = box
        try book.check()
        var reread = try Detection(book, job: detection.job, photo: detection.photo)
        // The user gave a box only.
        reread.quad = nil
        let expected = ifRevision ?? item.revision
        return try await write { [reread] db in
            let work = try db.work(item.work)
            try db.check(expected, against: work.revision, "“\(work.title)”")
            let action = try db.beginAction(.recrop)
            let before = try db.book(ofEntry: entry)
            try db.note(.recropped, entry, before: before, after: before, action)
            try db.replace(detection.id, with: reread)
            if work.reviewStatus == .needsReview {
                let details = try reread.details()
                try db.updateWork(work.id, details, status: .needsReview)
                let copy = try db.entry(entry)
                let edition = try db.edition(
                    ofWork: work.id, details, current: copy.edition)
                try db.dropCover(ofEdition: edition, before: before, after: details)
                try db.execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
            } else {
                try db.touch(work: work.id)
            }
            try db.finish(action)
            return try db.item(entry)
        }
    }
}

extension Database {
    /// Replaces what was read; edits and outcome stay.
    func replace(_ id: RowID<Detection>, with detection: Detection) throws {
        let box = detection.boundingBox
        try execute(
            """
            UPDATE detection SET x = ?, y = ?, width = ?, height = ?, quad = ?, readTitle = ?, readAuthor = ?,
                readISBN = ?, confidence = ?, checked = ?, lines = ?, matches = ?, bookKey = ? WHERE id = ?
            """,
            [
                box.x, box.y, box.width, box.height, try detection.quad.map(JSONColumn.text), detection.readTitle,
                detection.readAuthor, detection.readISBN,
                detection.confidence, detection.checked, try JSONColumn.text(detection.text),
                try JSONColumn.text(detection.matches), BookKey(try detection.details()).text, id,
            ])
    }
}
