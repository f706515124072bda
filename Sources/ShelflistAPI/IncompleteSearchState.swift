/// The search for what is missing of books: its latest run, for those without a record or cover or for chosen ones.
package struct IncompleteSearchState: Codable, Hashable, Sendable {
    package enum Status: String, WireChoice {
        case idle, running, completed, stopped, failed
    }

    @Known package var status: Status?
    /// Whether a source of records is on.
    package var sourcesOn: Bool
    /// Whether the run is for books that a user chose.
    package var chosen = false
    /// The number of books of the run.
    package var total: Int
    package var done = 0
    /// Books that have a record and a cover now; of chosen ones, those of which a cover, publisher, year or page count was
    /// found.
    package var completed = 0
    /// The messages of sources that could not be asked.
    package var failures: [String] = []
    /// Undoes what the run changed so far.
    @Null package var undoToken: String?

    package init(status: Status, sourcesOn: Bool, total: Int = 0) {
        (self.status, self.sourcesOn, self.total) = (status, sourcesOn, total)
    }
}
