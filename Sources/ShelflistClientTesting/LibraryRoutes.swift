import Bibliography
import Foundation
import ShelflistAPI
import ShelflistClient

extension ServerState {
    // MARK: The library

    mutating func library(_ call: RouteCall, _ path: [String]) throws -> RouteAnswer {
        guard let id = path.first else {
            return call.method == "POST" ? try create(call) : try .json(call.page(list(call)))
        }
        guard let book = books[id]?.book else { throw Problem.notFound }
        switch (call.method, path.dropFirst().first) {
        case ("GET", nil): return try .json(book)
        case ("DELETE", nil): return try .json(act(on: [id]) { _ in false })
        case ("PATCH", nil):
            try call.check(book.etag, needed: true)
            let change: BookChange = try call.json()
            // Works have no other editions here.
            guard [nil, book.editionId].contains(change.editionId) else { throw Problem.notFound }
            let shelf = shelves.first { .set($0.id) == change.shelf }
            let outcome = act(on: [id]) { stored in
                stored.book.apply(change, shelf: shelf)
                return true
            }
            return try .json(message(book, outcome))
        case ("PUT", "loan"):
            let outcome = lend(id, try call.json())
            return try .json(message(book, outcome))
        case ("DELETE", "loan"):
            let outcome = lend(id, nil)
            return try .json(message(book, outcome))
        default: throw Problem.noSuchRoute
        }
    }

    /// Returns a copy as it is after a change.
    private func message(_ book: LibraryBook, _ outcome: ActionOutcome) -> LibraryBook {
        var changed = books[book.id]?.book ?? book
        changed.undoToken = outcome.undoToken
        return changed
    }

    private mutating func lend(_ id: String, _ loan: Loan?) -> ActionOutcome {
        act(on: [id]) { stored in
            stored.book.lend(loan)
            return true
        }
    }

    /// Adds a book, unless the library has one with its title and authors.
    private mutating func create(_ call: RouteCall) throws -> RouteAnswer {
        let new: NewBook = try call.json()
        let (title, authors) = (new.record?.title ?? new.title ?? "", new.record?.authors ?? new.authors ?? [])
        guard !title.isEmpty else { throw Problem.noTitle }
        let same = books.values.map(\.book).filter { $0.title == title && $0.authors == authors }
        guard same.isEmpty || new.duplicates == "addCopy" else {
            return try .json(ExistingBooks(bookId: "", certainty: "same", existing: same))
        }
        let shelf = shelves.first { $0.id == new.shelf }.map { ShelfReference(id: $0.id, name: $0.name) }
        var stored = add(.init(title, by: ""), shelf: shelf)
        let id = stored.book.id
        (stored.book.authors, stored.book.isbn) = (authors, new.record?.isbn ?? new.isbn)
        (stored.book.tags, stored.book.ownership) = (new.tags ?? [], new.ownership ?? "owned")
        if let correction = new.correction { stored.correct(correction) }
        if let details = new.details {
            stored.book.apply(details, shelf: shelves.first { .set($0.id) == details.shelf })
        }
        if let loan = new.loan { stored.book.lend(loan) }
        stored.book.reviewStatus = .verified
        // No photo shows it.
        (stored.book.cropUrl, stored.book.confidence, stored.book.checked) = (nil, nil, nil)
        stored.settle()
        books[id] = stored
        let token = remember(
            Action(before: [id: nil], after: [id: stored.revision], shelves: shelves, found: found))
        return try .json(message(stored.book, ActionOutcome(changed: 1, undoToken: token)), status: 201)
    }

    private func list(_ call: RouteCall) -> [LibraryBook] {
        let words = (call.query["q"] ?? "").lowercased().split(separator: " ")
        let found = books.values.map(\.book).filter { book in
            let line = [book.title, book.author, book.isbn ?? "", book.notes ?? ""].joined(separator: " ").lowercased()
            return words.allSatisfy { line.contains($0) }
                && call.selects("shelf", book.shelf?.id) && call.selects("ownership", book.ownership)
                && call.selects("readingStatus", book.readingStatus)
                && (call.query["tag"].map { (book.tags ?? []).contains($0) } ?? true)
                && (call.query["overdue"] != "true" || book.isOverdue)
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
        case ("DELETE", nil): return try .json(removeShelf(index))
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
            return try .json(markFound(wanted["ids"] ?? [], on: shelves[index]))
        default: throw Problem.noSuchRoute
        }
    }

