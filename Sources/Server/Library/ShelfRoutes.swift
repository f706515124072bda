import Foundation
import Hummingbird
import Library
import Scanning
import ShelflistAPI

/// The routes for shelves and their photos.
struct ShelfRoutes: Sendable {
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/shelves", needs: .viewer) { request, _ in
            let paging = try Paging(Query(request))
            return paging.page(of: try await library.shelves(), ShelfMessage.init)
        }
        table.add(.post, "api/v1/shelves", needs: .editor) { request, _ in
            let new: ShelfNameMessage = try await request.json()
            let shelf = try await library.shelf(named: new.name)
            return ShelfMessage(shelf).created(at: "/api/v1/shelves/\(shelf.id)")
        }
        table.add(.get, "api/v1/shelves/:shelf", needs: .viewer) { _, context in
            ShelfMessage(try await shelf(context))
        }
        table.add(.patch, "api/v1/shelves/:shelf", needs: .editor) { request, context in
            let shelf = try await shelf(context)
            try EntityTag.check(request, current: ShelfMessage(shelf).etag)
            let new: ShelfNameMessage = try await request.json()
            return ShelfMessage(try await library.rename(shelf.id, to: new.name, ifNamed: shelf.name))
        }
        table.add(.delete, "api/v1/shelves/:shelf", needs: .editor) { _, context in
            let shelf = try await shelf(context)
            try await library.remove(shelf.id)
            return ActionMessage(changed: shelf.entries, undoToken: nil)
        }
        table.add(.get, "api/v1/shelves/:shelf/photos", needs: .viewer, photos)
        table.add(.post, "api/v1/shelves/:shelf/inventory", needs: .editor, inventory)
        table.add(.get, "api/v1/photos/:photo", needs: .viewer) { _, context in
            let photo = try await library.photo(try context.row("photo"))
            let shelf = if let id = photo.shelf { try await library.shelf(id) } else { nil as Shelf? }
            return try await message(photo, shelf: shelf)
        }
        table.add(.get, "api/v1/photos/:photo/image", needs: .viewer, image)
    }

    private func shelf(_ context: AppContext) async throws -> Shelf {
        try await library.shelf(try context.row("shelf"))
    }

    private func photos(_ request: Request, _ context: AppContext) async throws -> PageMessage<PhotoMessage> {
        let paging = try Paging(Query(request))
        let shelf = try await shelf(context)
        let photos = try await library.photos(of: shelf.id)
        var messages: [PhotoMessage] = []
        for photo in paging.slice(photos) { messages.append(try await message(photo, shelf: shelf)) }
        return paging.page(messages, total: photos.count)
    }

    private func inventory(_ request: Request, _ context: AppContext) async throws -> InventoryMessage {
        let shelf = try await shelf(context)
        let wanted: InventoryRequestMessage = try await request.json()
        // Each photo of a job is a separate import.
        let jobs = (1...5).map { ScanImporter.scan(job: wanted.jobId, photo: $0) }
        let found = try await library.compareShelf(shelf.id, with: jobs)
        return InventoryMessage(found)
    }

    // MARK: Photos

    private func message(_ photo: Photo, shelf: Shelf?) async throws -> PhotoMessage {
        PhotoMessage(photo, shelf: shelf, detections: try await library.detections(in: photo.id))
    }

    private func image(_ request: Request, _ context: AppContext) async throws -> Response {
        let photo = try await library.photo(try context.row("photo"))
        guard let file = photo.shownFile else { throw Problem.notFound }
        do {
            return .cacheable(
                [UInt8](try Data(contentsOf: library.folder.photo(file))), type: "image/jpeg", tag: file,
                maxAge: 24 * 3600, request: request)
        } catch CocoaError.fileReadNoSuchFile {
            // The photo was deleted after its row was read.
            throw Problem.notFound
        }
    }
}

private struct ShelfNameMessage: Decodable {
    var name: String
}

private struct InventoryRequestMessage: Decodable {
    var jobId: String
}

struct ShelfMessage: TaggedMessage {
    var id: String
    var name: String
    var entries: Int
    var etag: String

    init(_ shelf: Shelf) {
        id = "\(shelf.id)"
        name = shelf.name
        entries = shelf.entries
        etag = EntityTag.of(bytes: Data("\(shelf.id) \(shelf.name)".utf8))
    }
}

private struct PhotoMessage: ResponseEncodable {
    struct Spine: Encodable {
        var detectionId: String
        @Null var entryId: String?
        @Null var title: String?
        var boundingBox: UnitRect
        var quad: UnitQuad?
        var outcome: String
    }

    var id: String
    @Null var shelf: ShelfRefMessage?
    var width: Int
    var height: Int
    var takenAt: Date
    @Null var url: String?
    var detections: [Spine]

    init(_ photo: Photo, shelf: Shelf?, detections: [Detection]) {
        id = "\(photo.id)"
        self.shelf = shelf.map { ShelfRefMessage(id: "\($0.id)", name: $0.name) }
        width = photo.width
        height = photo.height
        takenAt = photo.addedAt
        url = photo.shownFile == nil ? nil : PictureURL.photo(photo.id)
        self.detections = detections.map {
            Spine(
                detectionId: "\($0.id)", entryId: $0.entry.map { "\($0)" }, title: $0.resolvedTitle,
                boundingBox: $0.boundingBox, quad: $0.quad?.inFourDigits,
                outcome: $0.outcome.rawValue)
        }
    }
}

private struct InventoryMessage: ResponseEncodable {
    var shelfId: String
    var present: [EntryMessage]
    var new: [EntryMessage]
    var missing: [EntryMessage]
    var lent: [EntryMessage]
    var moved: [EntryMessage]
    var questions: [DuplicateMessage]

    init(_ found: ShelfComparison) {
        shelfId = "\(found.shelf.id)"
        present = found.present.map(EntryMessage.init)
        new = found.new.map(EntryMessage.init)
        missing = found.missing.map(EntryMessage.init)
        lent = found.lent.map(EntryMessage.init)
        moved = found.moved.map(EntryMessage.init)
        questions = found.questions.map(DuplicateMessage.init)
    }
}

extension LibraryStore {
    /// Checks that a shelf exists.
    ///
    /// - Throws: `Problem` if it does not.
    func check(shelf: RowID<Shelf>) async throws {
        guard try await shelves().contains(where: { $0.id == shelf }) else {
            throw Problem.invalidField("shelf", "The shelf does not exist. Reload the list of shelves.")
        }
    }
}
