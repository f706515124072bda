package import Foundation
import GRDB

/// A person's word on a reading, for making the reader better.
package struct Feedback: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Feedback>
    package var at: Date
    package var detection: RowID<Detection>
    package var correct: Bool
    package var note: String?
    package var readTitle: String?
    package var readAuthor: String?
    package var confidence: Double?
    /// The spine as JPEG; nil where the photo was gone.
    package var crop: Data?
}

extension LibraryStore {
    /// Keeps a report on a detection, with the picture of the spine as it is now.
    ///
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    @discardableResult
    package func report(
        _ detection: RowID<Detection>, correct: Bool, note: String? = nil
    ) async throws -> RowID<Feedback> {
        let note = try CleanText.notes(note, field: "note")
        let reading = try await self.detection(detection)
        let picture = await spineIfThere(of: reading, detection)
        return try await write { change in
            try change.insert(
                """
                INSERT INTO feedback (at, detection, correct, note, readTitle, readAuthor, confidence, crop)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    change.milliseconds, detection, correct, note, reading.readTitle, reading.readAuthor,
                    reading.confidence, picture,
                ])
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
    package func feedback() async throws -> [Feedback] {
        try await read { try Feedback.fetchAll($0, sql: "SELECT * FROM feedback ORDER BY id") }
    }
}