    private mutating func removeShelf(_ index: Int) -> ActionOutcome {
        let (id, before) = (shelves[index].id, shelves)
        let outcome = act(on: books.values.filter { $0.book.shelf?.id == id }.map(\.book.id)) { stored in
            stored.book.shelf = nil
            return true
        }
        let token = outcome.undoToken ?? remember(Action(before: [:], after: [:], shelves: before, found: found))
        shelves.remove(at: index)
        version += 1
        return ActionOutcome(changed: outcome.changed, undoToken: token)
    }

    private mutating func markFound(_ ids: [String], on shelf: LibraryShelf) throws -> ActionOutcome {
        let copies = try ids.map { id in
            guard let copy = books[id]?.book else { throw Problem.notFound }
            return copy
        }
        let elsewhere = copies.filter { $0.shelf?.id != shelf.id || $0.ownership == "lent" }
        let outcome = act(on: elsewhere.map(\.id)) { stored in
            stored.book.shelf = ShelfReference(id: shelf.id, name: shelf.name)
            if stored.book.ownership == "lent" { stored.book.lend(nil) }
            return true
        }
        let token = outcome.undoToken ?? remember(Action(before: [:], after: [:], shelves: shelves, found: found))
        for id in ids { found[id] = Date() }
        return ActionOutcome(changed: ids.count, undoToken: token)
    }

    /// The books that the scan added are new; earlier ones are missing, because no duplicates are looked for, unless they
    /// were found since.
    private func inventory(of shelf: LibraryShelf, _ job: StoredJob) -> ShelfInventory {
        let shown = Set(job.copies.values)
        let here = books.values.map(\.book).filter { $0.shelf?.id == shelf.id }
        let earlier = here.filter { !shown.contains($0.id) }
        func wasFound(_ book: LibraryBook) -> Bool { found[book.id].map { $0 >= job.status.createdAt } ?? false }
        var inventory = ShelfInventory(shelfId: shelf.id, isFirst: earlier.isEmpty)
        inventory.new = here.filter { shown.contains($0.id) }
        inventory.lent = earlier.filter { $0.ownership == "lent" }
        inventory.present = earlier.filter { $0.ownership != "lent" && wasFound($0) }
        inventory.missing = earlier.filter { $0.ownership != "lent" && !wasFound($0) }
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

extension LibraryBook {
    fileprivate mutating func apply(_ change: BookChange, shelf: LibraryShelf?) {
        change.readingStatus.apply(to: &readingStatus)
        change.rating.apply(to: &rating)
        change.notes.apply(to: &notes)
        change.startedOn.apply(to: &startedOn)
        change.finishedOn.apply(to: &finishedOn)
        ownership = change.ownership ?? ownership
        tags = change.tags ?? tags
        if change.shelf != .keep { self.shelf = shelf.map { ShelfReference(id: $0.id, name: $0.name) } }
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

extension LibraryBook {
    /// Lends a copy, or with nil takes it back.
    ///
    /// A loan without a first day begins today.
    fileprivate mutating func lend(_ new: Loan?) {
        let today = Date().formatted(.iso8601.year().month().day())
        if let old = loan, old.to != new?.to {
            let ended = PastLoan(to: old.to, since: old.since, due: old.due, returned: today)
            pastLoans = [ended] + (pastLoans ?? [])
        }
        let since = new?.since ?? (loan?.to == new?.to ? loan?.since : nil) ?? today
        loan = new.map { Loan(to: $0.to, since: since, due: $0.due) }
        ownership = new == nil ? "owned" : "lent"
    }

    fileprivate var isOverdue: Bool {
        loan?.due.map { $0 < Date().formatted(.iso8601.year().month().day()).prefix($0.count) } ?? false
    }
}
