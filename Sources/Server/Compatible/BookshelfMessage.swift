import Bounds
import Foundation
import ShelflistAPI

/// A message of BooksTracker's WebSocket.
///
/// `payload` is for the app of November 2025, which requires its own `type` in it; `data` is for that of October 2025,
/// which also reads the fields of its batch messages next to `type`.
struct BookshelfMessage<Payload: Encodable, OldData: Encodable>: Encodable {
    let type: String
    let job: String
    let time: Date
    let payload: Payload
    let data: OldData?
    /// Whether the payload's fields are repeated next to `type`.
    let isFlat: Bool

    init(_ type: String, job: String, time: Date, _ payload: Payload, _ data: OldData?, isFlat: Bool = false) {
        (self.type, self.job, self.time) = (type, job, time)
        (self.payload, self.data, self.isFlat) = (payload, data, isFlat)
    }

    private enum CodingKeys: String, CodingKey {
        case type, jobId, pipeline, timestamp, version, payload, data
    }

    func encode(to encoder: any Encoder) throws {
        if isFlat { try payload.encode(to: encoder) }
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(type, forKey: .type)
        try fields.encode(job, forKey: .jobId)
        try fields.encode("ai_scan", forKey: .pipeline)
        try fields.encode(time.milliseconds, forKey: .timestamp)
        try fields.encode("1.0.0", forKey: .version)
        try fields.encode(Typed(type: type, payload: payload), forKey: .payload)
        try fields.encodeIfPresent(data, forKey: .data)
    }

    private struct Typed: Encodable {
        let type: String
        let payload: Payload

        func encode(to encoder: any Encoder) throws {
            try payload.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(type, forKey: .type)
        }
    }
}

extension Date {
    /// Milliseconds since 1970.
    var milliseconds: Int { Int(saturating: timeIntervalSince1970 * 1000) }
}

extension BookshelfProtocol {
    struct Started: Encodable {
        var totalCount: Int
        var totalPhotos: Int
    }

    struct BatchInit: Encodable {
        var totalPhotos: Int
        var status = "processing"
    }

    struct Progress: Encodable {
        var progress: Double
        var status: String
        var processedCount: Int
        /// The index of the photo that is being read.
        var currentItem: String?
        var keepAlive: Bool?
    }

    /// The `data` of the app of October 2025.
    struct OldProgress: Encodable {
        var progress: Double
        /// The app's bar shows `processedItems` of `totalItems`.
        var processedItems: Int
        var totalItems = 100
        var currentStatus: String
        var error: String?
        var keepAlive: Bool?
        var result: BookshelfResults?

        init(_ progress: Double, _ status: String, keepAlive: Bool? = nil) {
            self.progress = progress
            processedItems = Int(saturating: (progress * 100).rounded())
            currentStatus = status
            self.keepAlive = keepAlive
        }
    }

    struct BatchProgress: Encodable {
        var currentPhoto: Int
        var totalPhotos: Int
        var photoStatus: String
        var booksFound: Int
        var totalBooksFound: Int
        var photos: [BookshelfProgress.Photo]
    }

    struct BatchComplete: Encodable {
        var totalBooks: Int
        var photoResults: [BookshelfProgress.Photo]
        var books: [BookshelfBook]
    }

    struct Complete: Encodable {
        struct Summary: Encodable {
            /// Photos.
            var totalProcessed: Int
            var successCount: Int
            var failureCount: Int
            /// Milliseconds.
            var duration: Int
            /// The app takes the identifier of the job from it.
            var resourceId: String
            var totalDetected: Int
            var approved: Int
            var needsReview: Int
        }

        var pipeline = "ai_scan"
        var summary: Summary
        var expiresAt: Date
        var totalDetected: Int
        var approved: Int
        var needsReview: Int
        var resultsUrl: String
        var suggestions: [BookshelfSuggestion]
    }

    struct Failure: Encodable {
        var code: String
        var message: String
        /// Never true: the app would wait for another message, which does not come.
        var retryable = false
    }

    struct Canceling: Encodable {
        var reason: String
    }

    struct Reconnected: Encodable {
        var progress: Double
        var status: String
        var processedCount: Int
        var totalCount: Int
        var lastUpdate: Int
        var message: String

        private enum CodingKeys: String, CodingKey {
            case progress, status, message
            case processedCount = "processed_count"
            case totalCount = "total_count"
            case lastUpdate = "last_update"
        }
    }
}
