import Bibliography
import Concurrency
import Foundation
import GRDB
package import Imaging
package import ShelflistAPI

extension LibraryStore {
    /// Moves the outline of a spine and reads the new crop.
    ///
    /// A book that waits for review gets the new reading and stays in the queue. A verified book keeps its title and
    /// authors, and only its outline changes. Edits by the user and the history are kept.
    ///
    /// - Parameters:
    ///   - outline: fractions of the EXIF-upright photo; its corners are kept, so that a leaning spine is cut straight.
    ///   - read: reads the picture of the spine, in its orientation in the photo.
    /// - Throws: `LibraryError.notFound`, `.invalid`, `.notPossible` without a photo, `.changedMeanwhile`, and the
    ///   errors of `read`. Nothing is changed then.
    package func recrop(
        _ entry: RowID<LibraryEntry>, to outline: SpineOutline, ifRevision: Int? = nil,
        read: @Sendable (RGBImage) async throws -> DetectedBook
    ) async throws -> ReviewItem {
        let item = try await reviewItem(entry)
        guard let detection = item.detection else {
            throw LibraryError.notPossible("No photo shows this book, so there is no spine to cut out.")
        }
        try outline.check(ofBook: detection.book)
        let photo = try await photo(detection.photo)
        let whole = try await wholePicture(of: photo)
        let crop = await BlockingExecutor.interactive.run {
            SpineCrop.image(of: outline.quad, in: whole, longSide: 8192)
        }
        var book = try await read(crop)
        book.id = detection.book
        book.boundingBox = outline.boundingBox
        book.quad = outline.quad
        try book.check()
        let reread = try Detection(book, job: detection.job, photo: detection.photo)
        let expected = ifRevision ?? item.revision
        return try await write { db in
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

extension SpineOutline {
    /// Creates the outline with these corners, in any order around it.
    ///
    /// The first corner becomes the one nearest to the top left, and the others follow clockwise.
    package init(corners: [UnitPoint]) {
        let center = UnitPoint(
            x: corners.map(\.x).reduce(0, +) / Double(max(1, corners.count)),
            y: corners.map(\.y).reduce(0, +) / Double(max(1, corners.count)))
        // The y axis points down, so growing angles go clockwise.
        let around = corners.sorted {
            atan2($0.y - center.y, $0.x - center.x) < atan2($1.y - center.y, $1.x - center.x)
        }
        let start = around.indices.min { around[$0].x + around[$0].y < around[$1].x + around[$1].y } ?? 0
        let clockwise = Array(around[start...] + around[..<start])
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        self.init(
            quad: UnitQuad(clockwise[0], clockwise[1], clockwise[2], clockwise[3]),
            boundingBox: UnitRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top))
    }

    /// - Throws: `LibraryError.invalid` for an outline that is not inside the photo or hardly has an area.
    func check(ofBook id: String) throws {
        try boundingBox.check(ofBook: id)
        let corners = quad.corners
        let twice = corners.indices.reduce(0.0) { sum, index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return sum + a.x * b.y - b.x * a.y
        }
        guard abs(twice) / 2 >= Self.leastShare * boundingBox.width * boundingBox.height else {
            throw LibraryError.invalid(
                field: "quad of book \(id)", reason: "its corners hardly enclose an area. Move them apart.")
        }
    }

    /// The least area, as a share of the bounding box; a spine that leans by 45 degrees has more.
    private static let leastShare = 0.05
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
                box.x, box.y, box.width, box.height, try detection.quad.map(StoredJSON.text), detection.readTitle,
                detection.readAuthor, detection.readISBN,
                detection.confidence, detection.checked, try StoredJSON.text(detection.text),
                try StoredJSON.text(detection.matches), BookKey(try detection.details()).text, id,
            ])
    }
}
