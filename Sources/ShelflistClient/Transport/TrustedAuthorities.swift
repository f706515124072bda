#if os(Linux)
    import Crypto
    import Foundation
    import NIOSSL
    import SwiftASN1
    import X509

    /// Prepares a client's additional authorities for BoringSSL.
    ///
    /// BoringSSL cannot check name constraints on IP addresses (RFC 5280, 4.2.1.10): it refuses every certificate with
    /// an IP address of an authority that has such constraints, as that of `shelflist serve --lan`. A client connects to
    /// one host only, so that the constraints can be checked on that host instead.
    enum TrustedAuthorities {
        /// Returns the certificates of those authorities that may certify the host, without constraints on IP addresses.
        ///
        /// - Parameter pem: certificates.
        /// - Throws: `NIOSSLError` if they cannot be read.
        static func certificates(in pem: Data, for host: String) throws -> [NIOSSLCertificate] {
            let address = address(host)
            return try NIOSSLCertificate.fromPEMBytes([UInt8](pem)).compactMap { original in
                guard let authority = Authority(original) else { return original }
                // BoringSSL checks the constraints on names.
                if let address, !authority.permits(address) { return nil }
                return try NIOSSLCertificate(bytes: authority.withoutAddressConstraints(), format: .der)
            }
        }

        /// A root certificate that limits IP addresses.
        private struct Authority {
            var certificate: Certificate
            var constraints: NameConstraints

            /// Returns nil for another kind of certificate, or one that only BoringSSL can read.
            init?(_ original: NIOSSLCertificate) {
                guard let certificate = try? Certificate(derEncoded: original.toDERBytes()),
                    certificate.issuer == certificate.subject,
                    let constraints = try? certificate.extensions.nameConstraints,
                    !constraints.permittedIPRanges.isEmpty || !constraints.excludedIPRanges.isEmpty
                else { return nil }
                (self.certificate, self.constraints) = (certificate, constraints)
            }

            func permits(_ address: [UInt8]) -> Bool {
                func contains(_ range: ASN1OctetString) -> Bool {
                    let (base, mask) = (range.bytes.prefix(address.count), range.bytes.dropFirst(address.count))
                    return range.bytes.count == 2 * address.count
                        && zip(address, zip(base, mask)).allSatisfy { ($0 ^ $1.0) & $1.1 == 0 }
                }
                let permitted = constraints.permittedIPRanges
                return (permitted.isEmpty || permitted.contains(where: contains))
                    && !constraints.excludedIPRanges.contains(where: contains)
            }

            /// Returns the certificate with a meaningless signature, which is not checked: a client trusts the name and
            /// the key of an authority because its user named the file.
            func withoutAddressConstraints() throws -> [UInt8] {
                func isName(_ name: GeneralName) -> Bool { if case .ipAddress = name { false } else { true } }
                var kept = constraints
                kept.permittedSubtrees = kept.permittedSubtrees.filter(isName)
                kept.excludedSubtrees = kept.excludedSubtrees.filter(isName)
                var extensions = certificate.extensions
                if kept.permittedSubtrees.isEmpty && kept.excludedSubtrees.isEmpty {
                    extensions.remove(.X509ExtensionID.nameConstraints)
                } else {
                    extensions.update(try Certificate.Extension(kept, critical: true))
                }
                let changed = try Certificate(
                    version: certificate.version, serialNumber: certificate.serialNumber,
                    publicKey: certificate.publicKey, notValidBefore: certificate.notValidBefore,
                    notValidAfter: certificate.notValidAfter, issuer: certificate.issuer, subject: certificate.subject,
                    signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
                    issuerPrivateKey: .init(P256.Signing.PrivateKey()))
                var serializer = DER.Serializer()
                try serializer.serialize(changed)
                return serializer.serializedBytes
            }
        }

        /// Returns the bytes of an IP address in network byte order; nil for a name.
        private static func address(_ host: String) -> [UInt8]? {
            let host = host.trimmingCharacters(in: ["[", "]"])
            var four = in_addr()
            if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
            var six = in6_addr()
            return inet_pton(AF_INET6, host, &six) == 1 ? withUnsafeBytes(of: &six) { Array($0) } : nil
        }
    }
#endif
