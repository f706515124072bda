import Scans
import ShelflistAPI

/// How far a client has followed the stream of a job: the id of its server-sent events.
///
/// A book is sent later than it is logged, so the id also names the books that were passed over: `40-21,35.0` stands
/// for everything up to event 40 except the book of event 21 and the first book of event 35.
struct VersionThreePosition {
    /// A book that was logged and not sent.
    struct Waiting {
        /// Names the book in ids.
        let key: String
        let id: String
        let event: JobEvent
    }

    /// The last event of the log.
    private(set) var last = 0
    private(set) var waiting: [Waiting] = []
    /// The books that were sent or are waiting.
    private var known: Set<String> = []

    var id: String {
        waiting.isEmpty ? "\(last)" : "\(last)-\(waiting.map(\.key).joined(separator: ","))"
    }

    /// Returns whether a book was sent.
    func hasSent(_ book: String) -> Bool { known.contains(book) && !waiting.contains { $0.id == book } }

    /// Restores the position that a client names.
    ///
    /// - Parameter text: the id of an event; the stream starts again after text that is not one.
    init(_ text: String?, in job: ScanJob, of jobs: ScanJobs) async throws {
        let parts = (text ?? "").split(separator: "-", maxSplits: 1)
        guard let end = parts.first.flatMap({ Int($0) }), end >= 1, end <= max(job.lastEvent, 1) else { return }
        let unsent = Set(parts.dropFirst().joined().split(separator: ",").map(String.init))
        while last < end {
            let events = try await jobs.log.events(of: job.id, after: last).prefix { $0.id <= end }
            // Events of a cancelled job are deleted.
            guard !events.isEmpty else { break }
            for event in events { pass(event) }
        }
        last = end
        waiting.removeAll { !unsent.contains($0.key) }
    }

    /// Passes an event; its new books are waiting then.
    mutating func pass(_ event: JobEvent) {
        last = event.id
        switch event.content {
        case .result(let book): add(book.id, key: "\(event.id)", event)
        case .updated(let update):
            for id in update.removed {
                waiting.removeAll { $0.id == id }
                known.remove(id)
            }
            for (index, book) in update.books.enumerated() { add(book.id, key: "\(event.id).\(index)", event) }
        default: break
        }
    }

    private mutating func add(_ book: String, key: String, _ event: JobEvent) {
        guard known.insert(book).inserted else { return }
        waiting.append(Waiting(key: key, id: book, event: event))
    }

    /// Marks a book as sent.
    mutating func send(_ book: String) {
        known.insert(book)
        waiting.removeAll { $0.id == book }
    }
}
