import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The server's TLS certificate, which can be reloaded from its files while the server runs.
final class ServedCertificate: Sendable {
    private let files: TLSFiles
    private let current: Mutex<NIOSSLContextConfigurationOverride>

    /// Reads the files.
    ///
    /// - Throws: an error if the files cannot be read or do not match.
    init(_ files: TLSFiles) throws {
        self.files = files
        current = Mutex(try Self.read(files))
    }

    /// Reads the files again.
    ///
    /// - Throws: the errors of `init`. The certificate in use is kept then.
    func reload() throws {
        let new = try Self.read(files)
        current.withLock { $0 = new }
    }

    func configuration() throws -> TLSConfiguration {
        var configuration = try Self.configuration(of: current.withLock { $0 })
        configuration.sslContextCallback = { [self] _, answer in answer.succeed(current.withLock { $0 }) }
        return configuration
    }

    private static func read(_ files: TLSFiles) throws -> NIOSSLContextConfigurationOverride {
        var read = NIOSSLContextConfigurationOverride()
        read.certificateChain = try NIOSSLCertificate.fromPEMFile(files.certificate.path).map { .certificate($0) }
        read.privateKey = .privateKey(try NIOSSLPrivateKey(file: files.key.path, format: .pem))
        // Fails if certificate and key do not match, because a renewal has replaced only one of the two files so far.
        _ = try NIOSSLContext(configuration: configuration(of: read))
        return read
    }

    private static func configuration(of read: NIOSSLContextConfigurationOverride) throws -> TLSConfiguration {
        guard let chain = read.certificateChain, let key = read.privateKey else {
            throw CocoaError(.fileReadCorruptFile)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
        configuration.minimumTLSVersion = .tlsv12
        // For TLS 1.2 only ciphers with forward secrecy; those of TLS 1.3 all have it.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = ["http/1.1"]
        // When the server stops, it waits so long for each open connection (close_notify), by default 5 s.
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }
}
