package import Bibliography
package import Catalog
import Concurrency
import Library
package import Providers

/// A source of records: the local catalog or a provider.
package protocol RecordSource: Sendable {
    /// The identifier in `BookRecord.source`: `local`, `openlibrary`.
    var name: String { get }
    var title: String { get }
    /// Searches for text that a user typed.
    ///
    /// - Returns: the records, best first; empty if the source does not have the book.
    /// - Throws: `UnavailableSource` if the source cannot answer.
    func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [BookRecord]
    /// Looks up one book; results and errors are those of `search`.
    func lookUp(_ isbn: ISBN) async throws -> [BookRecord]
}

extension RecordSource {
    package var isLocal: Bool { name == BookRecord.localSource }

    /// Returns the source's record of a book, found by its ISBN, or by title and author without one; nil if there is
    /// none.
    func record(of book: BookDetails) async throws -> BookRecord? {
        if let isbn = book.isbn, let record = try await lookUp(isbn).first(where: book.isSameBook) { return record }
        let words = ([book.title] + book.authors.prefix(1).map(\.name)).joined(separator: " ")
        var record = try await search(words, scope: .all, limit: 5).first(where: book.isSameBook)
        // A provider's text search returns an arbitrary edition of the work.
        if !isLocal { record?.isbn = nil }
        return record
    }
}

package struct CatalogSource: RecordSource {
    package let name = BookRecord.localSource
    package let title = "The catalog"
    private let file: CatalogFile
    private let online: OnlineServices?

    /// - Parameter online: provides the URLs of covers.
    package init(_ file: CatalogFile, online: OnlineServices? = nil) { (self.file, self.online) = (file, online) }

    /// Whether the catalog file exists; searches throw if it is not searchable.
    var exists: Bool { file.exists }

    package func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [BookRecord] {
        let file = file
        var records = try await BlockingExecutor.interactive.run {
            try file.catalog()?.search(text, scope: scope, limit: limit) ?? []
        }
        for index in records.indices { records[index].coverURL = online?.cover(ofNumber: records[index].cover) }
        return records
    }

    package func lookUp(_ isbn: ISBN) async throws -> [BookRecord] {
        try await search(isbn.isbn13, scope: .isbn, limit: 1)
    }
}

package struct ProviderSource: RecordSource {
    private let provider: any BookProvider

    package init(_ provider: any BookProvider) { self.provider = provider }

    package var name: String { provider.name.rawValue }
    package var title: String { provider.name.title }

    package func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [BookRecord] {
        try await provider.search(text, scope: scope, limit: min(max(1, limit), 40))
    }

    package func lookUp(_ isbn: ISBN) async throws -> [BookRecord] { try await provider.lookUp(isbn) }
}
