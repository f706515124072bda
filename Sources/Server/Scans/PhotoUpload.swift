import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Imaging
import NIOCore
import Scanning
import ShelflistAPI

/// A form of photos and options, taken to disk while it arrives.
struct PhotoUpload {
    var photos: [ReceivedPhoto] = []
    var fields: [String: String] = [:]

    /// The names under which clients send photos.
    private static let photoNames: Set<String> = ["photo", "photos", "photos[]", "image", "images", "images[]", "file"]
    private static let maxFieldBytes = 4096

    /// Reads a multipart body to its end.
    ///
    /// - Throws: `Problem`, `PhotoIntakeError`, `MultipartError`, `JobError`; what was written is then removed.
    static func receive(_ request: Request, files: JobFiles, limits: JobLimits) async throws -> PhotoUpload {
        var receiver = Receiver(files: files, limits: limits)
        do {
            let limit = limits.photosPerJob * limits.photo.maxBytes + 100_000
            try await request.multipart(limit: limit) { try receiver.receive($0) }
        } catch {
            receiver.upload.discard(files)
            throw error
        }
        return receiver.upload
    }

    /// Reads a body that is a picture and nothing else.
    ///
    /// - Throws: `Problem`, `PhotoIntakeError`; what was written is then removed.
    static func receivePicture(
        _ request: Request, files: JobFiles, limits: JobLimits
    ) async throws -> ReceivedPhoto {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        if let length, length > limits.photo.maxBytes {
            throw PhotoIntakeError.tooLarge(limit: limits.photo.maxBytes)
        }
        let incoming = try files.receive(limit: limits.photo.maxBytes)
        for try await buffer in request.body { try incoming.append(Array(buffer.readableBytesView)) }
        if let length, length != incoming.count {
            throw Problem.badRequest("The upload ended too early. Send it again.")
        }
        return try incoming.close()
    }

    func discard(_ files: JobFiles) { for photo in photos { files.discard(photo) } }

    private struct Receiver {
        let files: JobFiles
        let limits: JobLimits
        var upload = PhotoUpload()
        private var part: MultipartHeader?
        private var photo: IncomingPhoto?
        private var field: [UInt8] = []

        init(files: JobFiles, limits: JobLimits) {
            self.files = files
            self.limits = limits
        }

        mutating func receive(_ event: MultipartParser.Event) throws {
            switch event {
            case .part(let header): try begin(header)
            case .body(let bytes): try append(bytes)
            case .endOfPart: try end()
            }
        }

        private mutating func begin(_ header: MultipartHeader) throws {
            part = header
            field = []
            guard PhotoUpload.photoNames.contains(header.name) || header.fileName != nil else { return }
            guard upload.photos.count < limits.photosPerJob else {
                throw JobError.tooManyPhotos(limit: limits.photosPerJob)
            }
            photo = try files.receive(limit: limits.photo.maxBytes)
        }

        private mutating func append(_ bytes: [UInt8]) throws {
            if let photo {
                try photo.append(bytes)
            } else {
                field += bytes
                guard field.count <= PhotoUpload.maxFieldBytes else {
                    throw Problem.invalidField(
                        part?.name ?? "", "The field has more than \(PhotoUpload.maxFieldBytes) bytes.", status: 413)
                }
            }
        }

        private mutating func end() throws {
            if let photo {
                self.photo = nil
                var received = try photo.close()
                received.name = part?.fileName.flatMap(FileNames.shown)
                upload.photos.append(received)
            } else if let part, upload.fields[part.name] == nil {
                upload.fields[part.name] = String(decoding: field, as: UTF8.self)
            }
            part = nil
        }
    }
}

/// Names of files as clients send them: shown to people, never used as a path.
enum FileNames {
    /// The name without folders and control characters, at most 120 characters.
    static func shown(_ name: String) -> String? {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let plain = String(
            String.UnicodeScalarView(
                last.unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: false
                    default: true
                    }
                })
        ).trimmingCharacters(in: .whitespaces)
        return plain.isEmpty || plain.allSatisfy { $0 == "." } ? nil : String(plain.prefix(120))
    }
}
