import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The certificate that is shown to whoever connects; taken from its files anew while the server runs.
final class ServedCertificate: Sendable {
    private let files: TLSFiles
    private let current: Mutex<NIOSSLContextConfigurationOverride>

    /// - Throws: where the files cannot be read, or do not belong together.
    init(_ files: TLSFiles) throws {
        self.files = files
        current = Mutex(try Self.read(files))
    }

    /// - Throws: as `init`; the certificate in use stays.
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
        // A program that renews them writes two files, one after the other: not until both are there do they fit.
        _ = try NIOSSLContext(configuration: configuration(of: read))
        return read
    }

    private static func configuration(of read: NIOSSLContextConfigurationOverride) throws -> TLSConfiguration {
        guard let chain = read.certificateChain, let key = read.privateKey else {
            throw CocoaError(.fileReadCorruptFile)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
