package import Bibliography
package import Imaging
package import ShelflistAPI

/// One photo of a scan with its books, to be imported into the library.
package struct ScanImport: Sendable {
    /// The name of the scan.
    ///
    /// Importing the same photo of the same scan again adds nothing.
    package var job: String
    /// The photo's place in the scan, from 0.
    ///
    /// It identifies a photo that is not stored.
    package var position: Int
    /// The stored photo; `nil` if the picture is not kept.
    package var stored: StoredPhoto?
    /// The size of the EXIF-upright photo, in pixels.
    package var size: PixelSize
    package var books: [DetectedBook]
    /// The spines of this photo whose books are imported with an earlier photo of the same scan.
    package var repeated: [RepeatedSpine]
    /// What the user made of the books before they are added, by the book's ID in the scan.
    package var edits: [String: ScanBookEdit]
    /// The records that sources found for the books before they are added, by the book's ID in the scan.
    package var records: [String: BookRecord] = [:]
    /// The shelf in the photo, if the user named it.
    package var shelf: RowID<Shelf>?
    /// The labels of shelves in the photo.
    package var labels: [ShelfLabel] = []
    /// Signs such as `796 SPORT` in the photo.
    package var signs: [TextInPhoto] = []
    /// The other text that belongs to no spine; nil if it is not known.
    package var looseLines: [TextInPhoto]?
    /// By how much the photo has to be rotated clockwise so that the shelf is upright.
    package var turn = QuarterTurn.none

    package init(
        job: String, position: Int = 0, stored: StoredPhoto?, size: PixelSize, books: [DetectedBook],
        repeated: [RepeatedSpine] = [], edits: [String: ScanBookEdit] = [:], shelf: RowID<Shelf>? = nil
    ) {
        (self.job, self.position, self.stored, self.size) = (job, position, stored, size)
        (self.books, self.repeated, self.edits, self.shelf) = (books, repeated, edits, shelf)
    }
}

/// A spine that an earlier photo of the same scan shows, too.
package struct RepeatedSpine: Hashable, Sendable {
    /// The name under which the earlier photo is imported.
    package var job: String
    /// The book's ID in the earlier photo.
    package var book: String
    /// The outline in this photo, as fractions of the EXIF-upright photo.
    package var boundingBox: UnitRect
    package var quad: UnitQuad

    package init(job: String, book: String, boundingBox: UnitRect, quad: UnitQuad) {
        (self.job, self.book, self.boundingBox, self.quad) = (job, book, boundingBox, quad)
    }
}

/// The result of an import, book by book.
package struct ScanImportReport: Codable, Hashable, Sendable {
    package var books: [ImportedBook]

    package init(books: [ImportedBook] = []) { self.books = books }

    package func count(_ outcome: ImportedBook.Outcome) -> Int { books.count { $0.outcome == outcome } }
}

package struct ImportedBook: Codable, Hashable, Sendable {
    /// The book's ID in the scan.
    package var id: String
    package var outcome: Outcome
    package var detection: RowID<Detection>?
    package var entry: RowID<LibraryEntry>?
    /// The work that it may duplicate.
    package var duplicateOf: RowID<Work>?

    package init(
        id: String, outcome: Outcome, detection: RowID<Detection>? = nil, entry: RowID<LibraryEntry>? = nil,
        duplicateOf: RowID<Work>? = nil
    ) {
        (self.id, self.outcome, self.detection) = (id, outcome, detection)
        (self.entry, self.duplicateOf) = (entry, duplicateOf)
    }

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// The book is in the library; nothing is left to do.
        case verified
        /// The book is in the library and in the review queue.
        case needsReview
        /// This copy was already in the library.
        case existing
        /// Another copy of a work in the library.
        case copy
        /// The book was skipped as a duplicate.
        case skipped
        /// The book waits: the user has to decide whether it is a duplicate.
        case needsDecision = "question"
        /// The same scan, or this position in this photo, was imported before.
        case alreadyImported
        /// The user rejected this position in this photo as not a book.
        case rejectedBefore
    }
}

extension DetectedBook {
    /// - Throws: `LibraryError.invalid` for a confidence or a box out of range.
    func check() throws {
        guard (0...1).contains(confidence) else {
            throw LibraryError.invalid(
                field: "confidence of book \(id)", reason: "it is \(confidence); a probability goes from 0 to 1.")
        }
        try boundingBox.check(ofBook: id)
        guard text.count <= 200, text.allSatisfy({ $0.text.utf8.count <= 5_000 }), matches.count <= 100 else {
            throw LibraryError.invalid(
                field: "book \(id)", reason: "it has more than 200 lines, 5,000 bytes a line, or 100 matches.")
        }
    }
}

extension UnitRect {
    /// - Throws: `LibraryError.invalid` for a box that is empty or not inside the photo.
    func check(ofBook id: String) throws {
        let isInside =
            [x, y, width, height].allSatisfy { (0...1).contains($0) }
            && width > 0 && height > 0 && x + width < 1.001 && y + height < 1.001
        guard isInside else {
            throw LibraryError.invalid(
                field: "boundingBox of book \(id)",
                reason: "it does not lie inside the photo (fractions from 0 to 1, origin top left).")
        }
    }
}
