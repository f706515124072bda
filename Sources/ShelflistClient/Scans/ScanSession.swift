public import ShelflistAPI
import Synchronization

/// One scan, from upload to results.
///
/// A session starts at once and survives lost connections. Cancelling the task that reads `events` or awaits
/// `results` cancels the scan on the server. A session that is only released stops following; the server continues,
/// and `ShelflistClient.follow` begins again.
///
/// ```swift
/// let session = client.scan([.file(photo)])
/// for try await case .job(let event) in session.events { show(session.jobID, event.content) }
/// show(try await session.results.books.count)
/// ```
public final class ScanSession: Sendable {
    private let run: ScanRun

    init(_ run: ScanRun) {
        self.run = run
        run.start()
    }

    deinit { run.stopFollowing() }

    /// The scan's identifier on the server; nil until the server has accepted it.
    public var jobID: String? { run.job }

    /// Everything that happens to the scan, from its beginning.
    ///
    /// Several tasks can read it, and each gets all events. It ends with the server's last event, and throws a
    /// `ShelflistError` if the scan cannot be sent or followed to its end.
    public var events: some AsyncSequence<ScanEvent, ShelflistError> & Sendable { ScanEvents(run: run) }

    /// The results, once all photos are read.
    ///
    /// - Throws: `ShelflistError` of the category `scanFailed` if no photo could be read.
    public var results: ScanResults {
        get async throws(ShelflistError) {
            for try await event in events {
                guard case .job(let event) = event else { continue }
                switch event.content {
                case .completed:
                    return try await ScanRequests(connection: run.connection).results(event.jobId)
                case .error(let problem) where problem.photo == nil:
                    throw ShelflistError(.scanFailed, problem.message, "Take the photo again.")
                case .canceled: throw .cancelled
                default: break
                }
            }
            throw .cancelled
        }
    }

    /// Cancels the scan here and on the server, unless it is finished; returns within a few seconds.
    ///
    /// The request is sent even if the calling task is cancelled.
    ///
    /// ```swift
    /// await session.cancel()
    /// ```
    public func cancel() async { await run.cancel() }
}

/// The events of a scan.
struct ScanEvents: AsyncSequence, Sendable {
    let run: ScanRun

    /// Waits for the next event.
    struct Iterator: AsyncIteratorProtocol {
        let run: ScanRun
        var index = 0

        /// Returns the next event; nil after the last one.
        mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ShelflistError) -> ScanEvent? {
            let run = run
            let index = index
            let step = await withTaskCancellationHandler {
                await run.log.step(index)
            } onCancel: {
                run.beginCancellation()
            }
            switch step {
            case .event(let event):
                self.index += 1
                return event
            case .ended(nil): return nil
            case .ended(let error?):
                // A cancelled scan is cancelled on the server, too, when its reader ends.
                await run.waitForCancellation()
                throw error
            }
        }
    }

    /// Begins with the first event.
    func makeAsyncIterator() -> Iterator { Iterator(run: run) }
}

extension ShelflistClient {
    /// Scans photos of bookshelves.
    ///
    /// Returns at once; the photos are sent one after the other, each up to three times.
    ///
    /// ```swift
    /// let session = client.scan([.file(left), .file(right)], options: ScanOptions(shelf: shelf.id))
    /// let results = try await session.results
    /// ```
    public func scan(_ photos: [PhotoSource], options: ScanOptions = ScanOptions()) -> ScanSession {
        ScanSession(ScanRun(connection: connection, work: .photos(photos, options)))
    }

    /// Follows a scan that was started before, for example by an earlier run of the app.
    ///
    /// ```swift
    /// let session = client.follow(jobID)
    /// show(try await session.results.books.count)
    /// ```
    ///
    /// - Parameters:
    ///   - jobID: the scan's identifier: `ScanSession.jobID`.
    ///   - last: the last event that is known; 0 for all events.
    public func follow(_ jobID: String, after last: Int = 0) -> ScanSession {
        ScanSession(ScanRun(connection: connection, work: .job(jobID, after: last)))
    }
}
