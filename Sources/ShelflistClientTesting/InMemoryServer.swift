import Bibliography
import Foundation
import ShelflistAPI
public import ShelflistClient
import Synchronization

/// A Shelflist server in memory, for previews and tests of apps.
///
/// ```swift
/// let server = InMemoryServer()
/// let model = ScanModel(client: server.client())
/// model.begin()
/// model.add { InMemoryServer.photo(of: [.init("Emma", by: "Jane Austen")]) }
/// ```
///
/// It has scans, the review queue, the library, shelves, search and undo. It does not import or export lists, look for
/// duplicates in photos or ask providers; requests about them are answered with 404.
public final class InMemoryServer: Sendable {
    /// A book that a photo shows.
    public struct Spine: Codable, Hashable, Sendable {
        /// The title as read.
        public var title: String
        /// The author as read.
        public var author: String
        /// 0...1; a book below 0.6 needs review.
        public var confidence: Double
        /// Whether a source of records was asked about it.
        public var isChecked: Bool

        /// Creates a book.
        public init(_ title: String, by author: String, confidence: Double = 0.9, isChecked: Bool = true) {
            self.title = title
            self.author = author
            self.confidence = confidence
            self.isChecked = isChecked
        }
    }

    /// What happens to a request instead of an answer.
    public enum Fault: Sendable {
        /// The server cannot be reached.
        case offline
        /// The server asks to wait.
        case rateLimited(Duration)
        /// The server answers with this problem.
        case problem(Problem)
    }

    let state: Mutex<ServerState>
    let clock: any Clock<Duration>
    let pace: Duration

    /// Creates a server with an empty library.
    ///
    /// - Parameters:
    ///   - records: what the catalog has, for searches.
    ///   - pace: the time between two events of a scan.
    ///   - clock: on which this time passes.
    public init(
        records: [SearchRecord] = [], pace: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
    ) {
        state = Mutex(ServerState(records: records))
        (self.pace, self.clock) = (pace, clock)
    }

    /// Returns a client of the server.
    ///
    /// - Parameter clock: on which the client waits between attempts.
    public func client(clock: any Clock<Duration> = ContinuousClock()) -> ShelflistClient {
        var environment = ClientEnvironment()
        environment.transport = InMemoryTransport(server: self)
        environment.clock = clock
        environment.random = { 1 }
        return ShelflistClient(
            address: URL(string: "http://memory.invalid") ?? URL(filePath: "/"), token: nil,
            options: ClientOptions(), environment: environment)
    }

    /// Returns a photo of books, which only servers in memory can read.
    public static func photo(of spines: [Spine]) -> PhotoSource {
        // Encoding texts and numbers does not fail.
        let data = (try? JSONEncoder().encode(spines)) ?? Data()
        return .data(photoMark + data, name: "shelf.jpg")
    }

    /// A photo that the server accepts and cannot read.
    public static var unreadablePhoto: PhotoSource { .data(photoMark, name: "dark.jpg") }

    static let photoMark = Data("shelflist-photo:".utf8)

    /// Lets requests fail.
    ///
    /// - Parameters:
    ///   - request: a part of the requests' method and path, such as `PUT /api/v1/scans/`; empty for all requests.
    ///   - times: how many requests fail; nil for all until `clearFaults`.
    public func fail(_ fault: Fault, _ request: String = "", times: Int? = 1) {
        state.withLock { $0.faults.append((fault, request, times)) }
    }

    /// Lets all requests work again.
    public func clearFaults() { state.withLock { $0.faults = [] } }

    /// The requests so far, each as `METHOD /path?query`.
    public var requests: [String] { state.withLock(\.requests) }

    /// Adds a book to the library as another client would; one that is below 0.6 or not checked needs review.
    ///
    /// - Returns: its identifier in the library.
    @discardableResult
    public func add(_ spine: Spine) -> LibraryBook.ID { state.withLock { $0.add(spine).book.id } }

    /// The identifiers of the scans that the server has.
    public var scans: [ScanStatus.ID] { state.withLock { $0.jobs.keys.sorted() } }
}
