public import ShelflistClient

/// A photo of a scan.
///
/// ```swift
/// for photo in model.photos {
///     show(photo.id, photo.state, photo.spines.map(\.quad), photo.reading?.total, photo.delay?.message)
/// }
/// ```
public struct ScanPhotoState: Identifiable, Sendable {
    /// What happens to a photo.
    ///
    /// ```swift
    /// switch photo.state {
    /// case .captured, .preprocessing, .waiting: show("Waiting")
    /// case .uploading, .sent: show("Sent")
    /// case .reading: show(photo.reading?.current)
    /// case .done(let books): show(books)
    /// case .failed(let error): show(error.message)
    /// }
    /// ```
    public enum State: Sendable {
        /// Waits for the start of the scan.
        case captured
        /// Is prepared on this device.
        case preprocessing
        /// Waits until the photos before it are sent.
        case waiting
        /// Is sent.
        case uploading
        /// The server has it.
        case sent
        /// The server reads it.
        case reading
        /// Was read; the number of its books.
        case done(books: Int)
        /// Was not accepted or could not be read; the others are.
        case failed(ShelflistError)
    }

    /// Identifies the photo in its scan.
    public let id: Int
    /// What happens to the photo.
    public internal(set) var state = State.captured
    /// The outlines of its spines, before their titles are known.
    public internal(set) var spines: [SpineOutline] = []
    /// How many of its books were read.
    public internal(set) var reading: JobEvent.BookProgress?
    /// Why the server has not read it yet, if its disk fails; the server tries again every minute.
    public internal(set) var delay: ShelflistError?

    init(id: Int) { self.id = id }

    mutating func reset() { self = ScanPhotoState(id: id) }

    /// Takes over a state of the upload, unless the server is further already.
    mutating func receive(_ upload: State) {
        switch state {
        case .captured, .preprocessing, .waiting, .uploading, .sent: state = upload
        case .reading, .done, .failed: break
        }
    }

    mutating func receive(_ photo: JobPhoto) {
        delay = photo.status.isFinal ? nil : photo.problem.map { ShelflistError($0) }
        switch photo.status {
        case .missing: break
        case .queued: receive(.sent)
        case .reading: state = .reading
        case .done: state = .done(books: photo.books ?? 0)
        case .failed, .canceled:
            state = .failed(
                photo.problem.map { ShelflistError($0) }
                    ?? ShelflistError(.scanFailed, "The photo could not be read.", "Take it again."))
        }
    }
}
