/// A judgement of how a spine was read, which the server stores.
package struct SpineReport: Codable, Hashable, Sendable {
    /// What the spine says.
    package struct Right: Codable, Hashable, Sendable {
        package var title: String?
        package var author: String?
        package var isbn: String?

        package init(title: String? = nil, author: String? = nil, isbn: String? = nil) {
            (self.title, self.author, self.isbn) = (title, author, isbn)
        }
    }

    /// The spine in the library, or else a scan with a book of it.
    package var detectionId: String?
    package var jobId: String?
    package var bookId: String?
    /// False by default if there is a problem.
    package var correct: Bool?
    package var problem: SpineProblem?
    package var right: Right?
    package var note: String?

    package init(correct: Bool, problem: SpineProblem? = nil, right: Right? = nil, note: String? = nil) {
        (self.correct, self.problem, self.right, self.note) = (correct, problem, right, note)
    }
}

/// What is wrong with how a spine was read.
package enum SpineProblem: String, WireChoice {
    case wrongTitle
    case twoBooks
    case notABook
    /// The outline does not fit the spine.
    case cutOff
}
