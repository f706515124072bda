package import Bibliography
package import Catalog
import Concurrency
import Library
package import Providers
import ShelflistAPI

/// Anything that answers with records: the local catalog, a provider.
package protocol RecordSource: Sendable {
    /// Labels its results: `local`, `openlibrary`.
    var name: String { get }
    /// As people call it.
    var title: String { get }
    /// Searches for what a person typed.
    ///
    /// - Returns: the records, best first; none means that the source has no such book.
    /// - Throws: `UnavailableSource` where the source could not be asked.
    func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [Record]
    /// Looks up one book; otherwise as `search`.
    func lookUp(_ isbn: ISBN) async throws -> [Record]
}

extension RecordSource {
    package var isLocal: Bool { name == CatalogSource.localName }

    /// The source's record of a book, found by its ISBN, else by title and author; nil where it has none.
    func record(of book: BookDetails) async throws -> Record? {
        if let isbn = book.isbn, let record = try await lookUp(isbn).first(where: book.isSameBook) { return record }
        let words = ([book.title] + book.authors.prefix(1).map(\.name)).joined(separator: " ")
        var record = try await search(words, scope: .all, limit: 5).first(where: book.isSameBook)
        // A provider's search by words finds some edition of the work, hardly the one at hand.
        if !isLocal { record?.isbn = nil }
        return record
    }
}

/// The local catalog.
package struct CatalogSource: RecordSource {
    static let localName = "local"

    package let name = Self.localName
    package let title = "The catalog"
    private let file: CatalogFile
    private let online: OnlineCatalogs?

    /// - Parameter online: knows where the covers are.
    package init(_ file: CatalogFile, online: OnlineCatalogs? = nil) { (self.file, self.online) = (file, online) }

    /// Whether there is a catalog at the moment; it may still be unsearchable, which is thrown when it is asked.
    var exists: Bool { file.exists }

    package func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [Record] {
        let file = file
        var records = try await BlockingExecutor.interactive.run {
            try file.catalog()?.search(text, scope: scope, limit: limit) ?? []
        }
        for index in records.indices { records[index].coverURL = online?.cover(ofNumber: records[index].cover) }
        return records
    }

    package func lookUp(_ isbn: ISBN) async throws -> [Record] {
        try await search(isbn.isbn13, scope: .isbn, limit: 1)
    }
}

/// A provider.
package struct ProviderSource: RecordSource {
    private let provider: any BookProvider

    package init(_ provider: any BookProvider) { self.provider = provider }

    package var name: String { provider.name.rawValue }
    package var title: String { provider.name.title }

    package func search(_ text: String, scope: SearchScope, limit: Int) async throws -> [Record] {
        try await provider.search(text, scope: scope, limit: min(max(1, limit), 40))
    }

    package func lookUp(_ isbn: ISBN) async throws -> [Record] { try await provider.lookUp(isbn) }
}
