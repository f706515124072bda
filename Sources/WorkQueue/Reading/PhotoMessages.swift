import Bounds
import Foundation
import Imaging
import Reading
import ShelflistAPI
import SpineReading

// What servers and workers write to each other, as JSON. Numbers are exact: a photo that a worker read has the books that
// the server would have found.

extension TextRequest {
    /// Returns the request of another machine, within the limits of this one.
    ///
    /// - Throws: `WorkQueueError.notUnderstood`.
    func limited() throws -> TextRequest {
        guard [limits.maxBytes, limits.maxPixels, limits.maxSide, limits.maxAspect].allSatisfy({ $0 > 0 }) else {
            throw WorkQueueError.notUnderstood("a request")
        }
        let most = MessageBounds.photo
        var request = self
        request.limits = PhotoLimits(
            maxBytes: min(limits.maxBytes, most.maxBytes), maxPixels: min(limits.maxPixels, most.maxPixels),
            maxSide: min(limits.maxSide, most.maxSide), maxAspect: min(limits.maxAspect, most.maxAspect))
        return request
    }
}

/// Why a photo could not be read.
struct FailureMessage: Codable {
    /// An `ImageError`'s; nil for other errors.
    var code: ImageError.Code?
    var message: String

    init(_ error: any Error) {
        if let error = error as? ImageError {
            (code, message) = (error.code, error.message)
        } else {
            message = "\(error)"
        }
        message = BoundedText(message, limit: MessageBounds.failureBytes).text
    }

    /// The error, with a message of one line.
    var error: any Error {
        let text = BoundedText(BoundedText.line(message), limit: MessageBounds.failureBytes).text
        return code.map { ImageError($0, text) } ?? WorkerError(description: text)
    }
}

/// A failure on a worker.
struct WorkerError: ReportedError {
    var problemCode: String { "worker_failed" }

    let description: String
}

extension Encodable {
    /// As JSON, the same for the same values: requests are part of the photos' keys.
    func message() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return [UInt8](try encoder.encode(self))
    }
}

extension Decodable {
    /// - Parameter part: names the message in the error.
    /// - Throws: `WorkQueueError.notUnderstood`.
    init(message: [UInt8], _ part: String) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(message))
        } catch {
            throw WorkQueueError.notUnderstood(part)
        }
    }
}
