public import Foundation
public import ShelflistAPI

/// Imports and exports lists of books.
///
/// ```swift
/// let list = try await client.lists.upload(csv, name: "books.csv")
/// try await client.lists.start(list.id)
/// show(try await client.lists.state(list.id).status)
/// ```
public struct ListRequests: Sendable {
    let connection: ServerConnection

    /// Uploads a list (CSV) and returns a preview, which `start` imports.
    ///
    /// - Parameters:
    ///   - list: the contents of the file.
    ///   - name: the file's name, for display.
    ///   - encoding: one of `ListImport.encodings`; nil to detect it.
    public func upload(
        _ list: Data, name: String, encoding: String? = nil
    ) async throws(ShelflistError) -> ListImport {
        var request = ServerConnection.Request(
            "POST", "api/v1/imports", encoding.map { [("encoding", $0)] } ?? [])
        request.headers["Content-Type"] = "text/csv"
        request.headers["X-File-Name"] = ServerConnection.escaped(name)
        request.body = .data(list)
        return try await connection.value(request)
    }

    /// Starts an import.
    ///
    /// The same file again resumes where an earlier import stopped.
    @discardableResult
    public func start(
        _ id: String, _ options: ListImportOptions = ListImportOptions()
    ) async throws(ShelflistError) -> ListImport {
        try await connection.value(.init("POST", path(id) + "/start").json(options))
    }

    /// Returns the progress of an import.
    public func state(_ id: String) async throws(ShelflistError) -> ListImport {
        try await connection.value(.init("GET", path(id)))
    }

    /// Stops an import; books that were imported stay.
    package func cancel(_ id: String) async throws(ShelflistError) {
        try await connection.send(.init("DELETE", path(id)))
    }

    /// Returns books of the library as a file.
    ///
    /// ```swift
    /// try await client.lists.export(.bibtex).write(to: file)
    /// ```
    ///
    /// - Parameters:
    ///   - format: of the file.
    ///   - ids: of copies; nil for the whole library.
    public func export(_ format: ListFormat = .csv, of ids: [String]? = nil) async throws(ShelflistError) -> Data {
        try await connection.data(exportRequest(format, of: ids))
    }

    func exportRequest(_ format: ListFormat, of ids: [String]?) -> ServerConnection.Request {
        .init("GET", "api/v1/export", [("format", format.rawValue), ("ids", ids?.joined(separator: ","))])
    }

    private func path(_ id: String) -> String { "api/v1/imports/\(ServerConnection.escaped(id))" }
}
