import Bibliography
import Foundation
import ShelflistAPI
import ShelflistClient

/// A copy with its spine.
struct StoredBook: Sendable {
    var book: LibraryBook
    var item: ReviewQueueItem
    var revision = 1

    /// Writes the fields that both messages have.
    mutating func settle() {
        book.etag = "r\(revision)"
        item.etag = book.etag
        book.author = book.authors.joined(separator: ", ")
        item.title = item.resolvedTitle ?? book.title
        item.author = item.resolvedAuthor ?? book.author
        item.isbn = book.isbn
        item.reviewStatus = book.reviewStatus
        item.shelf = book.shelf
    }
}

/// Everything that a server in memory has.
struct ServerState: Sendable {
    /// What an undo restores: the copies before the action, and their revisions after it.
    struct Action: Sendable {
        var before: [String: StoredBook?]
        var after: [String: Int?]
        var shelves: [LibraryShelf]
        var found: [String: Date]
    }

    var records: [SearchRecord]
    /// By identifier of the copy.
    var books: [String: StoredBook] = [:]
    var shelves: [LibraryShelf] = []
    /// When copies were found on their shelf although the latest photo does not show them.
    var found: [String: Date] = [:]
    var jobs: [String: StoredJob] = [:]
    var actions: [String: Action] = [:]
    var faults: [(fault: InMemoryServer.Fault, request: String, times: Int?)] = []
    var requests: [String] = []
    var version = 1
    var lastNumber = 0

    init(records: [SearchRecord]) { self.records = records }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Returns the fault of a request, and counts it.
    mutating func fault(of request: String) -> InMemoryServer.Fault? {
        let found = faults.firstIndex { fault in
            (fault.request.isEmpty || request.contains(fault.request)) && fault.times != 0
        }
        guard let found else { return nil }
        if let times = faults[found].times { faults[found].times = times - 1 }
        return faults[found].fault
    }

    // MARK: Books

    @discardableResult
    mutating func add(_ spine: InMemoryServer.Spine, shelf: ShelfReference? = nil, box: UnitRect? = nil) -> StoredBook {
        let id = "\(number())"
        let tier = ConfidenceTier(confidence: spine.confidence, checked: spine.isChecked)
        var book = LibraryBook(
            id: id, workId: "w\(id)", title: spine.title, authors: [spine.author], addedAt: Date(),
            reviewStatus: spine.needsReview ? .needsReview : .verified)
        (book.confidence, book.checked, book.shelf) = (spine.confidence, spine.isChecked, shelf)
        book.tags = []
        var item = ReviewQueueItem(
            id: "\(1000 + lastNumber)", text: [ReadText(text: spine.title, score: spine.confidence)])
        (item.entryId, item.workId) = (id, book.workId)
        (item.confidence, item.tier) = (spine.confidence, tier.rawValue)
        let box = box ?? UnitRect(x: 0, y: 0, width: 0.1, height: 1)
        (item.boundingBox, item.quad, item.photoId) = (box, UnitQuad(box), "1")
        item.cropUrl = "/api/v1/detections/\(item.id)/crop"
        book.cropUrl = item.cropUrl
        var stored = StoredBook(book: book, item: item)
        stored.settle()
        books[id] = stored
        version += 1
        return stored
    }

    /// Changes copies as one action.
    ///
    /// - Returns: the token to undo it; nil if there are none.
    mutating func act(
        on ids: [String], token: String? = nil, _ change: (inout StoredBook) -> Bool
    ) -> ActionOutcome {
        var action = Action(before: [:], after: [:], shelves: shelves, found: found)
        for id in ids {
            guard var stored = books[id] else { continue }
            action.before[id] = stored
            if change(&stored) {
                stored.revision += 1
                stored.settle()
                books[id] = stored
                action.after[id] = stored.revision
            } else {
                books[id] = nil
                action.after[id] = .some(nil)
            }
        }
        guard !action.before.isEmpty else { return ActionOutcome(changed: 0, undoToken: nil, remaining: queue.count) }
        return ActionOutcome(changed: action.before.count, undoToken: remember(action), remaining: queue.count)
    }

    mutating func remember(_ action: Action, as token: String? = nil) -> String {
        let token = token ?? "undo-\(number())"
        actions[token] = action
        version += 1
        return token
    }

