package import Foundation
package import ShelflistAPI

/// A stored photo of shelves.
package struct Photo: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Photo>
    /// The file name in the folder `photos`; `nil` once the photo was cleaned up.
    package var file: String?
    /// The file name of the smaller picture that stays in the folder `photos` when the photo is deleted.
    package var picture: String?
    /// The size of the original EXIF-upright photo, in pixels.
    package var width: Int
    package var height: Int
    package var shelf: RowID<Shelf>?
    package var addedAt: Date

    /// The name of the best file that shows the photo; `nil` if there is none.
    package var shownFile: String? { file ?? picture }
}

/// The reader's result for one spine, and its outcome in the library.
package struct Detection: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Detection>
    /// The scan that found the spine; `book` is its name in that scan.
    package var job: String
    package var book: String
    package var photo: RowID<Photo>
    package var entry: RowID<LibraryEntry>?
    package var outcome: Outcome
    /// Fractions of the EXIF-upright photo, origin top left.
    package var boundingBox: UnitRect
    /// The spine's outline; `nil` if the reader gave none.
    package var quad: UnitQuad?
    /// The title as read, or as in the matched record.
    package var readTitle: String?
    package var readAuthor: String?
    package var readISBN: String?
    /// An edit that was made before approval.
    package var editedTitle: String?
    package var editedAuthor: String?
    /// The user's version of a book that waits for the answer to a question; nil if it was not edited, and afterwards.
    package var edited: BookDetails?
    /// A probability, 0...1; `nil` if the reader gave none.
    package var confidence: Double?
    /// Whether a source of records was asked about the spine.
    package var checked: Bool
    package var text: [ReadText]
    /// The records that were considered, best first.
    package var matches: [BookMatch]
    /// Whether the spine can be shown: its photo, or a shelf picture made from it, is stored.
    package var hasPicture: Bool

    /// The edited title if there is one, otherwise the title read.
    package var resolvedTitle: String? { editedTitle ?? readTitle }
    /// The edited author if there is one, otherwise the author read.
    package var resolvedAuthor: String? { editedAuthor ?? readAuthor }

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// The detection is, or shows, a copy in the library.
        case entry
        /// The detection waits for the answer to a duplicate question.
        case pending
        /// The detection was skipped as a duplicate.
        case skipped
        /// The user rejected it as not a book.
        case rejected
        /// Its copy has been removed from the library.
        case removed
    }
}
