import Bibliography
import Catalog
import Foundation
import Library

/// The local catalog as the library asks it.
struct CatalogLookup: MatchSource {
    let catalog: Catalog
    let name = "local"

    /// - Returns: nil where there is no catalog.
    init?(_ options: LibraryOptions) throws {
        let path = options.folder.url.appending(path: "catalog.sqlite").path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        catalog = try Catalog(existingAt: path)
    }

    func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [Record] {
        let catalog = catalog
        let place: SearchScope =
            switch scope {
            case .all: .all
            case .title: .title
            case .author: .author
            case .isbn: .isbn
            }
        return try catalog.search(text, scope: place, limit: limit)
    }

    /// Looks up rows of lists: by ISBN, else by title and author.
    static func enricher(_ options: LibraryOptions) -> BookEnricher? {
        do {
            guard let lookup = try CatalogLookup(options) else { return nil }
            return { try await lookup.record(of: $0) }
        } catch {
            // A catalog that cannot be opened is told for each row as "not looked up".
            return { _ in throw error }
        }
    }

    private func record(of book: BookDetails) async throws -> Record? {
        if let isbn = book.isbn, let record = try catalog.search(isbn.isbn13, scope: .isbn, limit: 1).first {
            return record
        }
        let words = ([book.title] + book.authors.prefix(1).map(\.name)).joined(separator: " ")
        return try catalog.search(words, scope: .all, limit: 5).first { book.isSameBook(as: $0) }
    }
}
