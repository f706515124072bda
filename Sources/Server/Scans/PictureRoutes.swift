import Hummingbird
import Library
import Scanning
import ShelflistAPI

/// The routes for the photos of a job and images made from them.
struct PictureRoutes: Sendable {
    let scans: ScanRoutes
    let pictures: JobPictures

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/scans/:job/photos/:n", needs: .job) { request, context in
            let job = try await scans.job(context)
            let number = try ScanRoutes.photoNumber(context, limit: scans.jobs.limits.photosPerJob)
            guard let photo = try await pictures.original(number, of: job.id) else { throw Problem.notFound }
            return Response.cacheable(
                photo.bytes, type: photo.type, tag: "\(job.id)-\(number)", maxAge: Self.maxAge, request: request)
        }
        table.add(.get, "api/v1/scans/:job/photos/:n/annotated", needs: .job) { request, context in
            try await picture(request, context) { try await pictures.annotated($0, of: $1) }
        }
        table.add(.get, "api/v1/scans/:job/photos/:n/segmented", needs: .job) { request, context in
            try await picture(request, context) { try await pictures.segmented($0, of: $1) }
        }
        table.add(.get, "api/v1/scans/:job/books/:book/crop", needs: .job, crop)
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
        guard let book = context.parameters.get("book"),
            let jpeg = try await pictures.crop(of: book, in: job.id, turn: turn, longSide: size)
        else { throw Problem.notFound }
        return .cacheable(
            jpeg, type: "image/jpeg", tag: EntityTag.of(bytes: jpeg), maxAge: Self.maxAge, request: request)
    }
}
