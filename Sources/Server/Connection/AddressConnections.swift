import NIOCore
import Synchronization

/// Counts the open connections of each address, so that one client cannot hold all of them.
final class AddressConnections: Sendable {
    private let limit: Int
    /// Proxies, which connect for many clients.
    private let exempt: Set<AddressRange>
    private let open = Mutex<[IPAddress: Int]>([:])

    init(limit: Int, exempt: Set<AddressRange>) { (self.limit, self.exempt) = (limit, exempt) }

    /// Counts a connection until it is closed.
    ///
    /// - Returns: `false` if its address has too many connections already.
    func admit(_ channel: any Channel) -> Bool {
        guard let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }),
            !exempt.contains(where: { $0.contains(address) })
        else { return true }
        let network = address.network
        let isAdmitted = open.withLock { open in
            guard open[network, default: 0] < limit else { return false }
            open[network, default: 0] += 1
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in
            self.open.withLock { open in
                let left = (open[network] ?? 1) - 1
                open[network] = left > 0 ? left : nil
            }
        }
        return true
    }
}
