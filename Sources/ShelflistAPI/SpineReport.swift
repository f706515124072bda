/// A judgement of how a spine was read, which the server stores.
public struct SpineReport: Codable, Hashable, Sendable {
    /// What the spine says.
    public struct Right: Codable, Hashable, Sendable {
        public var title: String?
        public var author: String?
        public var isbn: String?

        public init(title: String? = nil, author: String? = nil, isbn: String? = nil) {
            (self.title, self.author, self.isbn) = (title, author, isbn)
        }
    }

    /// The spine in the library, or else a scan with a book of it.
    public var detectionId: String?
    public var jobId: String?
    public var bookId: String?
    /// False by default if there is a problem.
    public var correct: Bool?
    public var problem: SpineProblem?
    public var right: Right?
    public var note: String?

    public init(correct: Bool, problem: SpineProblem? = nil, right: Right? = nil, note: String? = nil) {
        (self.correct, self.problem, self.right, self.note) = (correct, problem, right, note)
    }
}

/// What is wrong with how a spine was read.
public enum SpineProblem: String, WireChoice {
    case wrongTitle
    case twoBooks
    case notABook
    /// The outline does not fit the spine.
    case cutOff
}
