package import Bibliography
package import Foundation

/// A catalog on the internet.
///
/// Neither function throws: what can go wrong is part of the answer, because a person must be able to tell "there is no
/// such book" from "nobody could be asked".
package protocol BookProvider: Sendable {
    var name: ProviderName { get }
    /// Searches for what a person typed; `limit` is 1...40.
    func search(_ text: String, scope: SearchScope, limit: Int) async -> ProviderAnswer
    /// Looks one book up.
    func lookUp(_ isbn: ISBN) async -> ProviderAnswer
    /// How it did lately; asks nobody.
    func condition() async -> ProviderCondition
}

/// How a provider did lately.
package enum ProviderCondition: Equatable, Sendable {
    /// It answers, or was not asked yet.
    case working
    /// It failed several times, and is not asked before this.
    case resting(until: Date)
    /// It asked not to be asked before this.
    case busy(until: Date)
    /// It refuses the key.
    case refusing
}

/// The providers that there are; the raw value is `Record.source` of their records.
package enum ProviderName: String, CaseIterable, Codable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "googlebooks"
    case isbndb

    /// As its makers write it.
    package var title: String {
        switch self {
        case .openLibrary: "Open Library"
        case .googleBooks: "Google Books"
        case .isbndb: "ISBNdb"
        }
    }
}

/// A record of a provider, with its cover.
package struct ProviderRecord: Hashable, Codable, Sendable {
    package var record: Record
    /// Where the cover picture is; `CoverStore` fetches it if the host is one of the known.
    package var coverURL: URL?

    package init(record: Record, coverURL: URL? = nil) {
        self.record = record
        self.coverURL = coverURL
    }
}

/// What a provider answered.
package enum ProviderAnswer: Equatable, Sendable {
    /// At least one record, best first.
    case found([ProviderRecord])
    /// The provider was asked, and has no such book.
    case notFound
    /// The provider could not be asked; says nothing about the book.
    case down(Outage)

    /// The records; none unless found.
    package var records: [ProviderRecord] {
        if case .found(let records) = self { records } else { [] }
    }

    init(_ records: [ProviderRecord]) { self = records.isEmpty ? .notFound : .found(records) }
}

/// Why a provider could not be asked, and when it is worth trying again.
package struct Outage: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// No connection, or it was cut.
        case unreachable
        case timeout
        /// Too many requests (429), or more are waiting here than the provider takes.
        case busy
        /// A status of 500 and above, or one that makes no sense.
        case status(Int)
        /// The key is missing, wrong or used up (401, 402, 403).
        case refused(Int)
        /// Something other than the JSON that its documentation promises.
        case unreadable(String)
        /// It failed several times lately, and is left in peace for a while.
        case resting
    }

    package var provider: ProviderName
    package var reason: Reason
    /// Not earlier than this; nil where only a person can mend it.
    package var retryAt: Date?

    package init(provider: ProviderName, reason: Reason, retryAt: Date?) {
        (self.provider, self.reason, self.retryAt) = (provider, reason, retryAt)
    }

    package var description: String {
        let what =
            switch reason {
            case .unreachable: "cannot be reached"
            case .timeout: "did not answer in time"
            case .busy: "takes no more requests just now"
            case .status(let status): "is out of order (status \(status))"
            case .refused(let status): "refuses the key (status \(status)); check it in the configuration"
            case .unreadable(let why): "gave an answer that cannot be read (\(why))"
            case .resting: "failed several times and is not asked for a while"
            }
        guard let retryAt else { return "\(provider.title) \(what)" }
        let seconds = max(1, Int(retryAt.timeIntervalSinceNow.rounded(.up)))
        return "\(provider.title) \(what); try again in \(seconds) s"
    }
}
