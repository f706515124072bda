import Foundation
package import Imaging
package import ShelflistAPI

/// One photo of a scan with its books, to be imported into the library.
package struct ScanImport: Sendable {
    /// Names the scan: importing the same photo of the same scan again adds nothing.
    package var job: String
    /// The photo's place in the scan, from 0.
    ///
    /// It identifies a photo that is not stored.
    package var position: Int
    /// The photo as `storePhoto` stored it; nil where the picture is not kept.
    package var stored: StoredPhoto?
    /// The EXIF-upright photo.
    package var size: PixelSize
    package var books: [ScannedBook]
    /// Where the photo was taken, if the user said so.
    package var shelf: RowID<Shelf>?

    package init(
        job: String, position: Int = 0, stored: StoredPhoto?, size: PixelSize, books: [ScannedBook],
        shelf: RowID<Shelf>? = nil
    ) {
        self.job = job
        self.position = position
        self.stored = stored
        self.size = size
        self.books = books
        self.shelf = shelf
    }
}

/// What the reader made of one spine.
package struct ScannedBook: Sendable {
    /// Names the book within its photo and scan.
    package var id: String
    package var title: String?
    package var author: String?
    package var isbn: String?
    /// Probability, 0...1; without one, the book counts as verified.
    package var confidence: Double?
    /// Around the spine, as fractions of the EXIF-upright photo.
    package var boundingBox: UnitRect
    package var quad: UnitQuad?
    package var text: [ReadText]
    /// Best first.
    package var matches: [BookMatch]

    package init(
        id: String, title: String?, author: String? = nil, isbn: String? = nil, confidence: Double?,
        boundingBox: UnitRect, quad: UnitQuad? = nil, text: [ReadText] = [], matches: [BookMatch] = []
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.boundingBox = boundingBox
        self.quad = quad
        self.text = text
        self.matches = matches
    }
}

/// What an import did, book by book.
package struct ScanImportReport: Codable, Hashable, Sendable {
    package var books: [ImportedBook]

    package init(books: [ImportedBook] = []) { self.books = books }

    package func count(_ outcome: ImportedBook.Outcome) -> Int { books.count { $0.outcome == outcome } }
}

package struct ImportedBook: Codable, Hashable, Sendable {
    /// Its name in the scan.
    package var id: String
    package var outcome: Outcome
    package var detection: RowID<Detection>?
    package var entry: RowID<LibraryEntry>?
    /// Where it may be a duplicate: of this work.
    package var duplicateOf: RowID<Work>?

    package init(
        id: String, outcome: Outcome, detection: RowID<Detection>? = nil, entry: RowID<LibraryEntry>? = nil,
        duplicateOf: RowID<Work>? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.detection = detection
        self.entry = entry
        self.duplicateOf = duplicateOf
    }

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// In the library, nothing left to do.
        case verified
        /// In the library, and in the review queue.
        case needsReview
        /// Known: this copy was in the library before.
        case existing
        /// Another copy of a work in the library.
        case copy
        /// Left out as a duplicate.
        case skipped
        /// It waits: a person has to say whether it is a duplicate.
        case question
        /// This very scan, or this spot of this photo, was taken in before.
        case alreadyImported
        /// A person said of this spot of this photo that it is no book.
        case rejectedBefore
    }
}

/// What to do with a book that the library has already.
package enum DuplicateDecision: String, Codable, CaseIterable, Sendable {
    /// Leave it out.
    case skip
    /// It is a second copy.
    case addCopy
    /// It is the copy that is there.
    case existing
    /// It is another book.
    case different
}

extension ScannedBook {
    /// - Throws: `LibraryError.invalid` for a confidence or a place that cannot be.
    func check() throws {
        if let confidence, !(0...1).contains(confidence) {
            throw LibraryError.invalid(
                field: "confidence of book \(id)", reason: "it is \(confidence); a probability goes from 0 to 1.")
        }
        let box = boundingBox
        let isInside =
            [box.x, box.y, box.width, box.height].allSatisfy { (0...1).contains($0) }
            && box.width > 0 && box.height > 0 && box.x + box.width < 1.001 && box.y + box.height < 1.001
        guard isInside else {
            throw LibraryError.invalid(
                field: "boundingBox of book \(id)",
                reason: "it does not lie inside the photo (fractions from 0 to 1, origin top left).")
        }
        guard text.count <= 200, text.allSatisfy({ $0.text.count <= 5_000 }), matches.count <= 100 else {
            throw LibraryError.invalid(
                field: "book \(id)", reason: "it has more than 200 lines, 5,000 characters a line, or 100 matches.")
        }
    }
}
