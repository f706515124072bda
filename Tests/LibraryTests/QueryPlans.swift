import GRDB
import Library
import Synchronization

/// The statements that a library runs, and how SQLite looks for their rows.
final class QueryPlans: Sendable {
    private let statements = Mutex<[String]>([])

    /// Runs `body` and returns the statements that it reads with.
    ///
    /// Reads that follow each other use the same connection.
    static func ofReads(in store: LibraryStore, _ body: () async throws -> Void) async throws -> [String] {
        let plans = QueryPlans()
        try await store.read { db in db.trace { plans.add($0) } }
        try await body()
        try await store.read { db in db.trace(options: []) }
        return plans.statements.withLock(\.self)
    }

    /// Runs `body` and returns the statements of its transactions.
    static func ofWrites(in store: LibraryStore, _ body: () async throws -> Void) async throws -> [String] {
        let plans = QueryPlans()
        try await store.writeUnseen { db in db.trace { plans.add($0) } }
        try await body()
        try await store.writeUnseen { db in db.trace(options: []) }
        return plans.statements.withLock(\.self)
    }

    private func add(_ event: Database.TraceEvent) {
        if case .statement(let statement) = event { statements.withLock { $0.append(statement.sql) } }
    }

    /// Returns the steps that compare each row with all rows of a table, or make an index for one statement.
    static func scans(of statement: String, in store: LibraryStore) async throws -> [String] {
        guard statement.hasPrefix("SELECT") || statement.hasPrefix("WITH") else { return [] }
        return try await store.read { db in
            let query = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement)")
            query.setUncheckedArguments(StatementArguments())
            let steps = try Row.fetchAll(query).map { (parent: $0["parent"] as Int, detail: $0["detail"] as String) }
            let loops = steps.filter { $0.detail.hasPrefix("SCAN") || $0.detail.hasPrefix("SEARCH") }
            return Dictionary(grouping: loops, by: \.parent).values.flatMap { nested in
                nested.dropFirst().filter { $0.detail.hasPrefix("SCAN") }
                    + nested.filter { $0.detail.contains("AUTOMATIC") }
            }.map(\.detail)
        }
    }
}
