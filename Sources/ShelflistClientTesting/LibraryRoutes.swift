import Bibliography
import Foundation
import ShelflistAPI
import ShelflistClient

extension ServerState {
    // MARK: The review queue

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
                    let before = (stored.book.title, stored.book.authors, stored.book.isbn)
                    stored.book.title = correction.title ?? before.0
                    stored.book.authors = correction.authors ?? before.1
                    if case .set(let isbn) = correction.isbn { stored.book.isbn = isbn }
                    if case .clear = correction.isbn { stored.book.isbn = nil }
                    let isSame = before == (stored.book.title, stored.book.authors, stored.book.isbn)
                    stored.book.reviewStatus = isSame ? .verified : .userEdited
                    (stored.item.resolvedTitle, stored.item.resolvedAuthor) = (nil, nil)
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

    // MARK: The library

    mutating func library(_ call: RouteCall, _ path: [String]) throws -> RouteAnswer {
        guard let id = path.first else {
            guard call.method == "GET" else { throw Problem.noSuchRoute }
            return try .json(call.page(list(call)))
        }
        guard let book = books[id]?.book else { throw Problem.notFound }
        switch (call.method, path.dropFirst().first) {
        case ("GET", nil): return try .json(book)
        case ("DELETE", nil): return try .json(act(on: [id]) { _ in false })
        case ("PATCH", nil):
            try call.check(book.etag, needed: true)
            let change: BookChange = try call.json()
            let shelf = shelves.first { .set($0.id) == change.shelf }
            let outcome = act(on: [id]) { stored in
                change.readingStatus.apply(to: &stored.book.readingStatus)
                change.rating.apply(to: &stored.book.rating)
                change.notes.apply(to: &stored.book.notes)
                stored.book.ownership = change.ownership ?? stored.book.ownership
                stored.book.tags = change.tags ?? stored.book.tags
                if change.shelf != .keep {
                    stored.book.shelf = shelf.map { ShelfReference(id: $0.id, name: $0.name) }
                }
                return true
            }
            var changed = books[id]?.book ?? book
            changed.undoToken = outcome.undoToken
            return try .json(changed)
        default: throw Problem.noSuchRoute
        }
    }

    private func list(_ call: RouteCall) -> [LibraryBook] {
        let words = (call.query["q"] ?? "").lowercased().split(separator: " ")
        let found = books.values.map(\.book).filter { book in
            let line = [book.title, book.author, book.isbn ?? "", book.notes ?? ""].joined(separator: " ").lowercased()
            return words.allSatisfy { line.contains($0) }
                && call.selects("shelf", book.shelf?.id) && call.selects("ownership", book.ownership)
                && call.selects("readingStatus", book.readingStatus)
                && (call.query["tag"].map { (book.tags ?? []).contains($0) } ?? true)
                && (call.query["needsReview"] != "true" || book.reviewStatus == .needsReview)
        }
        let sorted = found.sorted { a, b in
            let (left, right) = (Int(a.id) ?? 0, Int(b.id) ?? 0)
            return switch call.query["sort"] {
            case "author": (a.author, left) < (b.author, right)
            case "added": left < right
            case "rating": (a.rating ?? 0, left) < (b.rating ?? 0, right)
            case "year": (a.year ?? 0, left) < (b.year ?? 0, right)
            default: (a.title, left) < (b.title, right)
            }
        }
        return call.query["descending"] == "true" ? sorted.reversed() : sorted
    }

    // MARK: Shelves

    mutating func shelves(_ call: RouteCall, _ path: [String]) throws -> RouteAnswer {
        for index in shelves.indices {
            shelves[index].entries = books.values.count { $0.book.shelf?.id == shelves[index].id }
        }
        guard let id = path.first else {
            guard call.method == "POST" else { return try .json(call.page(shelves.sorted { $0.name < $1.name })) }
            let wanted: [String: String] = try call.json()
            let name = wanted["name"] ?? ""
            if let known = shelves.first(where: { $0.name == name }) { return try .json(known, status: 201) }
            let number = number()
            let shelf = LibraryShelf(id: "\(number)", name: name, entries: 0, etag: "s\(number)")
            shelves.append(shelf)
            version += 1
            return try .json(shelf, status: 201)
        }
        guard let index = shelves.firstIndex(where: { $0.id == id }) else { throw Problem.notFound }
        switch (call.method, path.dropFirst().first) {
        case ("GET", nil): return try .json(shelves[index])
        case ("PATCH", nil):
            try call.check(shelves[index].etag, needed: true)
            let wanted: [String: String] = try call.json()
            let token = remember(Action(before: [:], after: [:], shelves: shelves, found: found))
            shelves[index].name = wanted["name"] ?? shelves[index].name
            shelves[index].etag = "s\(number())"
            var renamed = shelves[index]
            renamed.undoToken = token
            return try .json(renamed)
        case ("GET", "spines"): return try .json(view(of: shelves[index]))
        case ("POST", "inventory"):
            let wanted: [String: String] = try call.json()
            guard let job = jobs[wanted["jobId"] ?? ""] else { throw Problem.noSuchScan }
            return try .json(inventory(of: shelves[index], job))
        case ("POST", "found"):
            let wanted: [String: [String]] = try call.json()
            let ids = wanted["ids"] ?? []
            let token = remember(Action(before: [:], after: [:], shelves: shelves, found: found))
            found.formUnion(ids)
            return try .json(ActionOutcome(changed: ids.count, undoToken: token))
        default: throw Problem.noSuchRoute
        }
    }

    /// The books that the scan added are new; earlier ones are missing, because no duplicates are looked for.
    private func inventory(of shelf: LibraryShelf, _ job: StoredJob) -> ShelfInventory {
        let shown = Set(job.copies.values)
        let here = books.values.map(\.book).filter { $0.shelf?.id == shelf.id }
        let earlier = here.filter { !shown.contains($0.id) }
        var inventory = ShelfInventory(shelfId: shelf.id, isFirst: earlier.isEmpty)
        inventory.new = here.filter { shown.contains($0.id) }
        inventory.missing = earlier.filter { !found.contains($0.id) }
        inventory.present = earlier.filter { found.contains($0.id) }
        return inventory
    }

    /// All books on one board, in the order of their addition.
    private func view(of shelf: LibraryShelf) -> LibraryShelfView {
        let spines = books.values.filter { $0.book.shelf?.id == shelf.id }.sorted {
            (Int($0.book.id) ?? 0) < (Int($1.book.id) ?? 0)
        }
        return LibraryShelfView(
            shelfId: shelf.id, scannedAt: spines.last?.book.addedAt,
            boards: spines.isEmpty
                ? []
                : [
                    spines.map {
                        .init(
                            entry: $0.book, state: "present", detectionId: $0.item.id, photoId: $0.item.photoId ?? "",
                            cropUrl: $0.item.cropUrl, width: 40, height: 300)
                    }
                ], unseen: [])
    }
}

extension FieldPatch {
    fileprivate func apply(to value: inout Value?) {
        switch self {
        case .keep: break
        case .clear: value = nil
        case .set(let new): value = new
        }
    }
}
