import GRDB
import GRDBSQLite

/// A prepared statement that uses SQLite's C API, for the millions of rows of an import: GRDB's generic arguments
/// cost several times as much as the insertion.
///
/// Valid only within the database access that created it, on that access's thread.
final class RawStatement {
    private let statement: OpaquePointer
    private let connection: OpaquePointer

    init(_ db: Database, _ sql: String) throws {
        guard let connection = db.sqliteConnection else { throw DatabaseError(message: "the connection is closed") }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: Self.message(connection), sql: sql)
        }
        statement = prepared
        self.connection = connection
    }

    deinit { sqlite3_finalize(statement) }

    /// Binds a number; parameters are counted from 1.
    func bind(_ parameter: Int32, _ value: Int64) { sqlite3_bind_int64(statement, parameter, value) }

    func bind(_ parameter: Int32, orNull value: Int) {
        if value == 0 {
            sqlite3_bind_null(statement, parameter)
        } else {
            sqlite3_bind_int64(statement, parameter, Int64(value))
        }
    }

    /// Binds text without copying it; `text` must outlive the next `run()`.
    ///
    /// Empty text is bound as NULL.
    func bind(_ parameter: Int32, _ text: UnsafeBufferPointer<UInt8>) {
        if text.isEmpty {
            sqlite3_bind_null(statement, parameter)
        } else {
            // A nil destructor is SQLITE_STATIC: SQLite does not copy the bytes.
            let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
            sqlite3_bind_text(statement, parameter, start, Int32(text.count), nil)
        }
    }

    func bind(_ parameter: Int32, _ range: TextRange, of text: UnsafeBufferPointer<UInt8>) {
        let start = Int(range.start)
        bind(parameter, UnsafeBufferPointer(rebasing: text[start..<start + Int(range.count)]))
    }

    /// Executes a statement that does not return rows.
    ///
    /// - Throws: `DatabaseError`.
    func run() throws {
        _ = try step()
        sqlite3_reset(statement)
    }

    /// Advances to the next row; at the end, resets the statement and returns false.
    ///
    /// - Throws: `DatabaseError`.
    func step() throws -> Bool {
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: Self.message(connection))
        }
        return false
    }

    func reset() { sqlite3_reset(statement) }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// Returns the text of a column, valid until the next step; empty for NULL.
    func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(statement, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// Returns the bytes of a column, valid until the next step.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    private static func message(_ connection: OpaquePointer) -> String { String(cString: sqlite3_errmsg(connection)) }
}
