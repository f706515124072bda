import Bounds
import CPostgres
import Dispatch
import Foundation
import ShelflistAPI

/// One connection to PostgreSQL, opened when it is needed and opened again after it was lost.
///
/// Statements run one after another on a thread of the connection's own, because libpq blocks it: for the time of a
/// statement and for up to five seconds while connecting.
package actor PostgresConnection {
    private let executor = ConnectionExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let address: PostgresAddress
    /// Run after connecting: LISTEN, for example.
    private let preparation: [String]
    /// Called with the payload of each notification, and with nil after each connection: notifications may have been lost.
    private let onNotification: (@Sendable (String?) -> Void)?

    private var connection: OpaquePointer?
    /// Of the last connection, also where connecting failed; nil before the first.
    package private(set) var transport: PostgresTransport?
    /// The names of the statements that this connection has prepared.
    private var prepared: [String: String] = [:]
    private var source: (any DispatchSourceRead)?
    private var failures = ConnectionFailures()

    /// Kept short, so that a machine that vanishes is noticed before a lease expires.
    private static let defaults = [
        "connect_timeout", "5", "keepalives_idle", "5", "keepalives_interval", "3", "keepalives_count", "3",
        "tcp_user_timeout", "15000", "client_encoding", "UTF8", "fallback_application_name", "shelflist",
    ]
    /// Commits do not wait for the disk: what a crash of the database loses, the servers offer again.
    ///
    /// Without generic plans, planning copies each photo several times, as a constant of the statement.
    private static let settings = [
        "SET statement_timeout = '30s'", "SET synchronous_commit = off", "SET plan_cache_mode = force_generic_plan",
        "SET jit = off",
    ]
    /// A statement with a photo may take this much longer to be sent.
    private static let longestTransfer = Duration.seconds(60)

    package init(
        _ address: PostgresAddress, preparation: [String] = [],
        onNotification: (@Sendable (String?) -> Void)? = nil
    ) {
        (self.address, self.preparation, self.onNotification) = (address, preparation, onNotification)
    }

    isolated deinit { close() }

    // MARK: Statements

    /// Runs one statement, and connects first where there is no connection.
    ///
    /// - Parameters:
    ///   - binary: whether the result's columns arrive as bytes; columns of other types than `bytea` and `text` have to be
    ///     cast to `text` then.
    /// - Throws: `PostgresError`.
    @discardableResult
    package func run(
        _ statement: String, _ parameters: [PostgresValue] = [], binary: Bool = false
    ) throws(PostgresError) -> [PostgresRow] {
        try connect()
        return try execute(statement, parameters, binary: binary) { Self.rows(of: $0) }
    }

    /// Runs one statement whose rows are the pieces of one value.
    ///
    /// - Returns: the first columns of all rows, one after another.
    /// - Throws: `PostgresError`.
    package func bytes(_ statement: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> [UInt8] {
        try connect()
        return try execute(statement, parameters, binary: true) { result in
            let rows = Range(from: 0, upTo: shelf_pq_rows(result))
            var bytes: [UInt8] = []
            bytes.reserveCapacity(rows.reduce(0) { $0 + Int(shelf_pq_length(result, $1, 0)) })
            for row in rows { if let value = Self.value(result, row, 0) { bytes += value } }
            return bytes
        }
    }

    /// Runs statements as one transaction; `body` decides on the later ones.
    ///
    /// - Throws: `PostgresError`, after which nothing was changed.
    package func transaction<Value: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        try run("BEGIN")
        let value: Value
        do {
            value = try body(self)
        } catch {
            // A connection whose transaction did not end is of no further use.
            do { try run("ROLLBACK") } catch { close() }
            throw error
        }
        try run("COMMIT")
        return value
    }

    private func execute<Value>(
        _ statement: String, _ parameters: [PostgresValue] = [], binary: Bool = false,
        _ copied: (OpaquePointer) -> Value
    ) throws(PostgresError) -> Value {
        guard let connection else { throw .unreachable(failures.reason) }
        let milliseconds = Int32(saturating: Self.longestTransfer / .milliseconds(1))
        let name = prepared[statement] ?? "s\(prepared.count)"
        if prepared[statement] == nil {
            try checked({ shelf_pq_prepare(connection, name, statement, milliseconds, &$0) }) { _ in }
            prepared[statement] = name
        }
        let value = try checked(
            { result in
                StatementArguments.with(parameters) { arguments in
                    shelf_pq_run(
                        connection, name, Int32(parameters.count), arguments.values, arguments.lengths,
                        arguments.isBinary, binary, milliseconds, &result)
                }
            }, copied)
        deliverNotifications()
        return value
    }

    /// Checks what a function of libpq returned, and copies what is wanted of it.
    private func checked<Value>(
        _ function: (inout OpaquePointer?) -> shelf_pq_status, _ copied: (OpaquePointer) -> Value
    ) throws(PostgresError) -> Value {
        var result: OpaquePointer?
        let status = function(&result)
        defer { if let result { shelf_pq_free(result) } }
        guard status != SHELF_PQ_LOST, let result else { throw lost() }
        guard status == SHELF_PQ_ROWS else {
            throw .refused(
                sqlState: String(cString: shelf_pq_sqlstate(result)),
                message: address.withoutPassword(String(cString: shelf_pq_result_error(result))))
        }
        return copied(result)
    }

    private static func rows(of result: OpaquePointer) -> [PostgresRow] {
        Range(from: 0, upTo: shelf_pq_rows(result)).map { row in
            PostgresRow(
                columns: Range(from: 0, upTo: shelf_pq_columns(result)).map { column in
                    value(result, row, column).map { [UInt8]($0) }
                }
            )
        }
    }

    /// A value of a result, valid as long as the result; nil for NULL.
    private static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
        shelf_pq_value(result, row, column).map {
            UnsafeRawBufferPointer(start: $0, count: Int(shelf_pq_length(result, row, column)))
        }
    }

    // MARK: Connecting

    /// - Throws: `PostgresError.unreachable`, at once while the connection waits to try again.
    private func connect() throws(PostgresError) {
        guard connection == nil else { return }
        guard ContinuousClock.now >= failures.retryAt else { throw .unreachable(failures.reason) }
        var defaults = Self.defaults.map { strdup($0) } + [nil]
        defer { for text in defaults { free(text) } }
        let opened = defaults.withUnsafeMutableBufferPointer { buffer in
            buffer.withMemoryRebound(to: UnsafePointer<CChar>?.self) {
                shelf_pq_connect(address.text, $0.baseAddress)
            }
        }
        connection = opened
        transport = opened.map { PostgresTransport($0) }
        guard let opened, shelf_pq_is_connected(opened) else { throw lost() }
        do {
            for statement in Self.settings + preparation { try execute(statement) { _ in } }
        } catch {
            throw lost()
        }
        failures.end()
        watch(opened)
        onNotification?(nil)
    }

    /// Closes a connection that does not work any more.
    ///
    /// - Returns: the reason, to throw.
    private func lost() -> PostgresError {
        let message = connection.map { String(cString: shelf_pq_connection_error($0)) } ?? "not enough memory"
        failures.add(address.withoutPassword(message))
        close()
        return .unreachable(failures.reason)
    }

    package func close() {
        source?.cancel()
        source = nil
        if let connection { shelf_pq_close(connection) }
        connection = nil
        prepared = [:]
    }

    // MARK: Notifications

    /// Reads notifications as they arrive, also while no statement runs.
    private func watch(_ connection: OpaquePointer) {
        guard onNotification != nil else { return }
        // A descriptor of the source's own: libpq may close its own before the source is cancelled.
        let descriptor = dup(shelf_pq_socket(connection))
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: executor.queue)
        source.setCancelHandler { Foundation.close(descriptor) }
        source.setEventHandler { [weak self] in self?.assumeIsolated { $0.receive() } }
        source.resume()
        self.source = source
    }

    private func receive() {
        guard let connection else { return }
        guard shelf_pq_consume(connection) else {
            _ = lost()
            // Its user has to connect again to be notified.
            onNotification?(nil)
            return
        }
        deliverNotifications()
    }

    private func deliverNotifications() {
        guard let connection, let onNotification else { return }
        var channel = [CChar](repeating: 0, count: 64)
        var payload = [CChar](repeating: 0, count: 8000)
        while shelf_pq_notification(connection, &channel, channel.count, &payload, payload.count) {
            onNotification(String(decoding: payload.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
    }
}
