import Foundation

/// An IPv4 or IPv6 address.
///
/// An IPv4 address in the form of an IPv6 address (`::ffff:192.0.2.1`) equals the IPv4 address.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes.
    fileprivate let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: `nil` if the text is not an address. A zone (`%eth0`) is ignored.
    package init?(_ text: String) {
        let text = String(text.prefix { $0 != "%" })
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        let all = withUnsafeBytes(of: six) { Array($0) }
        let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
        bytes = isMapped ? Array(all.suffix(4)) : all
    }

    /// The addresses that belong to the same client: an IPv4 address, or the first 64 bits of an IPv6 address.
    package var network: IPAddress {
        bytes.count == 4 ? self : IPAddress(bytes: Array(bytes.prefix(8)) + [UInt8](repeating: 0, count: 8))
    }

    /// Whether the address is of this machine.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A range of addresses: `192.168.0.0/16`, or a single address.
package struct AddressRange: Hashable, Sendable {
    private let address: IPAddress
    private let bits: Int

    /// - Returns: `nil` if the text is not an address, optionally with the number of bits of the network.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let width = address.bytes.count * 8
        guard parts.count > 1 else {
            (self.address, bits) = (address, width)
            return
        }
        guard let bits = Int(parts[1]), bits >= 0, bits <= width else { return nil }
        (self.address, self.bits) = (address, bits)
    }

    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = bits / 8
        guard address.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let rest = bits % 8
        return rest == 0 || (address.bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}