    /// - Throws: `Problem` if the same was changed since, or if it was undone.
    mutating func undo(_ token: String) throws -> ActionOutcome {
        guard let action = actions[token], action.after.allSatisfy({ books[$0.key]?.revision == $0.value }) else {
            throw Problem.notPossible
        }
        for (id, before) in action.before {
            let revision = max(books[id]?.revision ?? 0, before?.revision ?? 0)
            books[id] = before
            books[id]?.revision = revision + 1
            books[id]?.settle()
        }
        (shelves, found) = (action.shelves, action.found)
        actions[token] = nil
        version += 1
        return ActionOutcome(changed: action.before.count, undoToken: nil, remaining: queue.count)
    }

    // MARK: The queue

    /// The books that wait, least sure first, those that were not checked last.
    var queue: [StoredBook] {
        books.values.filter { $0.book.reviewStatus == .needsReview }.sorted { a, b in
            let (left, right) = (a.order, b.order)
            return left < right
        }
    }

    var counts: ReviewQueueCounts {
        var counts = ReviewQueueCounts()
        for book in queue {
            counts.total += 1
            if let tier = book.item.confidenceTier { counts[tier] += 1 }
        }
        return counts
    }

    /// - Parameter id: of the detection, or `e` and that of the copy.
    func entry(_ id: String) throws -> StoredBook {
        let found =
            id.hasPrefix("e") ? books[String(id.dropFirst())] : books.values.first { $0.item.id == id }
        guard let found else { throw Problem.notFound }
        return found
    }
}

extension StoredBook {
    fileprivate var order: (Int, Double, Int) {
        (book.checked ?? true ? 0 : 1, book.confidence ?? 0, Int(book.id) ?? 0)
    }

    mutating func correct(_ correction: BookCorrection) {
        let before = (book.title, book.authors, book.isbn)
        book.title = correction.title ?? before.0
        book.authors = correction.authors ?? before.1
        if case .set(let isbn) = correction.isbn { book.isbn = isbn }
        if case .clear = correction.isbn { book.isbn = nil }
        let isSame = before == (book.title, book.authors, book.isbn)
        book.reviewStatus = isSame ? .verified : .userEdited
        (item.resolvedTitle, item.resolvedAuthor) = (nil, nil)
    }

    /// Applies the edit that was kept, and confirms the book.
    mutating func approve() {
        let (title, author) = (item.resolvedTitle, item.resolvedAuthor)
        let names = author.map { PersonName.list($0).map(\.displayName) } ?? book.authors
        let isEdited = title ?? book.title != book.title || names != book.authors
        (book.title, book.authors) = (title ?? book.title, names)
        book.reviewStatus = isEdited ? .userEdited : .verified
    }
}

extension InMemoryServer.Spine {
    /// Whether a person has to confirm the book, at the server's usual threshold.
    var needsReview: Bool { !isChecked || confidence < 0.6 }
}

extension Problem {
    static let notFound = Problem(
        "not_found", status: 404, title: "Not found",
        detail: "The item does not exist, or it belongs to another user.")
    static let noSuchRoute = Problem(
        "no_such_route", status: 404, title: "No such page",
        detail: "The server in memory does not answer this request. Use a real server.")
    static let noSuchScan = Problem(
        "invalid_field", status: 422, title: "Invalid value",
        detail: "The scan does not exist. Scan the shelf again.", field: "jobId")
    static let notPossible = Problem(
        "not_possible", status: 409, title: "Not possible",
        detail: "The action was undone or changed since. Reload the list.")
    static let editConflict = Problem(
        "edit_conflict", status: 409, title: "Edit conflict",
        detail: "This has been changed since it was loaded. Reload it, then repeat the change.", retryable: true)
    static let preconditionRequired = Problem(
        "precondition_required", status: 428, title: "If-Match is missing",
        detail: "The request has no If-Match header. Send the latest ETag.", field: "If-Match")
    static let noTitle = Problem(
        "invalid_field", status: 422, title: "Invalid value",
        detail: "The book has no title. Enter one, or choose a search result.", field: "title")
    static let notAPhoto = Problem(
        "not_an_image", status: 415, title: "Not a photo",
        detail: "The file is not a photo of a server in memory. Create one with InMemoryServer.photo(of:).")
}
