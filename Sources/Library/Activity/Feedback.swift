package import Foundation
import GRDB

/// A user's report on a detection, kept for improving the reader.
package struct Feedback: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Feedback>
    package var at: Date
    package var detection: RowID<Detection>
    package var correct: Bool
    package var note: String?
    package var readTitle: String?
    package var readAuthor: String?
    package var confidence: Double?
    /// The picture of the spine as JPEG; `nil` if the photo was gone.
    package var crop: Data?
}

extension LibraryStore {
    /// Stores a report on a detection, with the current picture of the spine.
    ///
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    @discardableResult
    package func report(
        _ detection: RowID<Detection>, correct: Bool, note: String? = nil
    ) async throws -> RowID<Feedback> {
        let note = try CleanText.notes(note, field: "note")
        let reading = try await self.detection(detection)
        // Nil if the photo is gone or damaged: the report is worth keeping without it.
        let picture = (try? await spineJPEG(detection)).map { Data($0) }
        return try await write { db in
            try db.insert(
                """
                INSERT INTO feedback (at, detection, correct, note, readTitle, readAuthor, confidence, crop)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    db.milliseconds, detection, correct, note, reading.readTitle, reading.readAuthor,
                    reading.confidence, picture,
                ])
        }
    }

    /// Returns the reports, oldest first.
    package func feedback() async throws -> [Feedback] {
        try await read { try Feedback.fetchAll($0, sql: "SELECT * FROM feedback ORDER BY id") }
    }
}
