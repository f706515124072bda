import Bounds
import Crypto
package import Foundation
import Storage
import SwiftASN1
import X509

/// The certificate authority of this installation, and the certificate that it signs for this machine.
///
/// Phones allow camera access only over HTTPS, and do not trust self-signed certificates. `ca.pem` and `server.pem` are
/// in one folder with their keys, which only their owner can read. The authority is created once, so that a phone has
/// to trust it only once; the server's certificate is renewed automatically. It may certify local names only, so that
/// phones that trust it are safe on the internet even if its key is stolen.
package struct LocalAuthority: Sendable {
    private let folder: URL
    package var authorityFile: URL { folder.appending(path: "ca.pem") }
    package var serverFiles: TLSFiles {
        TLSFiles(certificate: folder.appending(path: "server.pem"), key: folder.appending(path: "server.key"))
    }

    /// The longest validity of a server certificate that browsers accept, in seconds.
    static let serverLife: TimeInterval = 398 * 86400
    /// The time before expiry at which the certificate is renewed, in seconds.
    private static let renewal: TimeInterval = 30 * 86400
    private static let authorityLife: TimeInterval = 5 * 365 * 86400

    package init(folder: URL) { self.folder = folder }

    /// Creates or renews certificates that are missing, expire soon or do not contain all names.
    ///
    /// - Parameters:
    ///   - names: the host names and IP addresses of the server's certificate; those that an existing authority does
    ///     not permit are left out, because names and addresses of a machine change.
    ///   - required: the names that have to be permitted, of those that `mayCertify` accepts; a new authority is created
    ///     otherwise.
    ///   - time: the current time.
    /// - Returns: whether a new authority was created, which phones have to trust.
    /// - Throws: `StorageError`, `CocoaError`, the errors of the certificates' encoding.
    @discardableResult
    package func prepare(names: [String], required: [String] = [], at time: Date = Date()) throws -> Bool {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let required = required.filter(Self.mayCertify)
        let existing = try existingAuthority(permitting: required, at: time)
        let authority = try existing ?? makeAuthority(permitting: names + required, at: time)
        let permitted = try PermittedNames(of: authority.certificate)
        let names = names.filter { permitted?.allows($0) == true }
        if try existing == nil || !isServerCertificateGood(names: names, at: time) {
            try makeServerCertificate(names: names, signedBy: authority, at: time)
        }
        return existing == nil
    }

    /// Whether an authority may certify a name: not one without a dot, which may be a top-level domain of the internet.
    package static func mayCertify(_ name: String) -> Bool { PermittedNames.mayInclude(name) }

    /// The SHA-256 of the authority's certificate as phones show it: pairs of hexadecimal digits.
    ///
    /// - Throws: an error if the certificate cannot be read.
    package func fingerprint() throws -> String { try Self.fingerprint(of: authorityFile) }

    /// - Parameter file: a certificate in PEM.
    static func fingerprint(of file: URL) throws -> String {
        let document = try PEMDocument(pemString: String(contentsOf: file, encoding: .utf8))
        return SHA256.hash(data: document.derBytes).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: ":")
    }

    private struct Authority {
        var certificate: Certificate
        var key: P256.Signing.PrivateKey
    }

    /// Returns `nil` where there is none, it expires soon, it does not permit the names, or it permits every name or a
    /// whole top-level domain.
    private func existingAuthority(permitting names: [String], at time: Date) throws -> Authority? {
        let keyFile = folder.appending(path: "ca.key")
        guard FileManager.default.fileExists(atPath: authorityFile.path) else { return nil }
        let certificate = try Certificate(pemEncoded: String(contentsOf: authorityFile, encoding: .utf8))
        guard certificate.notValidAfter > time.addingTimeInterval(Self.serverLife),
            let permitted = try PermittedNames(of: certificate), names.allSatisfy(permitted.allows)
        else { return nil }
        let key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOf: keyFile, encoding: .utf8))
        return Authority(certificate: certificate, key: key)
    }

    private func makeAuthority(permitting names: [String], at time: Date) throws -> Authority {
        let key = P256.Signing.PrivateKey()
        // Phones may have an earlier authority of this machine, from which the number distinguishes this one.
        let number = UInt32.random(in: .min ... .max)
        let name = try DistinguishedName {
            CommonName("Shelflist on \(ProcessInfo.processInfo.hostName.shortened(to: 40)) \(number)")
        }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: time.addingTimeInterval(-3600), notValidAfter: time.addingTimeInterval(Self.authorityLife),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                Critical(PermittedNames(including: names).constraints)
                try ExtendedKeyUsage([.serverAuth])
                SubjectKeyIdentifier(hash: .init(key.publicKey))
            }, issuerPrivateKey: .init(key))
        try write(key.pemRepresentation, to: "ca.key")
        try write(certificate.serializeAsPEM().pemString, to: "ca.pem")
        return Authority(certificate: certificate, key: key)
    }

    private func makeServerCertificate(names: [String], signedBy authority: Authority, at time: Date) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(names.first ?? "Shelflist") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: time.addingTimeInterval(-3600),
            notValidAfter: time.addingTimeInterval(Self.serverLife - 86400),
            issuer: authority.certificate.subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.map(GeneralName.init(host:)))
                SubjectKeyIdentifier(hash: .init(key.publicKey))
                AuthorityKeyIdentifier(
                    keyIdentifier: try authority.certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
            }, issuerPrivateKey: .init(authority.key))
        try write(key.pemRepresentation, to: "server.key")
        try write(certificate.serializeAsPEM().pemString, to: "server.pem")
    }

    private func isServerCertificateGood(names: [String], at time: Date) throws -> Bool {
        let file = serverFiles.certificate
        guard FileManager.default.fileExists(atPath: file.path),
            FileManager.default.fileExists(atPath: serverFiles.key.path)
        else { return false }
        let certificate = try Certificate(pemEncoded: String(contentsOf: file, encoding: .utf8))
        let life = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
        guard certificate.notValidAfter > time.addingTimeInterval(Self.renewal), life <= Self.serverLife,
            let named = try certificate.extensions.subjectAlternativeNames
        else { return false }
        return names.map(GeneralName.init(host:)).allSatisfy(Array(named).contains)
    }

    private func write(_ text: String, to name: String) throws {
        try DurableFile.write(Data((text + "\n").utf8), to: folder.appending(path: name), as: .secret)
    }
}

extension GeneralName {
    /// Creates an IP address if `host` is one, otherwise a DNS name.
    init(host: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            self = .ipAddress(ASN1OctetString(contentBytes: ArraySlice(withUnsafeBytes(of: &four) { Array($0) })))
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            self = .ipAddress(ASN1OctetString(contentBytes: ArraySlice(withUnsafeBytes(of: &six) { Array($0) })))
        } else {
            self = .dnsName(host)
        }
    }
}
