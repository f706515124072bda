import Bibliography
import Fixtures
import Library
import ShelflistAPI
import Testing

/// Takes random steps, and keeps an independent record of the expected state.
final class RandomWalk {
    let store: LibraryStore
    var random: SeededGenerator
    private var scans = 0
    var open: [OpenScan] = []

    static let titles = [
        "Dune", "The Dune", "Dunes", "Emma", "Emmma", "Ulysses", "Moss", "Babel", "Sandman, vol. 1",
    ]
    private static let authors: [String?] = ["Frank Herbert", "F. Herbert", "Jane Austen", "James Joyce", nil]

    init(_ store: LibraryStore, seed: UInt64) {
        self.store = store
        random = SeededGenerator(seed: seed)
    }

    func step() async throws -> String {
        if Int.random(in: 0..<4, using: &random) == 0 { return try await scan() }
        return try await review()
    }

    /// Returns the books of a new photo.
    func books() -> [DetectedBook] {
        scans += 1
        return (0..<Int.random(in: 1...6, using: &random)).map { place in
            Scan.book(
                Self.titles.randomElement(using: &random), by: Self.authors.randomElement(using: &random) ?? nil,
                Bool.random(using: &random) ? Double.random(in: 0...1, using: &random) : 1,
                isbn: Int.random(in: 0..<4, using: &random) == 0 ? "9780441172719" : nil, place: place)
        }
    }

    @discardableResult
    func scan() async throws -> String {
        let before = try await store.entries().total
        let books = books()
        // Some scans are repeats, of the job or of the photo.
        let job = Int.random(in: 0..<5, using: &random) == 0 ? "1" : "\(scans)"
        let photo = Int.random(in: 0..<4, using: &random) == 0 ? "same" : "photo\(scans)"
        let policy = policy()
        let report = try await store.importScan(Scan.of(books, job: job, photo: photo), duplicates: policy)
        let added = report.count(.verified) + report.count(.needsReview) + report.count(.copy)
        let after = try await store.entries().total
        try #require(after == before + added, "an import adds what it says")
        return "scan \(books.count) books, \(report.books.map(\.outcome.rawValue))"
    }

    func policy() -> DuplicateDecision? {
        [nil, nil, DuplicateDecision.skip, .addCopy, .existing, .different].randomElement(using: &random) ?? nil
    }

    @discardableResult
    func review() async throws -> String {
        let queue = try await store.booksInReview(limit: 1000)
        let entries = try await store.entries().entries
        let questions = try await store.duplicateQuestions()
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            guard let item = queue.randomElement(using: &random) else { return "nothing to verify" }
            let work = try await store.verify(item.id)
            try #require(work.reviewStatus != .needsReview)
            return "verify \(item.id)"
        case 2, 3:
            guard let entry = entries.randomElement(using: &random) else { return "nothing to correct" }
            var book = try await store.book(entry.entry)
            if Bool.random(using: &random) { book.title = Self.titles.randomElement(using: &random) ?? "Dune" }
            if Bool.random(using: &random) { book.authors = [AuthorCredit(name: "Jane Austen")] }
            let work = try await store.correct(entry.entry, to: book)
            try #require(work.reviewStatus != .needsReview)
            return "correct \(entry.id)"
        case 4:
            guard let item = queue.randomElement(using: &random) else { return "nothing to reject" }
            try await store.reject(item.id)
            // Detections that waited because of this book are separate books now.
            let released = questions.count { $0.existing == item.work && $0.detection != nil }
            let left = try await store.entries().total
            try #require(left == entries.count - 1 + released)
            return "reject \(item.id)"
        case 5:
            guard let entry = entries.randomElement(using: &random) else { return "nothing to match" }
            let record = BookRecord(
                id: "1", title: Self.titles.randomElement(using: &random) ?? "", authors: ["Herbert, Frank"])
            _ = try await store.applyMatch(entry.entry, with: record)
            return "match \(entry.id)"
        case 6:
            let tier = ConfidenceTier.allCases.randomElement(using: &random)
            try await store.verifyAll(tier: tier)
            return "verify all"
        case 7, 8:
            guard let question = questions.randomElement(using: &random),
                let decision = DuplicateDecision.allCases.randomElement(using: &random)
            else { return "nothing to decide" }
            try await store.decide([question.id], decision)
            return "decide \(question) \(decision)"
        default:
            guard let item = queue.randomElement(using: &random), item.detection != nil else {
                return "nothing to keep"
            }
            _ = try await store.keepEdit(item.id, title: Self.titles.randomElement(using: &random), author: nil)
            return "keep an edit of \(item.id)"
        }
    }

    /// Returns works that are both reviewed and queued, or neither, and counts that do not add up.
    func contradictions() async throws -> [String] {
        let entries = try await store.entries().entries
        let queue = try await store.booksInReview(limit: 10_000)
        let counts = try await store.reviewCounts()
        let waiting = Set(entries.filter { $0.reviewStatus == .needsReview }.map(\.workId))
        var found: [String] = []
        if waiting != Set(queue.map { "\($0.work)" }) { found.append("the queue is not the works that need review") }
        if queue.count != Set(queue.map(\.work)).count { found.append("a work is queued twice") }
        let inbox = try await store.inbox(limit: 10_000)
        if counts.total != inbox.items.count || inbox.total != inbox.items.count {
            found.append("the counts are not the inbox's")
        }
        if counts.books != queue.count { found.append("the counts are not the queue's") }
        let sorted = queue.compactMap(\.confidence)
        if sorted != sorted.sorted() { found.append("the queue is not in order") }
        return found
    }
}
