import Crypto
import Foundation
import _CryptoExtras
import Bounds

/// The format of age (https://age-encryption.org/v1) with a passphrase, so that a backup can also be decrypted without
/// Shelflist: `age -d backup.tar.age`.
///
/// The passphrase's scrypt key encrypts a random file key. The archive follows in chunks of 64 KiB, each with
/// ChaCha20-Poly1305 and its number, so that changed, missing and exchanged chunks are detected.
enum AgeFormat {
    static let firstLine = "age-encryption.org/v1\n"
    static let chunkSize = 64 * 1024
    static let tagSize = 16
    /// The logarithm of scrypt's N in new files, as `age` chooses it: 256 MB, about a second.
    static let workFactor = 18
    /// The largest that a file may demand: 1 GB.
    static let maxWorkFactor = 20

    /// Returns the header for a file key, without the code at its end.
    static func header(_ fileKey: SymmetricKey, passphrase: String, workFactor: Int) throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        let key = try wrappingKey(passphrase, salt: salt, workFactor: workFactor)
        let box = try ChaChaPoly.seal(fileKey.withUnsafeBytes { Data($0) }, using: key, nonce: wrappingNonce())
        return "\(firstLine)-> scrypt \(base64(salt)) \(workFactor)\n\(base64(box.ciphertext + box.tag))\n---"
    }

    /// Returns the file key that `header` wrapped, or `nil` if the passphrase is wrong.
    static func fileKey(
        _ wrapped: Data, passphrase: String, salt: Data, workFactor: Int
    ) throws -> SymmetricKey? {
        let key = try wrappingKey(passphrase, salt: salt, workFactor: workFactor)
        guard wrapped.count == 16 + tagSize,
            let box = try? ChaChaPoly.SealedBox(
                nonce: wrappingNonce(), ciphertext: wrapped.prefix(16), tag: wrapped.suffix(tagSize)),
            let bytes = try? ChaChaPoly.open(box, using: key)
        else { return nil }
        return SymmetricKey(data: bytes)
    }

    private static func wrappingKey(_ passphrase: String, salt: Data, workFactor: Int) throws -> SymmetricKey {
        let rounds = 1 << workFactor
        return try KDF.Scrypt.deriveKey(
            from: Data(passphrase.utf8), salt: Data("age-encryption.org/v1/scrypt".utf8) + salt, outputByteCount: 32,
            rounds: rounds, blockSize: 8, parallelism: 1, maxMemory: 256 * rounds * 8)
    }

    /// Each wrapping key is used once, because its salt is random.
    private static func wrappingNonce() throws -> ChaChaPoly.Nonce {
        try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
    }

    /// Returns the code that authenticates the header up to and including `---`.
    static func code(of header: String, _ fileKey: SymmetricKey) -> Data {
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: fileKey, info: Data("header".utf8), outputByteCount: 32)
        return Data(HMAC<SHA256>.authenticationCode(for: Data(header.utf8), using: key))
    }

    static func isCode(_ code: Data, of header: String, _ fileKey: SymmetricKey) -> Bool {
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: fileKey, info: Data("header".utf8), outputByteCount: 32)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data(header.utf8), using: key)
    }

    /// Base64 without padding.
    static func base64(_ data: Data) -> String { data.base64EncodedString().replacing(scalar: "=", with: "") }

    static func data(base64 text: some StringProtocol) -> Data? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: String(text) + padding), base64(data) == text else { return nil }
        return data
    }
}

/// The key and the number of the next chunk.
struct AgeChunks {
    private let key: SymmetricKey
    private var number: UInt64 = 0

    /// - Parameter nonce: the 16 bytes after the header.
    init(_ fileKey: SymmetricKey, nonce: Data) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: fileKey, salt: nonce, info: Data("payload".utf8), outputByteCount: 32)
    }

    mutating func seal(_ chunk: [UInt8], isLast: Bool) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(chunk, using: key, nonce: nextNonce(isLast: isLast))
        return [UInt8](box.ciphertext) + [UInt8](box.tag)
    }

    /// - Throws: `CryptoKitError` if the chunk was changed, or is not the next or the last.
    mutating func open(_ chunk: [UInt8], isLast: Bool) throws -> [UInt8] {
        let box = try ChaChaPoly.SealedBox(
            nonce: nextNonce(isLast: isLast), ciphertext: chunk.dropLast(AgeFormat.tagSize),
            tag: chunk.suffix(AgeFormat.tagSize))
        return [UInt8](try ChaChaPoly.open(box, using: key))
    }

    private mutating func nextNonce(isLast: Bool) throws -> ChaChaPoly.Nonce {
        var bytes = [UInt8](repeating: 0, count: 12)
        for index in 0..<8 { bytes[10 - index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
        bytes[11] = isLast ? 1 : 0
        number += 1
        return try ChaChaPoly.Nonce(data: bytes)
    }
}
