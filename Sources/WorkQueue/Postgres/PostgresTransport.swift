import Bounds
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
        func list(_ keyword: String) -> [String] {
            option(keyword).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses) = (list("host"), list("hostaddr"))
        // libpq connects to the address where a server has both. Without any, it uses a Unix socket.
        hosts = Range(from: 0, upTo: max(names.count, addresses.count)).compactMap { index in
            [addresses, names].compactMap { $0.indices.contains(index) ? $0[index] : nil }.first { !$0.isEmpty }
        }
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
