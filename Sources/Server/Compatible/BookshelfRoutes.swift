import Bibliography
import Foundation
import Hummingbird
import Imaging
import Library
import Scanning
import ShelflistAPI

/// The routes of the app that posts to `/api/scan-bookshelf` and follows `/ws/progress`.
struct BookshelfRoutes: Sendable {
    let scans: ScanRoutes
    let search: SearchRoutes

    func add(to table: inout RouteTable) {
        table.add(.post, "api/scan-bookshelf", needs: .device, costs: .work, upload)
        table.add(.post, "api/scan-bookshelf/batch", needs: .device, costs: .work, upload)
        table.add(.get, "scan/status", needs: .appJob) { request, context in
            guard let id = try Query(request).text("jobId", maxLength: 100), let job = try await scans.jobs.job(id),
                ScanRoutes.may(context.caller, see: job)
            else { throw Problem.notFound }
            return BookshelfProtocol.status(scans.message(job))
        }
        table.add(.get, "scan/results/:job", needs: .appJob, results)
        table.add(.get, "search/advanced", needs: .device) { request, _ in
            Envelope(data: AdvancedResults(try await search.find(AdvancedSearch(Query(request)))))
        }
    }

    private func upload(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let upload = try await CompatibleUpload.receive(request, jobs: scans.jobs)
        let wanted = try Query(request).text("jobId", maxLength: 100).flatMap(UUID.init(uuidString:))?
            .uuidString.lowercased()
        // A repeated upload with the same job identifier returns the same job.
        let key = try ScanRoutes.header(.idempotencyKey, of: request) ?? wanted
        let (job, _) = try await scans.jobs.accept(
            upload.photos, id: wanted, client: try ScanRoutes.client(of: request, context), key: key,
            options: JobOptions(importsResults: context.caller.importsAtOnce, app: .bookshelf))
        let accepted = scans.accepted(job)
        return UploadAnswer(
            jobId: job.id, token: accepted.token, totalPhotos: upload.photos.count,
            websocketUrl: context.address(of: accepted.webSocketUrl, as: .webSocket),
            statusUrl: context.address(of: "/scan/status?jobId=\(job.id)", as: .http)
        ).with(.accepted)
    }

    private func results(_ request: Request, _ context: AppContext) async throws -> Envelope<BookshelfResults> {
        let job = try await scans.job(context)
        let results = try await scans.jobs.results(of: job.id)
        let books = results.books.map { CompatibleBook($0, base: context.base, isFinal: job.isFinished) }
        let summary = results.summary(of: job)
        return Envelope(
            data: BookshelfResults(
                totalDetected: books.count, approved: books.count - job.needsReview, needsReview: job.needsReview,
                books: books, processingTime: Int(summary.seconds * 1000)))
    }
}

private struct UploadAnswer: ResponseEncodable {
    var success = true
    var jobId: String
    var token: String
    var status = "processing"
    var totalPhotos: Int
    var websocketUrl: String
    var statusUrl: String
}

/// A successful response of the older apps' protocols.
struct Envelope<Data: Encodable>: ResponseEncodable {
    var success = true
    var data: Data
}

private struct BookshelfResults: Encodable {
    var totalDetected: Int
    var approved: Int
    var needsReview: Int
    var books: [CompatibleBook]
    var processingTime: Int
}

private struct AdvancedResults: Encodable {
    struct Work: Encodable {
        var title: String
        var subtitle: String?
        var authors: [String]
        var firstPublicationYear: Int?
    }

    struct Edition: Encodable {
        var title: String
        var isbn: String?
        var publisher: String?
        var publicationDate: String?
        var pageCount: Int?
    }

    var works: [Work]
    var editions: [Edition]
    var authors: [[String: String]]

    init(_ found: SearchMessage) {
        var names: [String] = []
        for name in found.items.flatMap(\.authors) where !names.contains(name) { names.append(name) }
        works = found.items.map {
            Work(title: $0.title, subtitle: $0.subtitle, authors: $0.authors, firstPublicationYear: $0.year)
        }
        editions = found.items.map {
            Edition(
                title: $0.title, isbn: $0.isbn, publisher: $0.publisher, publicationDate: $0.year.map(String.init),
                pageCount: $0.pages)
        }
        authors = names.map { ["name": $0] }
    }
}

/// Receives photos in the forms that the older apps send: multipart, a single image, or JSON with Base64.
enum CompatibleUpload {
    /// JSON bodies are kept in memory as a whole.
    private static let maxJSONBytes = 30_000_000

    private struct Images: Decodable {
        struct Image: Decodable {
            var data: String
        }

        var images: [Image]
    }

    static func receive(_ request: Request, jobs: ScanJobs) async throws -> PhotoUpload {
        let type = request.mediaType ?? ""
        switch type {
        case "multipart/form-data":
            return try await PhotoUpload.receive(request, files: jobs.files, limits: jobs.limits)
        case "application/json":
            let images = try await request.json(Images.self, limit: maxJSONBytes).images
            var upload = PhotoUpload()
            do {
                guard images.count <= jobs.limits.photosPerJob else {
                    throw JobError.tooManyPhotos(limit: jobs.limits.photosPerJob)
                }
                for image in images {
                    // Some apps send `data:image/jpeg;base64,…`.
                    let text = image.data.split(separator: ",").last.map(String.init) ?? ""
                    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                        throw Problem.invalidField(
                            "images", "The 'data' of an image is not valid Base64. Encode the image again.")
                    }
                    let incoming = try jobs.files.receive(limit: jobs.limits.photo.maxBytes)
                    try incoming.append([UInt8](data))
                    upload.photos.append(try incoming.close())
                }
            } catch {
                upload.discard(jobs.files)
                throw error
            }
            return upload
        default:
            guard type.hasPrefix("image/") || type == "application/octet-stream" else {
                throw Problem.unsupportedMediaType("multipart/form-data or an image")
            }
            let photo = try await PhotoUpload.receivePicture(request, files: jobs.files, limits: jobs.limits)
            return PhotoUpload(photos: [photo])
        }
    }
}

/// A book in the format of the older apps.
struct CompatibleBook: Encodable {
    var title: String
    var author: String
    var isbn: String?
    var coverUrl: String?
    var publisher: String?
    var publishedDate: String?
    var pageCount: Int?
    var confidence: Double
    /// `nil` if the book was not looked up.
    var enrichmentStatus: String?
    var boundingBox: UnitRect
    var reviewStatus: String

    /// - Parameter isFinal: whether the lookup of the book has ended.
    init(_ found: ScanBook, base: BaseAddress, isFinal: Bool) {
        let more = found.metadata?.record
        title = found.book.title ?? ""
        author = found.book.author ?? ""
        isbn = found.book.isbn ?? more?.isbn
        coverUrl = (more?.coverURL?.absoluteString).map { $0.hasPrefix("/") ? base.address(of: $0, as: .http) : $0 }
        publisher = more?.publisher
        publishedDate = more?.year.map(String.init)
        pageCount = more?.pages
        confidence = found.book.confidence
        enrichmentStatus =
            switch found.enrichment {
            case .enriched: "success"
            case .notFound: "not_found"
            case .failed: "error"
            case .none, .pending: isFinal ? nil : "pending"
            }
        boundingBox = found.book.boundingBox
        reviewStatus = found.book.reviewStatus.rawValue
    }
}
