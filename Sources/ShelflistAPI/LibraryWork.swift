package import Bibliography
public import Foundation

/// A work with its editions and copies.
package struct LibraryWork: Codable, Hashable, Identifiable, Sendable {
    package var id: String
    package var title: String
    @Null package var subtitle: String?
    package var authors: [AuthorCredit]
    @Null package var series: String?
    /// Its number in the series: `3`, `2.5` or `1-3`.
    package var seriesNumber: String?
    @Null package var coverUrl: ServerPath?
    package var reviewStatus: ReviewStatus
    package var editions: [LibraryEdition]
    package var entries: [LibraryBook]
    /// The identifiers of the spines that show the work.
    package var detections: [String]
    /// The version of the work, to be sent with changes.
    package var etag: String
    /// Of the change that the message answers.
    package var undoToken: String?

    package init(id: String, title: String, authors: [AuthorCredit], reviewStatus: ReviewStatus, etag: String) {
        (self.id, self.title, self.authors) = (id, title, authors)
        (self.reviewStatus, self.etag) = (reviewStatus, etag)
        (editions, entries, detections) = ([], [], [])
    }
}

/// One publication of a work.
package struct LibraryEdition: Codable, Hashable, Identifiable, Sendable {
    package var id: String
    package var workId: String
    @Null package var isbn: String?
    @Null package var publisher: String?
    @Null package var year: Int?
    @Null package var pages: Int?
    @Null package var format: String?
    @Null package var language: String?
    @Null package var coverUrl: ServerPath?

    package init(id: String, workId: String) { (self.id, self.workId) = (id, workId) }
}

/// A decision about a work, or an automatic change.
public struct WorkEvent: Codable, Hashable, Sendable {
    public var time: Date
    @Known public var action: ReviewJudgement?
    public var before: [String: String?]
    public var after: [String: String?]
    public var undone: Bool

    public init(
        time: Date, action: ReviewJudgement, before: [String: String?], after: [String: String?], undone: Bool
    ) {
        (self.time, self.action, self.before, self.after, self.undone) = (time, action, before, after, undone)
    }
}
