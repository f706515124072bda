import Bounds
import ClientInput
import Foundation
import Hummingbird
import Imaging
import Scans
import ShelflistAPI

/// A form of photos and options.
///
/// Photos are written to disk as they arrive.
struct PhotoUpload {
    var photos: [ReceivedPhoto] = []
    var fields: [String: String] = [:]

    /// The names of parts that contain photos.
    private static let photoNames: Set<String> = ["photo", "photos", "photos[]", "image", "images", "images[]", "file"]
    private static let maxFieldBytes = 4096

    /// Reads a multipart body to its end.
    ///
    /// - Throws: `Problem`, `PhotoIntakeError`, `MultipartError`, `JobError`. Photos already written are removed then.
    static func receive(_ request: Request, files: JobFiles, limits: JobLimits) async throws -> PhotoUpload {
        var upload = PhotoUpload()
        var part: MultipartHeader?
        var photo: IncomingPhoto?
        var field: [UInt8] = []
        do {
            let limit = limits.photosPerJob * limits.photo.maxBytes + 100_000
            try await request.multipart(limit: limit) { event in
                switch event {
                case .part(let header):
                    (part, field) = (header, [])
                    guard photoNames.contains(header.name) || header.fileName != nil else { return }
                    guard upload.photos.count < limits.photosPerJob else {
                        throw JobError.tooManyPhotos(limit: limits.photosPerJob)
                    }
                    photo = try files.receive(limit: limits.photo.maxBytes)
                case .body(let bytes):
                    if let photo { return try photo.append(bytes) }
                    field += bytes
                    guard field.count <= maxFieldBytes else {
                        throw Problem.invalidField(
                            part?.name ?? "", "The field has more than \(maxFieldBytes) bytes. Shorten it.",
                            status: 413)
                    }
                case .endOfPart:
                    if var received = try await photo?.close() {
                        photo = nil
                        received.name = part?.fileName.flatMap(FileNames.shown)
                        upload.photos.append(received)
                    } else if let part, upload.fields[part.name] == nil {
                        upload.fields[part.name] = String(decoding: field, as: UTF8.self)
                    }
                }
            }
        } catch {
            upload.discard(files)
            throw error
        }
        return upload
    }

    /// Reads a body that is a single image.
    ///
    /// - Throws: `Problem`, `PhotoIntakeError`. What was written is removed then.
    static func receivePicture(_ request: Request, files: JobFiles, limits: JobLimits) async throws -> ReceivedPhoto {
        let length = request.contentLength
        if let length, length > limits.photo.maxBytes {
            throw PhotoIntakeError.tooLarge(limit: limits.photo.maxBytes)
        }
        let incoming = try files.receive(limit: limits.photo.maxBytes)
        for try await buffer in request.body { try incoming.append(Array(buffer.readableBytesView)) }
        if let length, length != incoming.count {
            throw Problem.badRequest("The upload is incomplete. Send it again.")
        }
        return try await incoming.close()
    }

    func discard(_ files: JobFiles) { for photo in photos { files.discard(photo) } }
}

/// Sanitizes the file names that clients send.
///
/// They are displayed, never used as paths.
enum FileNames {
    /// Returns the name without folders and control characters, at most 120 bytes; `nil` if nothing remains.
    static func shown(_ name: String) -> String? {
        let last = name.parts(betweenScalars: { $0 == "/" || $0 == "\\" }).last ?? ""
        let plain = BoundedText.line(last).trimmingCharacters(in: .whitespaces)
        return plain.isEmpty || plain.allSatisfy { $0 == "." } ? nil : BoundedText(plain, limit: 120).text
    }
}
