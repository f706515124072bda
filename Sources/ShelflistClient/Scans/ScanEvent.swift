public import ShelflistAPI

/// What happens to a scan.
///
/// ```swift
/// for try await event in session.events {
///     switch event {
///     case .uploading(let progress): show(progress.fraction)
///     case .photoRefused(let number, let error): show(number, error.message)
///     case .connection(let connection): show(connection)
///     case .job(let event): show(event.content)
///     }
/// }
/// ```
public enum ScanEvent: Sendable {
    /// More of a photo was sent.
    case uploading(UploadProgress)
    /// The server does not accept a photo, numbered from 1; the others are scanned.
    case photoRefused(Int, ShelflistError)
    /// How the events of the server arrive from now on.
    case connection(ScanConnection)
    /// The server wrote an event: progress, a book, the end.
    ///
    /// Ignore `JobEvent.Content.unknown`: a later server may send events that this version does not know.
    case job(JobEvent)
}

/// How much of the photos was sent.
///
/// ```swift
/// show("Photo \(progress.photo) of \(progress.photos)", progress.fraction)
/// show("\(progress.sent) of \(progress.total) bytes")
/// ```
public struct UploadProgress: Hashable, Sendable {
    /// The photo that is being sent, from 1.
    public var photo: Int
    /// The number of photos.
    public var photos: Int
    /// Of all photos, in bytes.
    public var sent: Int
    /// Of all photos, in bytes.
    public var total: Int

    /// 0...1.
    public var fraction: Double { total == 0 ? 1 : Double(sent) / Double(total) }
}

/// How the events of a scan arrive.
///
/// ```swift
/// switch connection {
/// case .webSocket, .eventStream, .polling: show("Connected")
/// case .waiting(let time, let error): show(time, error.message)
/// }
/// ```
public enum ScanConnection: Sendable {
    /// At once.
    case webSocket
    /// At once, where a proxy does not permit WebSockets.
    case eventStream
    /// Every two seconds, where a proxy permits no stream.
    case polling
    /// Not at all: the next attempt is after this time, because of this error.
    case waiting(Duration, ShelflistError)
}
