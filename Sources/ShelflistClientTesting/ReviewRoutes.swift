import Bibliography
import Foundation
import ShelflistAPI
import ShelflistClient

extension ServerState {
    mutating func review(_ call: RouteCall, _ path: [String]) throws -> RouteAnswer {
        struct Wanted: Decodable {
            var ids: [String]?
            var tier: String?
        }
        switch (call.method, path.first) {
        case ("GET", nil):
            let items = queue.map(\.item).filter { item in
                call.selects("tier", item.tier) && call.selects("kind", item.kind)
                    && call.selects("shelf", item.shelf?.id)
            }
            let page = call.page(items)
            return try .json(
                ReviewQueuePage(items: page.items, nextCursor: page.nextCursor, total: page.total, counts: counts))
        case ("GET", "counts"): return try .json(counts)
        case ("POST", "verify-all"):
            let wanted: Wanted = try call.json()
            let books = try wanted.ids?.map(entry) ?? queue.filter { $0.item.tier == wanted.tier ?? $0.item.tier }
            return try .json(approve(books))
        case ("POST", "reject-all"):
            let wanted: Wanted = try call.json()
            return try .json(act(on: try (wanted.ids ?? []).map { try entry($0).book.id }) { _ in false })
        default: throw Problem.noSuchRoute
        }
    }

    private mutating func approve(_ books: [StoredBook]) -> ActionOutcome {
        act(on: books.filter { $0.book.reviewStatus == .needsReview }.map(\.book.id)) {
            $0.approve()
            return true
        }
    }

    mutating func detection(_ call: RouteCall, _ id: String, _ action: String?) throws -> RouteAnswer {
        let stored = try entry(id)
        let copy = stored.book.id
        switch (call.method, action) {
        case ("GET", nil): return try .json(stored.item)
        case ("GET", "crop"): return RouteAnswer(body: Self.picture, type: "image/png")
        case ("PATCH", nil):
            try call.check(stored.book.etag, needed: true)
            let edit: [String: String?] = try call.json()
            return try changed(copy) { stored in
                if let title = edit["resolvedTitle"] { stored.item.resolvedTitle = title }
                if let author = edit["resolvedAuthor"] { stored.item.resolvedAuthor = author }
            }
        case ("PUT", "box"):
            try call.check(stored.book.etag, needed: true)
            let wanted: [String: UnitQuad] = try call.json()
            guard let quad = wanted["quad"] else { throw Problem.noSuchRoute }
            return try changed(copy) { $0.item.quad = quad }
        case ("POST", "verify"):
            try call.check(stored.book.etag, needed: false)
            return try .json(approve([stored]))
        case ("POST", "reject"):
            try call.check(stored.book.etag, needed: false)
            return try .json(act(on: [copy]) { _ in false })
        case ("POST", "correct"):
            try call.check(stored.book.etag, needed: true)
            let correction: BookCorrection = try call.json()
            return try .json(
                act(on: [copy]) { stored in
                    stored.correct(correction)
                    return true
                })
        case ("POST", "match"): return try match(call, stored)
        default: throw Problem.noSuchRoute
        }
    }

    private mutating func changed(_ id: String, _ change: (inout StoredBook) -> Void) throws -> RouteAnswer {
        let outcome = act(on: [id]) {
            change(&$0)
            return true
        }
        guard var item = books[id]?.item else { throw Problem.notFound }
        item.undoToken = outcome.undoToken
        return try .json(item)
    }

    private mutating func match(_ call: RouteCall, _ stored: StoredBook) throws -> RouteAnswer {
        struct Wanted: Decodable {
            var record: SearchRecord
            var confirm: Bool
        }
        let wanted: Wanted = try call.json()
        let (record, book) = (wanted.record, stored.book)
        let fields: [(name: String, from: String?, to: String?)] = [
            ("title", book.title, record.title),
            ("authors", book.author, record.authors.joined(separator: ", ")),
            ("isbn", book.isbn, record.isbn ?? book.isbn),
        ]
        var message = MatchChanges(
            applied: false,
            changes: fields.filter { $0.from != $0.to }.map { .init(field: $0.name, from: $0.from, to: $0.to) },
            keeps: [], workId: nil, undoToken: nil, etag: book.etag)
        guard wanted.confirm else { return try .json(message) }
        try call.check(book.etag, needed: false)
        message.undoToken =
            act(on: [book.id]) { stored in
                (stored.book.title, stored.book.authors) = (record.title, record.authors)
                stored.book.isbn = record.isbn ?? stored.book.isbn
                stored.book.reviewStatus = .userEdited
                (stored.item.resolvedTitle, stored.item.resolvedAuthor) = (nil, nil)
                return true
            }.undoToken
        (message.applied, message.workId) = (true, book.workId)
        message.etag = books[book.id]?.book.etag ?? book.etag
        return try .json(message)
    }

    /// One transparent pixel (PNG).
    private static let picture =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=")
        ?? Data()
}
