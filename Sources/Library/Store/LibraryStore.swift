import Bounds
package import Foundation
package import GRDB
import Storage

/// The user's library; `library.sqlite` is written through it only.
///
/// It is a value over a connection pool: safe to use from any task, with reads concurrent to writes. Every method that
/// changes something is one transaction that leaves the data valid, or changes nothing and throws `LibraryError` or
/// `StorageError`.
///
/// The methods are in extensions by subject:
/// `entries`, `entry`, `add`, `update`, `remove`, `search` (the list) · `importScan` (what a scan found) ·
/// `duplicateQuestions`, `decide` · `inbox`, `verify`, `correct`, `reject`, `applyMatch`, `undo` (review) ·
/// `reviewStats` · `spineJPEG`, `cleanUpPhotos` (photos) · `find`, `compareShelf` (shelves) · `importBooks`,
/// `export` (files) · `record` (activity) · `backUp`, and the static `restore`.
package struct LibraryStore: Sendable {
    package let folder: LibraryFolder
    let pool: DatabasePool
    /// The time of writes; tests inject their own.
    let clock: @Sendable () -> Date
    private let lock: FileLock
    let pictures: PictureCache
    private let checks: CheckConnection
    /// The token of the actions that are made through this value.
    package private(set) var undoToken: UndoToken?

    /// Opens the library in `folder`, creates it if there is none, and migrates an older one.
    ///
    /// - Throws: `LibraryError.newerSchema`, `.damaged`, `.inUse`; `StorageError`.
    package init(folder: LibraryFolder, clock: @escaping @Sendable () -> Date = { Date() }) throws {
        try folder.prepare()
        try Self.finishRestore(in: folder)
        self.folder = folder
        self.clock = clock
        lock = try folder.lock(.shared)
        pictures = PictureCache()
        checks = CheckConnection(path: folder.database.path)
        do {
            pool = try DatabasePool(path: folder.database.path, configuration: Self.configuration(clock: clock))
            try Self.migrate(pool, path: folder.database.path)
        } catch let error as DatabaseError {
            throw error.described(path: folder.database.path)
        }
    }

    package static func configuration(clock: @escaping @Sendable () -> Date = { Date() }) -> Configuration {
        var configuration = Configuration()
        configuration.transactionClock = .custom { _ in clock() }
        configuration.label = "library"
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 6
        // Another Shelflist process may hold the database for the length of a transaction. SQLite's own waiting, of up to
        // 100 ms at a time, rarely meets the moment between two transactions of a long import, and events would wait.
        configuration.busyMode = .callback { attempt in
            usleep(500)
            return attempt < 20_000  // about 10 s
        }
        configuration.prepareDatabase { db in
            // In WAL mode, `NORMAL` could lose the last transactions in a power failure; a user's decision is worth a
            // sync.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // 16 MB for each connection: an import looks up every book, and 2 MB, the default, hold a tenth of the pages
            // of a library of 10,000.
            try db.execute(sql: "PRAGMA cache_size = -16384")
        }
        return configuration
    }

    private static func migrate(_ pool: DatabasePool, path: String) throws {
        let migrator = LibrarySchema.migrator
        if try pool.read({ try migrator.hasBeenSuperseded($0) }) { throw LibraryError.newerSchema(path) }
        try migrator.migrate(pool)
        // The connection that read above would decode rows by the columns that its tables had before.
        pool.invalidateReadOnlyConnections()
    }

    /// Returns the library with a token for all actions that are made through the returned value.
    package func actions(as token: UndoToken) -> LibraryStore {
        var library = self
        library.undoToken = token
        return library
    }

    /// Returns a number that grows with every transaction that changed something but scan jobs, in this process or
    /// another; used as a tag for lists.
    package func revision() async throws -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT revision FROM libraryState") ?? 0 }
    }
}

extension LibraryStore {
    package func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await reportingErrors { try await pool.read(body) }
    }

    /// Reads on a connection of its own, so that a health check does not wait for the readers, which requests share.
    package func readForCheck<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await reportingErrors { try await checks.queue().read(body) }
    }

    /// Runs `body` as one transaction.
    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await writeUnseen { db in try change(db) { try body(db) } }
    }

    /// Runs `body` as a transaction that changes only derived rows and those of jobs; the library's revision stays.
    ///
    /// What it changes of the library's own rows, it changes in `change`.
    package func writeUnseen<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await reportingErrors { try await pool.write(body) }
    }

    /// Runs `body` as a part of a transaction, with the undo token of this value.
    func change<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        if let undoToken { try db.execute("UPDATE libraryState SET undoToken = ?", [undoToken.rawValue]) }
        let before = db.totalChangesCount
        let result = try body()
        if db.totalChangesCount != before { try db.execute(sql: "UPDATE libraryState SET revision = revision + 1") }
        if undoToken != nil { try db.execute(sql: "UPDATE libraryState SET undoToken = NULL") }
        return result
    }

    /// Runs `body` as a transaction that is rolled back.
    func simulate<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await reportingErrors {
            try await pool.write { db in
                var result: Result<T, any Error>?
                try db.inSavepoint {
                    result = Result { try body(db) }
                    return .rollback
                }
                guard let result else { throw CancellationError() }
                return try result.get()
            }
        }
    }

    /// Converts errors of SQLite, and of rows that cannot be decoded, to `LibraryError` and `StorageError`.
    private func reportingErrors<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch {
            throw described(error)
        }
    }

    /// Returns the error as it is described to users.
    package func described(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_FULL:
            fullError(error)
        case let error as DatabaseError: error.described(path: folder.database.path)
        case is RowDecodingError, is DecodingError:
            LibraryError.damaged("\(folder.database.path) has a row that cannot be read. Restore a backup.")
        default: error
        }
    }
}

extension LibraryStore {
    /// SQLite reports used-up numbers as it does a full disk.
    private func fullError(_ error: DatabaseError) -> any Error {
        let path = folder.database.path
        do {
            guard let table = try pool.read({ try LibraryNumbers.usedUpTable($0) }) else {
                return error.described(path: path)
            }
            return LibraryError.numbersUsedUp(path, table: table)
        } catch {
            return error
        }
    }
}

extension Database {
    /// The time of the transaction, as the database keeps times.
    var milliseconds: Int64 { get throws { try transactionDate.milliseconds } }

    func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// Returns the ID of the new row.
    func insert<Owner>(_ sql: String, _ arguments: StatementArguments = []) throws -> RowID<Owner> {
        try execute(sql, arguments)
        return RowID(lastInsertedRowID)
    }
}

extension Date {
    /// Milliseconds since 1970, the database's format for times.
    package var milliseconds: Int64 { Int64(saturating: (timeIntervalSince1970 * 1000).rounded()) }

    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
