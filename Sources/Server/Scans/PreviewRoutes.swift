import Hummingbird
import Imaging
import Reading
import Scans
import ShelflistAPI

/// Outlines the spines of a viewfinder frame, which is not stored.
struct PreviewRoutes: Sendable {
    let jobs: ScanJobs

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/preview", needs: .scanner, costs: .preview, preview)
    }

    private func preview(_ request: Request, _ context: AppContext) async throws -> PreviewMessage {
        guard request.mediaType?.hasPrefix("image/") ?? false else { throw Problem.unsupportedMediaType("image/jpeg") }
        let bytes = try await request.bytes(limit: jobs.limits.frame.maxBytes)
        do {
            return PreviewMessage(try await jobs.runner.preview(bytes))
        } catch let error as ImageError {
            switch error.code {
            case .tooManyPixels:
                throw Problem(
                    "too_many_pixels", status: 413, title: "Frame too large", detail: error.message,
                    limit: jobs.limits.frame.maxPixels)
            case .outOfMemory, .notEncodable: throw error  // not caused by the frame
            default: throw Problem("not_an_image", status: 415, title: "Not a photo", detail: error.message)
            }
        } catch JobError.busy {
            throw Problem.rateLimited(
                .seconds(1), code: "reader_busy", detail: "A photo is being read. Outlines resume after it.")
        }
    }
}

private struct PreviewMessage: ResponseEncodable {
    struct Spine: Encodable {
        var quad: UnitQuad
        var boundingBox: UnitRect
        var text: [ReadText]
    }

    var width: Int
    var height: Int
    var spines: [Spine]
    var quality: PhotoQuality
    var seconds: Double

    init(_ frame: FrameOutline) {
        (width, height, quality, seconds) = (frame.width, frame.height, frame.quality, frame.seconds)
        spines = frame.spines.map { spine in
            // Text is not read in previews.
            Spine(quad: spine.quad.inFourDigits, boundingBox: spine.boundingBox, text: [])
        }
    }
}
