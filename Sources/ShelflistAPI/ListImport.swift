/// An uploaded list of books and its import.
public struct ListImport: Codable, Hashable, Identifiable, Sendable {
    /// A row that was not imported.
    public struct FailedRow: Codable, Hashable, Sendable {
        /// The line of the file on which the row begins, from 1.
        public var line: Int
        public var reason: String
        /// The beginning of the row, empty if it is blank; nil if it could not be parsed.
        public var content: String?

        public init(line: Int, reason: String, content: String?) {
            (self.line, self.reason, self.content) = (line, reason, content)
        }
    }

    public enum Status: String, WireChoice {
        case preview, running, completed, failed, canceled
    }

    public var id: String
    public var name: String
    @Known public var status: Status?
    public var format = "csv"
    public var encoding = "UTF-8"
    /// An encoding that is almost as plausible, where a list has few letters beyond ASCII.
    @Null public var otherEncoding: String?
    /// The encodings in which a list can be uploaded.
    public var encodings = ["UTF-8"]
    public var delimiter = ","
    public var columns: [String] = []
    /// The field of each column; nil for a column that is not imported.
    public var mapping: [String: String?] = [:]
    /// The first rows.
    public var sample: [[String]] = []
    public var rows: Int
    /// Whether a preview has read the first rows only, because the list is long.
    ///
    /// `rows` counts those. Nil from an earlier version.
    public var hasMoreRows: Bool?
    public var done = 0
    public var added = 0
    /// Rows that changed the copy with their barcode; nil from an earlier version.
    public var changed: Int?
    /// Rows that were not added, because the library has the book or because an earlier import of this list added it.
    public var skipped = 0
    /// The rows that the library has, the first 1,000.
    ///
    /// Starting the import again with another decision adds them.
    public var skippedRows: [FailedRow] = []
    /// Rows that no catalog has; they were added as the list describes them.
    public var notFound = 0
    /// Rows that were added without a value that could not be read, the first 1,000.
    public var incompleteRows: [FailedRow] = []
    /// The first 1,000.
    public var failedRows: [FailedRow] = []
    /// Once the import is completed and has added books.
    @Null public var undoToken: String?
    public var problem: String?

    public init(id: String, name: String, status: Status, rows: Int) {
        (self.id, self.name, self.status, self.rows) = (id, name, status, rows)
    }
}

/// How a list is imported.
public struct ListImportOptions: Codable, Hashable, Sendable {
    /// The fields of columns that differ from the detected ones; nil for a column that is not imported.
    public var mapping: [String: String?]?
    /// What to do with books that the library has: `skip` (the default), `addCopy`, or `different`, which adds them as
    /// books of their own.
    public var duplicates: String?
    /// The identifier of a shelf.
    public var shelf: String?

    public init(mapping: [String: String?]? = nil, duplicates: String? = nil, shelf: String? = nil) {
        (self.mapping, self.duplicates, self.shelf) = (mapping, duplicates, shelf)
    }
}

/// The forms in which the library can be exported.
public enum ListFormat: String, CaseIterable, Sendable {
    /// A list that Shelflist imports without loss.
    case csv
    /// A list that Goodreads imports.
    case goodreads
    /// All fields.
    case json
    /// A bibliography.
    case bibtex
    /// References for reference managers.
    case ris
    /// References as the Citation Style Language has them (CSL-JSON).
    case csl
    /// Records for library systems: MARC 21 in XML, each with its copies.
    case marcxml
}
