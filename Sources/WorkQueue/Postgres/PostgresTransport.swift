import CPostgres
import Foundation

/// Between which machines a connection runs, and how it is protected.
package struct PostgresTransport: Equatable, Sendable {
    /// Names, addresses and folders of Unix sockets.
    package var hosts: [String]
    /// libpq's: `disable` to `verify-full`.
    package var sslMode: String

    package init(hosts: [String], sslMode: String) { (self.hosts, self.sslMode) = (hosts, sslMode) }

    init(_ connection: OpaquePointer) {
        func option(_ keyword: String) -> String {
            guard let value = shelf_pq_option(connection, keyword) else { return "" }
            defer { free(value) }
            return String(cString: value)
        }
        let address = option("hostaddr")
        // libpq connects to the address where both are given. Without any, it uses a Unix socket.
        hosts = (address.isEmpty ? option("host") : address).split(separator: ",").map(String.init)
        sslMode = option("sslmode")
    }

    /// What to do where others on the network can read the photos or replace the database; nil where they cannot.
    package var warning: String? {
        guard sslMode != "verify-full", let host = hosts.first(where: { !Self.isHere($0) }) else { return nil }
        return """
            Add sslmode=verify-full to the address of the work queue: without it, others on the network can read and \
            change the photos on their way to \(host).
            """
    }

    private static func isHere(_ host: String) -> Bool {
        let isLoopback = host.hasPrefix("127.") && host.split(separator: ".").allSatisfy { UInt8($0) != nil }
        return isLoopback || ["localhost", "::1"].contains(host) || host.hasPrefix("/") || host.hasPrefix("@")
    }
}
