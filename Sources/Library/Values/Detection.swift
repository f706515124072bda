import Bibliography
package import Foundation
import Imaging
package import ShelflistAPI

/// A stored photo of shelves.
package struct Photo: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Photo>
    /// Name of a file in the folder `photos`; nil once the photo was cleaned up.
    package var file: String?
    /// Pixels of the EXIF-upright photo as it came.
    package var width: Int
    package var height: Int
    package var shelf: RowID<Shelf>?
    package var addedAt: Date
}

/// What the reader made of one spine, and what became of it.
package struct Detection: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<Detection>
    /// The scan that found it, and the book's name there.
    package var job: String
    package var book: String
    package var photo: RowID<Photo>
    package var entry: RowID<LibraryEntry>?
    package var outcome: Outcome
    /// Fractions of the EXIF-upright photo, origin top left.
    package var boundingBox: UnitRect
    /// The spine's outline; the box where the reader gave none.
    package var quad: UnitQuad?
    /// As read, or as the matched record had it.
    package var readTitle: String?
    package var readAuthor: String?
    package var readISBN: String?
    /// An edit that was made before approval.
    package var editedTitle: String?
    package var editedAuthor: String?
    /// Probability, 0...1; nil where the reader gave none.
    package var confidence: Double?
    package var text: [ReadText]
    /// Records that were considered, best first.
    package var matches: [BookMatch]

    /// The edit if there is one, else what was read.
    package var resolvedTitle: String? { editedTitle ?? readTitle }
    /// The edit if there is one, else what was read.
    package var resolvedAuthor: String? { editedAuthor ?? readAuthor }

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// It is, or shows, a copy in the library.
        case entry
        /// It waits for the answer to a question on duplicates.
        case pending
        /// It was left out as a duplicate.
        case skipped
        /// A person said that it is no book.
        case rejected
        /// Its copy was taken out of the library since.
        case removed
    }
}
