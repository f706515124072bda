/// The URL paths of a scan job.
public struct JobURLs: Sendable {
    public let job: String

    public init(_ job: String) { self.job = job }

    public var status: ServerPath { "/api/v1/scans/\(job)" }
    public var events: ServerPath { "\(status)/events" }
    public var results: ServerPath { "\(status)/results" }
    public var webSocket: ServerPath { "/ws/progress?jobId=\(job)" }

    /// A photo as uploaded.
    ///
    /// Photos are numbered from 1.
    public func photo(_ number: Int) -> ServerPath { "\(status)/photos/\(number)" }
    /// A photo with its books marked; available once the photo has been read.
    public func annotated(_ number: Int) -> ServerPath { "\(photo(number))/annotated" }
    /// A JPEG of a photo with the outlines of its spines.
    public func segmented(_ number: Int) -> ServerPath { "\(photo(number))/segmented" }
    /// An image of a book's spine.
    public func crop(of book: String) -> ServerPath { "\(status)/books/\(book)/crop" }
}
