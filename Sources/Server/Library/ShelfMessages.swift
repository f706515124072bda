import Foundation
import Hummingbird
import Library
import Scanning
import ShelflistAPI

/// A shelf as its photos show it.
struct ShelfViewMessage: ResponseEncodable {
    struct Spine: Encodable {
        var entry: EntryMessage
        var state: String
        var detectionId: String
        var photoId: String
        @Null var cropUrl: ServerPath?
        var width: Int
        var height: Int

        init(_ spine: ShelfSpine) {
            entry = EntryMessage(spine.entry)
            state = spine.state.rawValue
            detectionId = "\(spine.detection.id)"
            photoId = "\(spine.detection.photo)"
            cropUrl = PictureURL.crop(spine.detection)
            width = spine.width
            height = spine.height
        }
    }

    var shelfId: String
    @Null var scannedAt: Date?
    var boards: [[Spine]]
    var unseen: [EntryMessage]

    init(_ view: ShelfView) {
        shelfId = "\(view.shelf.id)"
        scannedAt = view.scannedAt
        boards = view.boards.map { $0.map(Spine.init) }
        unseen = view.unseen.map(EntryMessage.init)
    }
}

/// A scan of a shelf compared with its books.
struct InventoryMessage: ResponseEncodable {
    /// A book of the scan that is not in the library.
    struct Unadded: Encodable {
        @Null var bookId: String?
        @Null var title: String?
        @Null var author: String?
        var confidence: Double
        @Null var cropUrl: ServerPath?
    }

    var shelfId: String
    var isFirst: Bool
    var present: [EntryMessage]
    var new: [EntryMessage]
    var missing: [EntryMessage]
    var lent: [EntryMessage]
    var moved: [EntryMessage]
    var notAdded: [Unadded]
    var questions: [DuplicateMessage]

    /// - Parameter results: those of the scan, if they are still here.
    init(_ found: ShelfComparison, _ results: JobResults?, job: String) {
        shelfId = "\(found.shelf.id)"
        isFirst = found.isFirst
        present = found.present.map(EntryMessage.init)
        new = found.new.map(EntryMessage.init)
        missing = found.missing.map(EntryMessage.init)
        lent = found.lent.map(EntryMessage.init)
        moved = found.moved.map(EntryMessage.init)
        notAdded = found.notAdded.map { book in
            let name = results?.books.first { candidate in
                candidate.positions.first.map {
                    $0.bookID == book.book && ScanImporter.scan(job: job, photo: $0.photo) == book.job
                } ?? false
            }?.id
            return Unadded(
                bookId: name, title: book.title, author: book.author, confidence: book.confidence,
                cropUrl: name.map { JobURLs(job).crop(of: $0) })
        }
        questions = found.questions.map { DuplicateMessage($0) }
    }
}
