import Bibliography
import Bounds
import Foundation
import Hummingbird
import Library
import Lookup
import ShelflistAPI

/// The route that answers "Do I own it?".
struct OwnRoutes: Sendable {
    let lookup: BookLookup
    let library: LibraryStore

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/own", needs: .viewer, costs: .work, isHeavy: true) { request, _ in
            let query = Query(request)
            if let text = try field("isbn", of: query) {
                guard let isbn = ISBN(text) else {
                    throw Problem.invalidField(
                        "isbn", "'\(text.shortened(to: 40))' is not a valid ISBN. Check its digits.", status: 400)
                }
                return try await answer(about: isbn)
            }
            guard let title = try field("title", of: query) else {
                throw Problem.badRequest("The query is empty. Send an ISBN, or a title.", field: "title")
            }
            let author = try field("author", of: query)
            return try await library.answers(about: [
                BookDetails(title: title, authors: author.map { AuthorCredit.list($0) } ?? [])
            ])[0]
        }
    }

    private func field(_ name: String, of query: Query) throws -> String? {
        let text = try query.text(name)?.trimmingCharacters(in: .whitespaces)
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Compares an ISBN that no copy has by the title and authors that a source has for it.
    private func answer(about isbn: ISBN) async throws -> OwnAnswer {
        if let answer = try await library.answer(aboutISBN: isbn) { return answer }
        let found = await CombinedSearch(lookup.sources, clock: lookup.clock).results(
            for: isbn.isbn13, in: .isbn, limit: 1)
        guard var record = found.items.first else { return OwnAnswer(.unsure) }
        var book = BookDetails(record.record)
        book.isbn = isbn
        var answer = try await library.answers(about: [book])[0]
        record.record = record.record.served
        answer.record = record
        return answer
    }
}
