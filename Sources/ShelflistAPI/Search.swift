/// A record that search returns and that matching accepts.
public struct SearchRecord: Codable, Hashable, Identifiable, Sendable {
    public var id: String
    /// The name of the catalog or provider.
    public var source: String
    public var title: String
    @Null public var subtitle: String?
    public var authors: [String]
    @Null public var isbn: String?
    @Null public var publisher: String?
    @Null public var year: Int?
    @Null public var pages: Int?
    @Null public var language: String?
    @Null public var series: String?
    @Null public var coverUrl: ServerPath?
    public var work: String?
    /// All sources that have it.
    public var sources: [String]?
    /// The copy of this book that the library has.
    public var inLibrary: String?

    public init(id: String, source: String, title: String, authors: [String] = [], isbn: String? = nil) {
        self.id = id
        self.source = source
        self.title = title
        self.authors = authors
        self.isbn = isbn
    }
}

/// What was found, and the status of each source.
public struct SearchResults: Codable, Hashable, Sendable {
    public struct Source: Codable, Hashable, Sendable {
        public var source: String
        /// `ok`, `degraded`, `off` or another word.
        public var state: String
        public var message: String?
        public var retryAfterMs: Int?
        public var count: Int

        public init(
            source: String, state: String, message: String? = nil, retryAfterMs: Int? = nil, count: Int
        ) {
            self.source = source
            self.state = state
            self.message = message
            self.retryAfterMs = retryAfterMs
            self.count = count
        }
    }

    /// Best first.
    public var items: [SearchRecord]
    public var sources: [Source]

    public init(items: [SearchRecord], sources: [Source]) {
        self.items = items
        self.sources = sources
    }
}

/// What matching a book with a record changes, or has changed.
public struct MatchChanges: Codable, Hashable, Sendable {
    public struct Field: Codable, Hashable, Sendable {
        public var field: String
        @Null public var from: String?
        @Null public var to: String?

        public init(field: String, from: String?, to: String?) {
            self.field = field
            self.from = from
            self.to = to
        }
    }

    /// False for a preview.
    public var applied: Bool
    public var changes: [Field]
    /// The fields that stay as they are.
    public var keeps: [String]
    @Null public var workId: String?
    @Null public var undoToken: String?
    /// The version of the book, to be sent with changes.
    public var etag: String

    public init(
        applied: Bool, changes: [Field], keeps: [String], workId: String?, undoToken: String?, etag: String
    ) {
        self.applied = applied
        self.changes = changes
        self.keeps = keeps
        self.workId = workId
        self.undoToken = undoToken
        self.etag = etag
    }
}

/// Where to search for records.
public enum SearchSources: String, CaseIterable, Sendable {
    /// The catalog and all providers that are on.
    case all
    /// Only the catalog on the server.
    case local
    /// Only the providers that are on.
    case providers
}
