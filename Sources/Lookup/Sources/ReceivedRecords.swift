package import Bibliography
package import Catalog
package import Foundation
package import Providers
import Synchronization

/// The records that providers returned, one catalog for each provider, and the questions they answered.
///
/// Kept in the data directory, so that a second scan of a shelf needs no network. It can be deleted.
package final class ReceivedRecords: Sendable {
    /// A provider may have the book later.
    private static let freshness: TimeInterval = 90 * 86_400

    private let folder: URL
    private let opened = Mutex<[ProviderName: Catalog]>([:])

    /// - Parameter folder: created with the first record.
    package init(folder: URL) { self.folder = folder }

    /// Returns the records as catalogs; empty if none were received yet.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func catalogs() throws -> [Catalog] {
        try ProviderName.allCases.compactMap { provider in
            try FileManager.default.fileExists(atPath: file(provider).path) ? catalog(of: provider) : nil
        }
    }

    /// Returns which of these questions the provider was not asked in the last 90 days.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`.
    package func unanswered(_ questions: [WordQuery], of provider: ProviderName, now: Date) throws -> [WordQuery] {
        guard FileManager.default.fileExists(atPath: file(provider).path) else { return questions }
        let asked = try catalog(of: provider).answered(questions.map(\.key), since: now - Self.freshness)
        return questions.filter { !asked.contains($0.key) }
    }

    /// Keeps an answer, also an empty one.
    ///
    /// - Throws: `CatalogError`, `DatabaseError`, and the errors of creating the folder; nothing is kept then.
    package func add(
        _ records: [BookRecord], answering questions: [WordQuery], of provider: ProviderName, now: Date
    ) throws {
        try catalog(of: provider).add(records, answering: questions.map(\.key), at: now)
    }

    private func file(_ provider: ProviderName) -> URL { folder.appending(path: "\(provider.rawValue).sqlite") }

    private func catalog(of provider: ProviderName) throws -> Catalog {
        try opened.withLock { opened in
            if let catalog = opened[provider] { return catalog }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let catalog = try Catalog(path: file(provider).path, source: provider.rawValue)
            opened[provider] = catalog
            return catalog
        }
    }
}

extension WordQuery {
    fileprivate var key: String {
        [title, author, anywhere].map { $0.joined(separator: " ") }.joined(separator: "|")
    }
}
