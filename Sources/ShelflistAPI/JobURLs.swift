/// The addresses of a scan job, relative to the server.
public struct JobURLs: Sendable {
    public let job: String

    public init(_ job: String) { self.job = job }

    public var status: String { "/api/v1/scans/\(job)" }
    public var events: String { "\(status)/events" }
    public var results: String { "\(status)/results" }
    public var webSocket: String { "/ws/progress?jobId=\(job)" }

    /// A photo as it was uploaded.
    public func photo(_ number: Int) -> String { "\(status)/photos/\(number)" }
    /// A photo with its books marked, once it was read.
    public func annotated(_ number: Int) -> String { "\(photo(number))/annotated" }
    /// A JPEG of a photo with the spines drawn.
    public func segmented(_ number: Int) -> String { "\(photo(number))/segmented" }
    /// The spine of a book.
    public func crop(of book: String) -> String { "\(status)/books/\(book)/crop" }
}
