/// The URL paths of a scan job.
public struct JobURLs: Sendable {
    public let job: String

    public init(_ job: String) { self.job = job }

    public var status: String { "/api/v1/scans/\(job)" }
    public var events: String { "\(status)/events" }
    public var results: String { "\(status)/results" }
    public var webSocket: String { "/ws/progress?jobId=\(job)" }

    /// A photo as uploaded.
    ///
    /// Photos are numbered from 1.
    public func photo(_ number: Int) -> String { "\(status)/photos/\(number)" }
    /// A photo with its books marked; available once the photo has been read.
    public func annotated(_ number: Int) -> String { "\(photo(number))/annotated" }
    /// A JPEG of a photo with the outlines of its spines.
    public func segmented(_ number: Int) -> String { "\(photo(number))/segmented" }
    /// An image of a book's spine.
    public func crop(of book: String) -> String { "\(status)/books/\(book)/crop" }
}
