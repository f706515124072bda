import Bounds
import Crypto
package import Foundation
import _CryptoExtras

/// A stored password: its scrypt key, with the parameters used.
struct PasswordHash: Codable, Hashable, Sendable {
    var salt: Data
    var key: Data
    /// scrypt's N; `blockSize` is r and `parallelism` is p.
    var rounds: Int
    var blockSize: Int
    var parallelism: Int

    /// OWASP's recommendation: N = 2^17, with r = 8 and p = 1 (128 MB, about 0.3 s).
    static let standardRounds = 1 << 17

    /// Takes about 0.3 s of processor time.
    ///
    /// Do not call it on the cooperative pool.
    init(password: String, rounds: Int = PasswordHash.standardRounds) throws {
        salt = Data(SymmetricKey(size: .bits128).bytes)
        (self.rounds, blockSize, parallelism) = (rounds, 8, 1)
        key = Data()
        key = try derived(from: password)
    }

    func matches(_ password: String) throws -> Bool {
        let derived = try derived(from: password)
        return derived.isSame(as: key)
    }

    private func derived(from password: String) throws -> Data {
        // Devices differ in how they compose accents.
        let normal = password.precomposedStringWithCompatibilityMapping
        let key = try KDF.Scrypt.deriveKey(
            from: Data(normal.utf8), salt: salt, outputByteCount: 32, rounds: rounds, blockSize: blockSize,
            parallelism: parallelism, maxMemory: 256 * rounds * blockSize)
        return Data(key.bytes)
    }
}

/// The secrets that callers send: session cookies and personal access tokens.
enum Secret {
    /// Returns `prefix` and 256 random bits, Base64URL-encoded.
    static func make(prefix: String) -> String { prefix + Data(SymmetricKey(size: .bits256).bytes).base64URL }

    /// Returns the hash to store.
    ///
    /// One round of SHA-256 suffices for a secret of at least 128 random bits.
    static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }

    /// Returns 26 lower-case characters (130 random bits) of Crockford's Base32, which can be typed on a phone.
    static func appKey() -> String { letters(26) }

    /// Returns 16 characters (80 random bits), which can be typed.
    ///
    /// Each is valid once, and sign-ins are throttled.
    static func recoveryCode() -> String { letters(16) }

    private static func letters(_ count: Int) -> String {
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }

    static let sessionPrefix = "sls_"
    static let tokenPrefix = "slp_"
    static let jobPrefix = "slj_"
}

/// Creates and checks tokens that grant access to one job until they expire.
///
/// A token is an HMAC over the job's identifier and the expiry time, so nothing has to be stored.
package struct JobTokens: Sendable {
    private let key: SymmetricKey

    package init(key: Data) { self.key = SymmetricKey(data: key) }

    /// Returns `slj_SECONDS.MAC`, with the expiry time in seconds since 1970.
    package func token(for job: String, expires: Date) -> String {
        let seconds = Int(saturating: expires.timeIntervalSince1970)
        return "\(Secret.jobPrefix)\(seconds).\(mac(job, seconds).base64URL)"
    }

    /// Whether `token` grants access to `job` at `time`.
    package func opens(_ token: String, job: String, at time: Date) -> Bool {
        guard token.hasPrefix(Secret.jobPrefix) else { return false }
        let parts = token.dropFirst(Secret.jobPrefix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let seconds = Int(parts[0]), let mac = Data(base64URL: String(parts[1])) else {
            return false
        }
        return mac.isSame(as: self.mac(job, seconds)) && time.timeIntervalSince1970 < Double(seconds)
    }

    private func mac(_ job: String, _ seconds: Int) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data("shelflist job \(job) until \(seconds)".utf8), using: key))
    }
}

extension SymmetricKey {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension Data {
    /// Compares in constant time, so that the time taken does not reveal where the first difference is.
    func isSame(as other: Data) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    var base64URL: String {
        base64EncodedString().replacing(scalar: "+", with: "-").replacing(scalar: "/", with: "_")
            .replacing(scalar: "=", with: "")
    }

    init?(base64URL text: String) {
        var base64 = text.replacing(scalar: "-", with: "+").replacing(scalar: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        self.init(base64Encoded: base64)
    }
}
