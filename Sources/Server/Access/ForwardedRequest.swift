import HTTPTypes

/// What trusted proxies say about the request that they forward: `X-Forwarded-For`, `-Proto` and `-Host`, or `Forwarded`
/// (RFC 7239).
///
/// Each proxy appends its own value, so the fields are lists. The value that the outermost trusted proxy set counts: what
/// is before it comes from the client.
struct ForwardedRequest {
    /// The client's address; nil if no proxy names one that can be read.
    let client: IPAddress?
    /// The host as the client named it, with a port unless it is the scheme's own.
    let host: String?
    let isSecure: Bool?

    /// - Parameter isTrusted: whether an address is that of a trusted proxy.
    init(_ fields: HTTPFields, isTrusted: (IPAddress) -> Bool) {
        var (addresses, schemes, hosts) = (
            Self.list(fields, .forwardedFor), Self.list(fields, .forwardedProto), Self.list(fields, .forwardedHost)
        )
        if addresses.isEmpty, schemes.isEmpty, hosts.isEmpty {
            let hops = Self.list(fields, .forwarded).map(Self.pairs)
            addresses = hops.compactMap { $0["for"] }
            (schemes, hosts) = (hops.compactMap { $0["proto"] }, hops.compactMap { $0["host"] })
        }
        let read = addresses.map { IPAddress(forwarded: $0) }
        // An entry that cannot be read is not a trusted proxy.
        let outermost = read.lastIndex { address in address.map { !isTrusted($0) } ?? true } ?? 0
        client = read.indices.contains(outermost) ? read[outermost] : nil
        // Proxies that replace a value instead of appending make the lists shorter.
        func value(of list: [String]) -> String? { list.count == read.count ? list[outermost] : list.first }
        isSecure = schemes.isEmpty ? nil : value(of: schemes)?.lowercased() == "https"
        host = hosts.isEmpty ? nil : value(of: hosts)
    }

    private static func list(_ fields: HTTPFields, _ name: HTTPField.Name) -> [String] {
        fields[values: name].flatMap { $0.split(separator: ",") }.map(trimmed).filter { !$0.isEmpty }
    }

    /// `for="[2001:db8::7]:4711";proto=https` by name.
    private static func pairs(_ hop: String) -> [String: String] {
        let pairs = hop.split(separator: ";").compactMap { pair -> (String, String)? in
            guard let mark = pair.firstIndex(of: "=") else { return nil }
            return (trimmed(pair[..<mark]).lowercased(), trimmed(pair[pair.index(after: mark)...]))
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Without spaces and quotes around it.
    private static func trimmed(_ text: Substring) -> String {
        String(
            text.drop { $0 == " " || $0 == "\t" || $0 == "\"" }.reversed().drop {
                $0 == " " || $0 == "\t" || $0 == "\""
            }
            .reversed())
    }
}

extension IPAddress {
    /// Reads an address as proxies write it: `192.0.2.1`, `192.0.2.1:51234`, `2001:db8::7`, `[2001:db8::7]:4711`.
    init?(forwarded text: String) {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            self.init(String(text[text.index(after: text.startIndex)..<end]))
        } else if text.count(where: { $0 == ":" }) == 1 {
            self.init(String(text.prefix { $0 != ":" }))
        } else {
            self.init(text)
        }
    }
}
