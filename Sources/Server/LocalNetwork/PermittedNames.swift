import Foundation
import SwiftASN1
import X509

/// The names that a local authority may certify: this machine's, names that exist in local networks only, and
/// private addresses (RFC 5280, 4.2.1.10).
///
/// Phones enforce the constraints, so that a stolen key cannot impersonate sites of the internet. A permitted domain
/// includes everything below it, so names without a dot are left out: `cloud` and `media` are usual names of home servers
/// as well as domains of the internet.
struct PermittedNames {
    private let domains: [String]
    private let ranges: [[UInt8]]

    /// Domains that exist in local networks only.
    private static let localDomains = ["localhost", "local", "home.arpa", "internal", "lan"]

    /// - Parameter names: host names and addresses that are permitted besides the local ones, if `mayInclude` says so.
    init(including names: [String]) {
        var domains = Self.localDomains
        var ranges = Self.privateRanges
        for name in names.filter(Self.mayInclude).map(GeneralName.init(host:)) {
            switch name {
            case .dnsName(let host): domains.append(host.lowercased())
            case .ipAddress(let address):
                let bytes = Array(address.bytes)
                ranges.append(bytes + Self.mask(bits: bytes.count * 8, of: bytes.count))
            default: break
            }
        }
        var seen: Set<String> = []
        self.domains = domains.filter { seen.insert($0).inserted }
        self.ranges = ranges
    }

    /// Whether an authority may certify a name: an address, a local name, or a name with a dot between its parts.
    static func mayInclude(_ host: String) -> Bool {
        guard case .dnsName = GeneralName(host: host) else { return true }
        return localDomains.contains(host.lowercased()) || host.split(separator: ".").count > 1
    }

    /// Reads the constraints of an authority; `nil` for one that may certify any name, or a whole top-level domain of
    /// the internet.
    init?(of authority: Certificate) throws {
        guard let constraints = try authority.extensions.nameConstraints,
            !constraints.permittedDNSDomains.isEmpty, !constraints.permittedIPRanges.isEmpty,
            constraints.permittedDNSDomains.allSatisfy(Self.mayInclude)
        else { return nil }
        domains = Array(constraints.permittedDNSDomains)
        ranges = constraints.permittedIPRanges.map { Array($0.bytes) }
    }

    var constraints: NameConstraints {
        NameConstraints(
            permittedDNSDomains: domains,
            permittedIPRanges: ranges.map { ASN1OctetString(contentBytes: ArraySlice($0)) })
    }

    func allows(_ host: String) -> Bool {
        switch GeneralName(host: host) {
        case .dnsName(let host):
            let host = host.lowercased()
            return domains.contains { host == $0 || host.hasSuffix(".\($0)") }
        case .ipAddress(let address):
            let bytes = Array(address.bytes)
            return ranges.contains { range in
                range.count == 2 * bytes.count
                    && bytes.indices.allSatisfy { (bytes[$0] ^ range[$0]) & range[bytes.count + $0] == 0 }
            }
        default: return false
        }
    }

    /// Addresses, each with its mask.
    ///
    /// RFC 1918, RFC 3927, RFC 6598, RFC 4193, RFC 4291.
    private static let privateRanges: [[UInt8]] = [
        ("10.0.0.0", 8), ("172.16.0.0", 12), ("192.168.0.0", 16), ("169.254.0.0", 16), ("100.64.0.0", 10),
        ("127.0.0.0", 8), ("fc00::", 7), ("fe80::", 10), ("::1", 128),
    ].compactMap { address, bits in
        guard case .ipAddress(let octets) = GeneralName(host: address) else { return nil }
        return Array(octets.bytes) + mask(bits: bits, of: octets.bytes.count)
    }

    private static func mask(bits: Int, of count: Int) -> [UInt8] {
        (0..<count).map { index in
            let set = min(8, max(0, bits - index * 8))
            return UInt8(truncatingIfNeeded: 0xFF00 >> set)
        }
    }
}
