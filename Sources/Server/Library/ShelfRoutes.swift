import Foundation
import Hummingbird
import Library
import Scans
import ShelflistAPI

/// The routes for shelves and their photos.
struct ShelfRoutes: Sendable {
    let library: LibraryStore
    /// `nil` where photos are only those of the library.
    let scans: ScanRoutes?

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/shelves", needs: .viewer) { request, _ in try await shelves(Query(request)) }
        table.add(.post, "api/v1/shelves", needs: .editor, create)
        table.add(.post, "api/v1/shelves/import", needs: .editor) { request, _ in
            let csv = try await request.bytes(limit: Self.listLimit)
            let (imported, token) = try await library.undoable { try await $0.importShelves(csv) }
            return ImportedShelves(added: imported.added, changed: imported.changed, undoToken: token)
        }
        table.add(.get, "api/v1/shelves/:shelf", needs: .viewer) { _, context in
            LibraryShelf(try await shelf(context))
        }
        table.add(.patch, "api/v1/shelves/:shelf", needs: .editor, change)
        table.add(.delete, "api/v1/shelves/:shelf", needs: .editor) { _, context in
            let shelf: RowID<Shelf> = try context.row("shelf")
            let (books, token) = try await library.undoable { try await $0.remove(shelf) }
            return ActionOutcome(changed: books, undoToken: token)
        }
        table.add(.get, "api/v1/shelves/:shelf/photos", needs: .viewer, photos)
        table.add(.get, "api/v1/shelves/:shelf/spines", needs: .viewer) { _, context in
            try await library.shelfView(try context.row("shelf"))
        }
        table.add(.get, "api/v1/shelves/:shelf/audit", needs: .viewer, costs: .work, isHeavy: true) { _, context in
            try await library.audit(try context.row("shelf"))
        }
        table.add(.post, "api/v1/shelves/:shelf/audit", needs: .editor, audit)
        table.add(.post, "api/v1/shelves/:shelf/found", needs: .editor, found)
        table.add(.post, "api/v1/shelves/:shelf/inventory", needs: .editor, costs: .work, isHeavy: true, inventory)
        table.add(.get, "api/v1/labels", needs: .viewer, costs: .work, isHeavy: true, labels)
        table.add(.get, "api/v1/label-questions", needs: .viewer) { request, _ in
            let query = Query(request)
            let scan = try query.text("scan", maxLength: 200)
            return try Paging(query).page(of: try await library.labelQuestions(ofScan: scan)) { $0 }
        }
        table.add(.post, "api/v1/label-questions/:question", needs: .editor) { request, context in
            let answer: LabelAnswer = try await request.json()
            let question: RowID<LabelQuestion> = try context.row("question")
            let (count, token) = try await library.undoable { try await $0.answer(question, with: answer) }
            return ActionOutcome(changed: count, undoToken: token)
        }
        table.add(.get, "api/v1/photos/:photo", needs: .viewer) { _, context in
            let photo = try await library.photo(try context.row("photo"))
            let shelf = if let id = photo.shelf { try await library.shelf(id) } else { nil as Shelf? }
            return try await message(photo, shelf: shelf)
        }
        table.add(.get, "api/v1/photos/:photo/image", needs: .viewer, image)
    }

    func shelf(_ context: AppContext) async throws -> Shelf {
        try await library.shelf(try context.row("shelf"))
    }

    private func photos(_ request: Request, _ context: AppContext) async throws -> Page<PhotoMessage> {
        let paging = try Paging(Query(request))
        let shelf = try await shelf(context)
        let (photos, total) = try await library.photos(of: shelf.id, limit: paging.limit, offset: paging.offset)
        var messages: [PhotoMessage] = []
        for photo in photos { messages.append(try await message(photo, shelf: shelf)) }
        return paging.page(messages, total: total)
    }

    private func inventory(_ request: Request, _ context: AppContext) async throws -> ShelfInventory {
        let shelf = try await shelf(context)
        let wanted: InventoryRequestMessage = try await request.json()
        if let scans, let id = wanted.jobId, let job = try await scans.jobs.log.job(id),
            scans.accounts.allows(context.caller, toSee: job)
        {
            let results = try await scans.jobs.log.results(of: job.id)
            let imports = results.imports(of: job.id)
            var found = try await library.compareShelf(shelf.id, withUnadded: imports, at: job.createdAt)
            found.nameUnadded(in: [job.id: results])
            return found
        }
        if let since = wanted.since { return try await inventory(of: shelf.id, since: since, context.caller) }
        // Scans of the library; a job that expired may have been added to it.
        let latest = wanted.jobId == nil && wanted.scans == nil ? try await library.latestScan(of: shelf.id) : nil
        let names = wanted.scans ?? [wanted.jobId ?? latest].compactMap { $0 }
        guard names.count <= 100 else {
            throw Problem.invalidField("scans", "'scans' must have at most 100 entries.")
        }
        guard !names.isEmpty else { throw Self.notScanned }
        do {
            return try await library.compareShelf(shelf.id, with: names, isWhole: wanted.scans != nil)
        } catch LibraryError.notFound(let what) {
            throw Problem.invalidField(
                wanted.scans == nil ? "jobId" : "scans",
                "There is no \(what). It may have expired; scan the shelf again.")
        }
    }

    /// Compares the latest photos of each board since then with the books of a shelf, whether they were added or not.
    private func inventory(of shelf: RowID<Shelf>, since: Date, _ caller: Caller) async throws -> ShelfInventory {
        let unadded = try await unadded(of: shelf, since: since, caller)
        // Photos of the library say which copies they show.
        let added = try await library.views(of: shelf, since: since)
        let scans = Set(added.map(\.scan))
        let latest = ShelfPhotoView.latest(of: added + unadded.views.filter { !scans.contains($0.scan) })
        guard let first = latest.map(\.at).min() else { throw Self.notScanned }
        let names = latest.map(\.scan)
        var found = try await library.compareShelf(
            shelf, withUnadded: names.compactMap { unadded.imports[$0] },
            and: names.filter { unadded.imports[$0] == nil }, at: first)
        found.nameUnadded(in: unadded.results)
        return found
    }

    /// The photos of a shelf in scans that the server still has.
    private struct UnaddedPhotos {
        var results: [String: JobResults] = [:]
        /// By the name of the photo's scan in the library.
        var imports: [String: ScanImport] = [:]
        var views: [ShelfPhotoView] = []
    }

    private func unadded(of shelf: RowID<Shelf>, since: Date, _ caller: Caller) async throws -> UnaddedPhotos {
        var photos = UnaddedPhotos()
        guard let scans else { return photos }
        var before: Int?
        repeat {
            let page = try await scans.jobs.log.jobs(client: nil, active: false, before: before, limit: 100).jobs
            let recent = page.filter { $0.job.createdAt >= since }
            for (_, job) in recent where job.options.shelf == "\(shelf)" && scans.accounts.allows(caller, toSee: job) {
                let found = try await scans.jobs.log.results(of: job.id)
                photos.results[job.id] = found
                for photo in found.imports(of: job.id) {
                    photos.imports[photo.job] = photo
                    photos.views.append(
                        ShelfPhotoView(scan: photo.job, at: job.createdAt, titles: photo.books.compactMap(\.title)))
                }
            }
            before = recent.count == 100 ? recent.last?.number : nil
        } while before != nil
        return photos
    }

    private static let notScanned = Problem(
        "not_possible", status: 409, title: "Not possible",
        detail: "No photo of the library shows this shelf. Scan it and add its books.")

    private func found(_ request: Request, _ context: AppContext) async throws -> ActionOutcome {
        let wanted: FoundMessage = try await request.json()
        try Problem.check(ids: wanted.ids, atLeast: 1)
        let ids: [RowID<LibraryEntry>] = try wanted.ids.map(RowID.named)
        let shelf: RowID<Shelf> = try context.row("shelf")
        let (count, token) = try await library.undoable { try await $0.markFound(ids, on: shelf) }
        return ActionOutcome(changed: count, undoToken: token)
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

private struct InventoryRequestMessage: Decodable {
    /// A scan, whether it was added to the library or not.
    var jobId: String?
    /// Scans of the library that together show the whole shelf; the latest if neither is given.
    var scans: [String]?
    /// All photos of the shelf since then.
    var since: Date?
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
    @Null var shelf: ShelfReference?
    var width: Int
    var height: Int
    var takenAt: Date
    @Null var url: ServerPath?
    var detections: [Spine]

    init(_ photo: Photo, shelf: Shelf?, detections: [Detection]) {
        id = "\(photo.id)"
        self.shelf = shelf.map(ShelfReference.init)
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

private struct FoundMessage: Decodable {
    var ids: [String]
}

extension LibraryStore {
    /// Checks that a shelf exists.
    ///
    /// - Throws: `Problem` if it does not.
    func check(shelf: RowID<Shelf>) async throws {
        do {
            _ = try await self.shelf(shelf)
        } catch LibraryError.notFound {
            throw Problem.invalidField("shelf", "The shelf does not exist. Reload the list of shelves.")
        }
    }
}
