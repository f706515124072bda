import Foundation

/// The host names and IP addresses of this machine.
package enum HostNames {
    /// Returns names and addresses by which a phone on the same network may reach this machine, most likely first.
    package static func all() -> [String] {
        let host = ProcessInfo.processInfo.hostName
        let short = host.split(separator: ".").first.map(String.init) ?? host
        var names: [String] = addresses()
        for name in [host, "\(short).local", "localhost", "127.0.0.1", "::1"] where !names.contains(name) {
            names.append(name)
        }
        return names.filter { !$0.isEmpty }
    }

    /// Returns the IPv4 addresses of the network interfaces, private ones first, then IPv6 addresses that are not
    /// link-local.
    package static func addresses() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var four: [String] = []
        var six: [String] = []
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr else { continue }
            let isUp = entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
            let isLoopback = entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            guard isUp, !isLoopback else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if family == AF_INET {
                four.append(name)
            } else if !name.contains("%") {
                six.append(name)
            }
        }
        return four.sorted { isPrivate($0) && !isPrivate($1) } + six
    }

    private static func isPrivate(_ address: String) -> Bool {
        address.hasPrefix("192.168.") || address.hasPrefix("10.")
            || (16...31).contains { address.hasPrefix("172.\($0).") }
    }
}
