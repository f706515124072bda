import Bounds
import CPostgres
import Foundation
import ShelflistAPI

/// The address of a PostgreSQL database, as libpq takes it: `postgresql://user@host/database?sslmode=verify-full`.
///
/// Everything that libpq knows is available: TLS, password files, service files.
package struct PostgresAddress: Sendable {
    /// May contain a password: never shown.
    let text: String
    private let password: String?

    /// - Throws: `PostgresError` without the address, because it may contain a password.
    package init(_ text: String) throws {
        if let reason = shelf_pq_load() {
            throw PostgresError.libraryMissing(String(cString: reason))
        }
        var password: UnsafeMutablePointer<CChar>?
        let isURI = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
        guard isURI, !text.contains("\0"), shelf_pq_parse(text, &password) else { throw PostgresError.invalidAddress }
        self.text = text
        self.password = password.map { String(cString: $0) }
        free(password)
    }

    /// A message of libpq on one line, without the password.
    func withoutPassword(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: " ")
        return EscapedText.redacted(password ?? "", in: line)
    }
}

/// Why the database did not do what was asked.
package enum PostgresError: ReportedError, Equatable {
    case libraryMissing(String)
    case invalidAddress
    /// There is no connection: it is worth trying again.
    case unreachable(String)
    /// The database refused a statement.
    case refused(sqlState: String, message: String)

    package var problemCode: String {
        switch self {
        case .libraryMissing: "libpq_missing"
        case .invalidAddress: "invalid_address"
        case .unreachable: "work_queue_unreachable"
        case .refused: "work_queue_refused"
        }
    }

    package var description: String {
        switch self {
        case .libraryMissing(let reason):
            "The work queue needs the PostgreSQL client library (\(reason)). Install it: apt install libpq5."
        case .invalidAddress:
            """
            The address of the work queue is not valid. Use the form postgresql://user@host:5432/database, with special \
            characters of the password percent-encoded.
            """
        case .unreachable(let reason):
            "The work queue cannot be reached (\(reason)). Check the address and the database."
        case .refused("42501", let message):
            """
            The role of the work queue's address lacks a right (\(message)). Servers use the role that owns the database; let \
            a role of workers work with: shelflist work-queue init --worker-role ROLE.
            """
        case .refused(let state, let message):
            "The work queue's database refused a statement (\(state): \(message)). Check its log."
        }
    }

    /// Whether the same statement may succeed later.
    package var isTransient: Bool {
        switch self {
        case .unreachable: true
        // Serialisation failures, deadlocks, too many connections, out of memory or disk, shutdowns and failovers,
        // time-outs.
        case .refused(let state, _):
            ["40", "53", "57"].contains { state.hasPrefix($0) } || ["25006", "55P03"].contains(state)
        case .libraryMissing, .invalidAddress: false
        }
    }
}

/// A parameter of a statement.
package enum PostgresValue: Sendable {
    case null
    case text(String)
    case bytes([UInt8])

    package static func number(_ number: some BinaryInteger) -> PostgresValue { .text("\(number)") }

    /// A parameter of the type `bigint[]`.
    package static func numbers(_ numbers: some Sequence<Int64>) -> PostgresValue {
        .text("{" + numbers.map { "\($0)" }.joined(separator: ",") + "}")
    }

    /// A parameter of the type `interval`.
    package static func interval(_ duration: Duration) -> PostgresValue {
        .text("\(duration / .milliseconds(1)) milliseconds")
    }
}

/// A row of a result.
package struct PostgresRow: Sendable {
    let columns: [[UInt8]?]

    /// The bytes of a column; nil for NULL.
    package func bytes(_ column: Int) -> [UInt8]? { columns[column] }

    /// A column that was selected as text; nil for NULL.
    package func text(_ column: Int) -> String? { columns[column].map { String(decoding: $0, as: UTF8.self) } }

    /// A column that was selected as text; nil for NULL and for other text than a number.
    package func number(_ column: Int) -> Int64? { text(column).flatMap { Int64($0) } }
}
