package import Foundation
import GRDB
package import ShelflistAPI

/// A user's report on a detection, kept on this machine for improving the reader.
package struct Feedback: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Feedback>
    package var at: Date
    /// The detection in the library; `nil` if the book was reported from a scan that was not imported.
    package var detection: RowID<Detection>?
    /// The scan that found the spine, and the book's name in it.
    package var job: String
    package var book: String
    package var correct: Bool
    package var problem: SpineProblem?
    package var note: String?
    package var readTitle: String?
    package var readAuthor: String?
    package var confidence: Double?
    /// What the spine says, if the user gave it.
    package var rightTitle: String?
    package var rightAuthor: String?
    package var rightISBN: String?
    /// The picture of the spine as JPEG; `nil` if neither photo nor shelf picture was stored.
    package var crop: Data?
}

extension SpineReport {
    /// - Throws: `LibraryError.invalid`.
    fileprivate func cleaned() throws -> SpineReport {
        var report = self
        report.note = try CleanText.notes(note, field: "note")
        report.right?.title = try CleanText.line(right?.title, field: "right.title")
        report.right?.author = try CleanText.line(right?.author, field: "right.author")
        return report
    }
}

extension LibraryStore {
    /// Stores a report on a detection, with the current picture of the spine.
    ///
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    @discardableResult
    package func report(
        _ detection: RowID<Detection>, _ report: SpineReport
    ) async throws -> RowID<Feedback> {
        let report = try report.cleaned()
        let reading = try await self.detection(detection)
        // Nil if the picture is gone or damaged: the report is worth keeping without it.
        let picture = (try? await spineJPEG(detection)).map { Data($0) }
        return try await write { db in
            try db.insert(
                report, on: .init(reading), picture: picture)
        }
    }

    /// Stores a report on a book of a scan, whether the library has the book or not.
    ///
    /// - Parameters:
    ///   - scan: the name under which the book's photo is or would be imported.
    ///   - crop: the picture of the spine as JPEG.
    /// - Throws: `LibraryError.invalid`.
    @discardableResult
    package func report(
        _ book: DetectedBook, ofScan scan: String, crop: [UInt8]?, _ report: SpineReport
    ) async throws -> RowID<Feedback> {
        let report = try report.cleaned()
        return try await write { db in
            let detection = try RowID<Detection>.fetchOne(
                db, sql: "SELECT id FROM detection WHERE job = ? AND book = ?", arguments: [scan, book.id])
            let reading = ReportedReading(
                detection: detection, job: scan, book: book.id, title: book.title, author: book.author,
                confidence: book.confidence)
            return try db.insert(report, on: reading, picture: crop.map { Data($0) })
        }
    }

    /// Returns the reports, oldest first.
    package func feedback(since date: Date? = nil) async throws -> [Feedback] {
        try await read {
            try Feedback.fetchAll(
                $0, sql: "SELECT * FROM feedback WHERE at >= ? ORDER BY id", arguments: [date?.milliseconds ?? 0])
        }
    }
}

/// What was read from a reported spine.
private struct ReportedReading {
    var detection: RowID<Detection>?
    var job: String
    var book: String
    var title: String?
    var author: String?
    var confidence: Double?
}

extension ReportedReading {
    init(_ detection: Detection) {
        self.init(
            detection: detection.id, job: detection.job, book: detection.book, title: detection.readTitle,
            author: detection.readAuthor, confidence: detection.confidence)
    }
}

extension Database {
    fileprivate func insert(
        _ report: SpineReport, on reading: ReportedReading, picture: Data?
    ) throws -> RowID<Feedback> {
        try insert(
            """
            INSERT INTO feedback (at, detection, job, book, correct, problem, note, readTitle, readAuthor, confidence,
                rightTitle, rightAuthor, rightISBN, crop) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                milliseconds, reading.detection, reading.job, reading.book, report.correct == true,
                report.problem?.rawValue,
                report.note, reading.title, reading.author, reading.confidence, report.right?.title,
                report.right?.author,
                report.right?.isbn, picture,
            ])
    }
}
