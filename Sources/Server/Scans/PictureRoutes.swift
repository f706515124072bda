import Hummingbird
import Library
import Scans
import ShelflistAPI

/// The routes for the photos of a job and images made from them.
struct PictureRoutes: Sendable {
    let scans: ScanRoutes
    let pictures: JobPictures
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/scans/:job/photos/:n", needs: .job, costs: .picture) { request, context in
            let job = try await scans.job(context)
            let number = try ScanRoutes.photoNumber(context, limit: scans.jobs.limits.photosPerJob)
            guard let photo = try await pictures.original(number, of: job.id) else { throw Problem.notFound }
            return Response.cacheable(
                photo, type: "image/jpeg", tag: "\(job.id)-\(number)", maxAge: Self.maxAge, request: request)
        }
        table.add(.get, "api/v1/scans/:job/photos/:n/annotated", needs: .job, costs: .work) { request, context in
            try await picture(request, context) { try await pictures.annotated($0, of: $1) }
        }
        table.add(.get, "api/v1/scans/:job/photos/:n/segmented", needs: .job, costs: .work) { request, context in
            try await picture(request, context) { try await pictures.segmented($0, of: $1) }
        }
        table.add(.get, "api/v1/scans/:job/books/:book/crop", needs: .job, costs: .picture, crop)
    }

    /// Seconds.
    private static let maxAge = 3600

    /// Returns a picture of the books, which changes when they are identified again.
    private func picture(
        _ request: Request, _ context: AppContext, _ make: (Int, String) async throws -> [UInt8]?
    ) async throws -> Response {
        let job = try await scans.job(context)
        let number = try ScanRoutes.photoNumber(context, limit: scans.jobs.limits.photosPerJob)
        guard let photo = job.photos.first(where: { $0.index == number }) else { throw Problem.notFound }
        guard photo.status == .done, let jpeg = try await make(number, job.id) else {
            throw Problem(
                "not_ready", status: 409, title: "Not read yet",
                detail: "The image does not exist, because photo \(number) is \(photo.status.rawValue).",
                retryable: !photo.status.isFinal)
        }
        return .cacheable(
            jpeg, type: "image/jpeg", tag: EntityTag.of(bytes: jpeg), maxAge: 0, request: request)
    }

    private func crop(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await scans.job(context)
        let query = Query(request)
        let turn: SpineTurn = try query.choice("turn") ?? .none
        let size = try query.integer("size", in: 32...2000) ?? 800
        guard let book = context.parameters.get("book") else { throw Problem.notFound }
        var crop: [UInt8]?
        if let detection = try await added(book, of: job) {
            crop = try await library.spineJPEG(detection, turn: turn, longSide: size)
        } else {
            crop = try await pictures.crop(of: book, in: job.id, turn: turn, longSide: size)
        }
        guard let crop else { throw Problem.notFound }
        // The URL is the same when the outline was moved.
        return .cacheable(crop, type: "image/jpeg", tag: EntityTag.of(bytes: crop), maxAge: 0, request: request)
    }

    /// Returns the detection of a book that was added to the library and whose outline may have been moved there.
    private func added(_ id: String, of job: ScanJob) async throws -> RowID<Detection>? {
        guard let book = try await scans.jobs.log.book(id, of: job.id), let position = book.positions.first else {
            return nil
        }
        let scan = ScanImporter.scan(job: job.id, photo: position.photo)
        let detection = try await library.detection(ofBook: position.bookID, inScan: scan)
        guard let detection, detection.hasPicture, detection.boundingBox != book.book.boundingBox else { return nil }
        return detection.id
    }
}
