import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Identification
import Imaging
import Scanning
import WireProtocol

/// Outlines the spines of a viewfinder frame; nothing is kept.
struct PreviewRoutes: Sendable {
    let jobs: ScanJobs

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/preview", needs: .scanner, costs: .preview, preview)
    }

    private static let maxBytes = 1_000_000

    @Sendable private func preview(_ request: Request, _ context: AppContext) async throws -> Response {
        let type = request.headers[.contentType].map { HeaderParameters($0).value.lowercased() }
        guard type?.hasPrefix("image/") ?? false else { throw Problem.unsupportedMediaType("image/jpeg") }
        let bytes = try await request.bytes(limit: Self.maxBytes)
        do {
            return try .json(PreviewMessage(try await jobs.preview(bytes)))
        } catch let error as ImageError {
            throw Problem("not_an_image", status: 415, title: "Not a photo", detail: error.message)
        } catch JobError.busy {
            throw Problem.rateLimited(
                .seconds(1), code: "reader_busy", detail: "A photo is being read. The outlines come back after it.")
        }
    }
}

private struct PreviewMessage: Encodable {
    struct Spine: Encodable {
        var quad: QuadMessage
        var boundingBox: BoxMessage
        var text: [TextMessage]
    }

    var width: Int
    var height: Int
    var spines: [Spine]
    var quality: PhotoQuality
    var seconds: Double

    init(_ photo: ScannedPhoto) {
        (width, height, quality, seconds) = (photo.width, photo.height, photo.quality, photo.seconds)
        spines = photo.books.map { book in
            Spine(
                quad: QuadMessage(book.quad), boundingBox: BoxMessage(book.boundingBox),
                text: book.text.map { TextMessage(text: $0.text, score: $0.score) })
        }
    }
}
