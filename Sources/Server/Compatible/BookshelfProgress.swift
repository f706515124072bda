import Foundation
import ShelflistAPI

/// The progress of a job, accumulated from its events.
///
/// The app shows `status`, and takes a status with "complete", "error" or "fail" for the end of the job; none of these
/// words may be in it.
struct BookshelfProgress: Sendable {
    struct Photo: Encodable, Sendable {
        /// From 0.
        var index: Int
        /// `queued`, `processing`, `complete` or `error`.
        var status = "queued"
        var booksFound: Int?
        var error: String?
    }

    private(set) var photos: [Photo]
    /// Of the whole job, 0...1.
    private(set) var fraction = 0.0
    private(set) var status = "Waiting for photos"
    /// The index of the photo that was reported last.
    private(set) var current = 0

    init(photos count: Int) { photos = (0..<count).map { Photo(index: $0) } }

    var booksFound: Int { photos.reduce(0) { $0 + ($1.booksFound ?? 0) } }
    var photosDone: Int { photos.count { $0.status == "complete" || $0.status == "error" } }

    /// Takes an event into account.
    ///
    /// - Returns: whether the progress has changed.
    mutating func add(_ event: JobEvent) -> Bool {
        switch event.content {
        case .progress(let now):
            fraction = max(fraction, now.progress)
            status =
                switch now.stage {
                case .uploading: photos.count == 1 ? "Photo received" : "Photos received"
                case .analyzing: reading
                case .enriching, .completed: "Looking up books"
                }
        case .photo(let photo):
            guard photos.indices.contains(photo.index - 1) else { return false }
            current = photo.index - 1
            photos[current] = Photo(index: current, photo)
            if photo.status == .reading { status = reading }
        case .enriched(let lookup):
            guard lookup.total > 0 else { return false }
            // Reading takes the first half, lookups the second.
            fraction = max(fraction, 0.5 + 0.5 * Double(lookup.current) / Double(lookup.total))
            status = "Looked up \(lookup.current) of \(lookup.total) books"
        case .segmented, .bookProgress, .result, .enrichmentDegraded, .lookupProgress, .imported, .updated, .completed,
            .error, .canceled, .unknown:
            return false
        }
        return true
    }

    private var reading: String {
        photos.count == 1 ? "Reading the spines" : "Reading photo \(current + 1) of \(photos.count)"
    }
}

extension BookshelfProgress.Photo {
    fileprivate init(index: Int, _ photo: JobPhoto) {
        self.index = index
        switch photo.status {
        case .missing, .queued: status = "queued"
        case .reading: status = "processing"
        case .done: (status, booksFound) = ("complete", photo.books ?? 0)
        case .failed: (status, error) = ("error", photo.problem?.detail ?? "The photo was not read.")
        case .canceled: (status, error) = ("error", "The scan was cancelled.")
        }
    }
}

extension JobEvent {
    /// Whether BooksTracker treats the event as the end of its job.
    ///
    /// A job continues after the error of one photo.
    var endsBookshelfJob: Bool {
        switch content {
        case .completed, .canceled: true
        case .error(let problem): problem.photo == nil
        default: false
        }
    }
}
