import Bibliography
import Library
import ShelflistAPI
import Testing

/// A scan whose books wait until the user adds them.
struct OpenScan {
    /// With all its books as they are identified now.
    var scan: ScanImport
    var edits: [String: ScanBookEdit] = [:]
    /// The books that were added, whatever became of them.
    var added: Set<String> = []

    var rejected: Set<String> { Set(edits.filter(\.value.isRejected).keys) }
    var waiting: [DetectedBook] { scan.books.filter { !added.contains($0.id) } }

    /// Returns the scan with some of its books, as an importer passes it.
    func with(_ books: [DetectedBook]) -> ScanImport {
        var scan = scan
        scan.books = books
        scan.edits = edits
        return scan
    }
}

/// Steps of users and sources on scans whose books are not added yet.
extension RandomWalk {
    /// - Returns: a description, and whether the step may change books that a person edited before.
    func openStep() async throws -> (action: String, reviews: Bool) {
        let step = open.isEmpty ? 0 : Int.random(in: 0..<8, using: &random)
        switch step {
        case 0:
            let books = books()
            open.append(OpenScan(scan: Scan.of(books, job: "open \(open.count)", photo: "open \(open.count)")))
            return ("open \(books.count) books", false)
        case 1, 2: return (try edit(), false)
        case 3, 4: return (try await addOpenBooks(), false)
        case 5: return (try await identifyAgain(), false)
        default: return (try await review(), true)
        }
    }

    /// Edits, rejects or restores a book that waits.
    private func edit() throws -> String {
        let index = Int.random(in: open.indices, using: &random)
        guard let book = open[index].waiting.randomElement(using: &random) else { return "nothing to edit" }
        var edit = open[index].edits[book.id] ?? ScanBookEdit()
        if Bool.random(using: &random) {
            edit.correction.title = Self.titles.randomElement(using: &random)
            edit.correction.isbn = [.set("9780141439587"), .clear, .keep].randomElement(using: &random) ?? .keep
            edit.correction.publisher = Bool.random(using: &random) ? .set("Anvil") : .keep
        } else {
            edit.isRejected.toggle()
        }
        open[index].edits[book.id] = edit
        return "edit \(book.id) of \(open[index].scan.job): \(edit)"
    }

    private func addOpenBooks() async throws -> String {
        let index = Int.random(in: open.indices, using: &random)
        let scan = open[index]
        let chosen = scan.scan.books.filter { _ in Bool.random(using: &random) }
        let known = Set(try await store.entries().entries.map(\.entry))
        let policy = policy()
        let added = try await store.add([scan.with(chosen)], duplicates: policy)
        let wanted = chosen.map(\.id).filter { !scan.rejected.contains($0) }
        try #require(added.map(\.book) == wanted, "all chosen books are added but those that are not books")
        for book in added {
            try await check(book, edited: scan.added.contains(book.book) ? nil : scan.edits[book.book], known)
        }
        open[index].added.formUnion(wanted)
        return "add \(wanted) of \(scan.scan.job), \(policy?.rawValue ?? "ask")"
    }

    /// Checks what became of a book that was added.
    private func check(
        _ book: AddedScanBook, edited: ScanBookEdit?, _ known: Set<RowID<LibraryEntry>>
    ) async throws {
        if let question = book.question {
            try #require(book.entry == nil)
            if let title = edited?.correction.title {
                try #require(question.title == title, "the question shows the edit")
            }
        }
        guard let entry = book.entry, !known.contains(entry), let title = edited?.correction.title else { return }
        let detail = try await store.entry(entry)
        // A further copy, and a second spine of the same copy, have the title of their work.
        guard detail.copies.count == 1, detail.detections.count == 1 else { return }
        try #require(detail.work.title == title, "a book is added as the user edited it")
        try #require(detail.work.reviewStatus == .userEdited)
        switch edited?.correction.isbn {
        case .set(let isbn): try #require(detail.edition?.isbn?.isbn13 == isbn)
        case .clear: try #require(detail.edition?.isbn == nil)
        case .keep, nil: break
        }
        if case .set(let publisher) = edited?.correction.publisher {
            try #require(detail.edition?.publisher == publisher)
        }
    }

    /// Identifies the books of a scan again, of which some are gone.
    private func identifyAgain() async throws -> String {
        let index = Int.random(in: open.indices, using: &random)
        guard !open[index].added.isEmpty else { return "nothing to identify again" }
        for place in open[index].scan.books.indices where Bool.random(using: &random) {
            var book = open[index].scan.books[place]
            book.title = Self.titles.randomElement(using: &random)
            book.confidence = Double.random(in: 0...1, using: &random)
            open[index].scan.books[place] = book
        }
        if Int.random(in: 0..<4, using: &random) == 0 { _ = open[index].scan.books.popLast() }
        let scan = open[index]
        let wanted = Set(scan.waiting.map(\.id).filter { _ in Bool.random(using: &random) })
        try await store.update(scan.with(scan.scan.books), importing: wanted)
        open[index].added.formUnion(wanted.subtracting(scan.rejected))
        return "identify \(scan.scan.job) again, import \(wanted)"
    }

    /// Returns the books that a person edited, as they are shown.
    func userEdited() async throws -> Set<String> {
        Set(
            try await store.entries().entries.filter { $0.reviewStatus == .userEdited }.map {
                "\($0.id) \($0.title) \($0.authors)"
            })
    }

    /// Returns the books of open scans whose state does not follow from what was done with them.
    func openContradictions() async throws -> [String] {
        var found: [String] = []
        for scan in open {
            let places = Dictionary(uniqueKeysWithValues: scan.scan.books.map { ($0.id, $0.boundingBox) })
            let states = try await store.states(of: places, inScan: scan.scan.job)
            for book in scan.scan.books {
                let state = states[book.id]
                if (state != nil) != scan.added.contains(book.id) {
                    found.append("\(book.id) of \(scan.scan.job) is \(state == nil ? "not in" : "in") the library")
                }
                if let state, (state.entryId != nil) != [.added, .review].contains(state.state) {
                    found.append("\(book.id) of \(scan.scan.job) is \(state.state) with the wrong copy")
                }
            }
        }
        return found
    }
}
