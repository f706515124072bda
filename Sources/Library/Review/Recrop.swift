import Bibliography
import Concurrency
import Foundation
import GRDB
package import Imaging
package import ShelflistAPI

/// The reader's result for a new crop.
package struct RereadSpine: Hashable, Sendable {
    package var title: String?
    package var author: String?
    package var isbn: String?
    /// A probability, 0...1.
    package var confidence: Double?
    package var text: [ReadText]
    package var matches: [BookMatch]

    package init(
        title: String?, author: String? = nil, isbn: String? = nil, confidence: Double?, text: [ReadText] = [],
        matches: [BookMatch] = []
    ) {
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.text = text
        self.matches = matches
    }
}

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
        read: @Sendable (RGBImage) async throws -> RereadSpine
    ) async throws -> ReviewItem {
        let item = try await reviewItem(entry)
        guard let detection = item.detection else {
            throw LibraryError.notPossible("No photo shows this book, so there is no spine to cut out.")
        }
        try ScannedBook(id: detection.book, title: nil, confidence: nil, boundingBox: box).check()
        let photo = try await photo(detection.photo)
        let whole = try await wholePicture(of: photo)
        let crop = await BlockingExecutor.interactive.run { SpineCrop.image(of: box, in: whole, longSide: 8192) }
        let reading = try await read(crop)
        let book = ScannedBook(
            id: detection.book, title: reading.title, author: reading.author, isbn: reading.isbn,
            confidence: reading.confidence, boundingBox: box, text: reading.text, matches: reading.matches)
        try book.check()
        let reread = try Detection(book, job: detection.job, photo: detection.photo)
        let expected = ifRevision ?? item.revision
        return try await write { change in
            let work = try change.db.work(item.work)
            try change.db.check(expected, against: work.revision, "“\(work.title)”")
            let action = try change.beginAction(.recrop, works: [work.id])
            let before = try change.db.book(ofEntry: entry)
            try change.note(.recropped, entry, before: before, after: before, action)
            try change.replace(detection.id, with: reread)
            if work.reviewStatus == .needsReview {
                let details = try reread.details()
                try change.updateWork(work.id, details, status: .needsReview)
                let copy = try change.db.entry(entry)
                let edition = try change.edition(
                    ofWork: work.id, details, current: copy.edition)
                try change.dropCover(ofEdition: edition, before: before, after: details)
                try change.execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
            } else {
                try change.touch(work: work.id)
            }
            try change.finish(action)
            return try change.db.item(entry)
        }
    }
}

extension Transaction {
    fileprivate func replace(_ id: RowID<Detection>, with detection: Detection) throws {
        let box = detection.boundingBox
        try execute(
            """
            UPDATE detection SET x = ?, y = ?, width = ?, height = ?, quad = NULL, readTitle = ?, readAuthor = ?,
                readISBN = ?, confidence = ?, lines = ?, matches = ?,
                bookKey = ? WHERE id = ?
            """,
            [
                box.x, box.y, box.width, box.height, detection.readTitle, detection.readAuthor, detection.readISBN,
                detection.confidence, try JSONColumn.text(detection.text), try JSONColumn.text(detection.matches),
                BookKey(try detection.details()).text, id,
            ])
    }
}
