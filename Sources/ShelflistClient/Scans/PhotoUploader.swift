import Foundation
import ShelflistAPI
import Synchronization

/// Creates a job on the server and sends its photos.
struct PhotoUploader: Sendable {
    let connection: ServerConnection
    let sink: @Sendable (ScanEvent) -> Void

    /// Creates a job for a number of photos, or returns the one that was created with the same key.
    func create(_ photos: Int, _ options: ScanOptions) async throws -> ScanStatus {
        guard photos > 0 else {
            throw ShelflistError(.invalid, "The scan has no photos.", "Add at least one.")
        }
        var request = ServerConnection.Request("POST", "api/v1/scans")
        request.isRepeatable = true
        request.headers["Idempotency-Key"] = options.idempotencyKey
        request.headers["Content-Type"] = FormData.contentType
        request.body = .data(FormData.encode(options.fields(photos: photos)))
        let answer = try await connection.answer(request) { [sink] in sink(.connection(.waiting($0, $1))) }
        return try WireJSON.decode(ScanAccepted.self, from: answer.body).job
    }

    /// Sends the photos that the job does not have yet.
    ///
    /// A photo that the server refuses is reported, and the others are sent.
    ///
    /// - Throws: `ShelflistError`, also if all photos are refused.
    func upload(_ photos: [PhotoSource], to job: ScanStatus) async throws {
        let total = photos.reduce(0) { $0 + $1.count }
        var done = 0
        var refused: [ShelflistError] = []
        for (index, photo) in photos.enumerated() {
            let number = index + 1
            defer { done += photo.count }
            // The job of an earlier session with the same key has some photos.
            let known = job.photos.first { $0.photo.index == number }?.photo.status
            if let known, known != .missing { continue }
            do {
                try await send(
                    photo, UploadProgress(photo: number, photos: photos.count, sent: done, total: total), job)
            } catch let error as ShelflistError where error.concernsOnePhoto {
                refused.append(error)
                sink(.photoRefused(number, error))
            }
        }
        if refused.count == photos.count, let first = refused.first { throw first }
        if !refused.isEmpty {
            var request = ServerConnection.Request("POST", "api/v1/scans/\(job.id)/finish")
            request.isRepeatable = true
            _ = try await connection.answer(request)
        }
    }

    private func send(_ photo: PhotoSource, _ start: UploadProgress, _ job: ScanStatus) async throws {
        var request = ServerConnection.Request("PUT", "api/v1/scans/\(job.id)/photos/\(start.photo)")
        request.body = photo.body
        request.headers["X-File-Name"] = photo.name.map(ServerConnection.escaped)
        request.headers["Content-Type"] = "application/octet-stream"
        let count = photo.count
        let steps = UploadSteps()
        request.onSent = { [sink] sent in
            guard steps.isDue(sent, of: count) else { return }
            var progress = start
            progress.sent += sent
            sink(.uploading(progress))
        }
        _ = try await connection.answer(request) { [sink] in sink(.connection(.waiting($0, $1))) }
    }
}

extension ShelflistError {
    /// Whether other photos may be accepted.
    fileprivate var concernsOnePhoto: Bool { [.invalid, .tooLarge, .file].contains(category) }
}

/// Decides which steps of an upload are worth an event: the first, the last, and every twentieth between.
private final class UploadSteps: Sendable {
    private let reported = Mutex(-1)

    func isDue(_ sent: Int, of count: Int) -> Bool {
        reported.withLock { reported in
            guard reported < 0 || sent == count || sent < reported || (sent - reported) * 20 >= count else {
                return false
            }
            reported = sent
            return true
        }
    }
}

/// A form of text fields.
enum FormData {
    private static let boundary = "shelflist-form-7b1f0c52"
    static let contentType = "multipart/form-data; boundary=\(boundary)"

    static func encode(_ fields: [(name: String, value: String)]) -> Data {
        var text = ""
        for (name, value) in fields {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        return Data((text + "--\(boundary)--\r\n").utf8)
    }
}
