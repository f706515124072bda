public import Foundation
public import ShelflistAPI

/// A Shelflist server, as an app uses it.
///
/// ```swift
/// let client = ShelflistClient(address: URL(string: "https://books.example.org")!, token: token)
/// let session = client.scan([.file(photo)])
/// for try await case .job(let event) in session.events {
///     if case .result(let book) = event.content { print(book.title ?? "?") }
/// }
/// ```
///
/// A value is cheap to copy, and its copies share their connections. All requests end with their task.
///
/// ```swift
/// show(try await client.library.books().page().total, try await client.review.counts().total)
/// for try await shelf in client.shelves.all { show(shelf.path) }
/// for try await scan in client.scans.all(active: true) { show(scan.message) }
/// for try await stocktake in client.stocktakes.all { show(stocktake.name) }
/// try await client.lists.export(.csv).write(to: file)
/// ```
public struct ShelflistClient: Sendable {
    let connection: ServerConnection

    /// Creates a client; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - address: where the web app is, with the path if it has one: `https://example.org/books`.
    ///   - token: an access token from the settings of the web app, or nil if the server has no owner yet.
    ///   - options: certificates, the device, and how long scans wait for the server.
    public init(address: URL, token: String? = nil, options: ClientOptions = ClientOptions()) {
        self.init(address: address, token: token, options: options, environment: ClientEnvironment())
    }

    package init(address: URL, token: String?, options: ClientOptions, environment: ClientEnvironment) {
        connection = ServerConnection(address: address, token: token, options: options, environment: environment)
    }

    /// The version of this library.
    package static let version = "0.1.0"

    /// The books of the library.
    public var library: LibraryRequests { LibraryRequests(connection: connection) }
    /// The books that wait for a person.
    public var review: ReviewRequests { ReviewRequests(connection: connection) }
    /// The shelves and what their photos show.
    public var shelves: ShelfRequests { ShelfRequests(connection: connection) }
    /// The checks of which copies are still there.
    public var stocktakes: StocktakeRequests { StocktakeRequests(connection: connection) }
    /// The scans that the server has.
    public var scans: ScanRequests { ScanRequests(connection: connection) }
    /// Lists of books: import and export.
    public var lists: ListRequests { ListRequests(connection: connection) }

    /// Searches the catalog and the providers for records of books.
    ///
    /// ```swift
    /// let found = try await client.search("emma austen", in: .all, limit: 20)
    /// show(found.items.map(\.record.title), found.sources.map(\.state))
    /// ```
    ///
    /// - Parameters:
    ///   - text: a title, an author, both, or an ISBN.
    ///   - scope: the fields to search.
    ///   - sources: where to search; each source's status is in the answer.
    ///   - limit: 1...100
    public func search(
        _ text: String, in scope: SearchScope = .all, sources: SearchSources = .all, limit: Int = 50
    ) async throws(ShelflistError) -> SearchResults {
        try await connection.value(
            .init(
                "GET", "api/v1/search",
                [("q", text), ("scope", scope.rawValue), ("in", sources.rawValue), ("limit", "\(limit)")]))
    }

    /// Undoes an action.
    ///
    /// ```swift
    /// let removed = try await client.library.remove(book.id)
    /// if let token = removed.undoToken { try await client.undo(token) }
    /// ```
    ///
    /// - Parameter token: the `undoToken` of what the action returned.
    @discardableResult
    public func undo(_ token: String) async throws(ShelflistError) -> ActionOutcome {
        try await connection.value(.init("POST", "api/v1/undo").json(["undoToken": token]))
    }

    /// Loads a picture that an answer names: a cover, a spine or a photo.
    ///
    /// ```swift
    /// if let cover = book.coverUrl { show(try await client.picture(cover)) }
    /// ```
    public func picture(_ path: ServerPath) async throws(ShelflistError) -> Data {
        let url = connection.url(of: path).absoluteString
        let start = connection.address.absoluteString + "/"
        guard url.hasPrefix(start) else {
            throw ShelflistError(
                .invalid, "'\(path.text)' is not a picture of this server.", "Load it from its own address.")
        }
        return try await connection.data(.init("GET", String(url.dropFirst(start.count))))
    }
}
