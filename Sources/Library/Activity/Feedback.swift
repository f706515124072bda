public import Foundation
import GRDB

/// A person's word on a reading, for making the reader better.
public struct Feedback: Identifiable, Hashable, Codable, Sendable {
    public var id: RowID<Feedback>
    public var at: Date
    public var detection: RowID<Detection>
    public var correct: Bool
    public var note: String?
    public var readTitle: String?
    public var readAuthor: String?
    public var confidence: Double?
    /// The spine as JPEG; nil where the photo was gone.
    public var crop: Data?
}

extension LibraryStore {
    /// Keeps a report on a detection, with the picture of the spine as it is now.
    ///
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    @discardableResult
    public func report(
        _ detection: RowID<Detection>, correct: Bool, note: String? = nil
    ) async throws -> RowID<Feedback> {
        let note = try CleanText.notes(note, field: "note")
        let reading = try await self.detection(detection)
        let picture = await spineIfThere(of: reading, detection)
        return try await write { change in
            RowID(
                try change.insert(
                    """
                    INSERT INTO feedback (at, detection, correct, note, readTitle, readAuthor, confidence, crop)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        change.milliseconds, detection.rawValue, correct, note, reading.readTitle, reading.readAuthor,
                        reading.confidence, picture,
                    ]))
        }
    }

    /// A report is worth keeping without its picture: the photo may be gone or damaged.
    private func spineIfThere(of reading: Detection, _ detection: RowID<Detection>) async -> Data? {
        do {
            guard try await photo(reading.photo).file != nil else { return nil }
            return Data(try await spineJPEG(detection))
        } catch {
            return nil
        }
    }

    /// The reports, oldest first.
    public func feedback() async throws -> [Feedback] {
        try await read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM feedback ORDER BY id").map { row in
                Feedback(
                    id: RowID(row["id"]), at: Date(milliseconds: row["at"]), detection: RowID(row["detection"]),
                    correct: row["correct"], note: row["note"], readTitle: row["readTitle"],
                    readAuthor: row["readAuthor"], confidence: row["confidence"], crop: row["crop"])
            }
        }
    }
}
