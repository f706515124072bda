import Bounds
import Crypto
package import Foundation

/// Time-based one-time passwords (RFC 6238) as authenticator apps show them: SHA-1, 30 seconds, 6 digits.
package struct OneTimeCodes: Codable, Hashable, Sendable {
    /// 160 random bits, which the authenticator app shares.
    package let secret: Data

    package static let seconds = 30
    package static let digits = 6

    package init() { secret = Data(SymmetricKey(size: .init(bitCount: 160)).bytes) }

    /// - Parameter secret: at least 128 bits.
    package init?(secret: Data) {
        guard secret.count >= 16, secret.count <= 64 else { return nil }
        self.secret = secret
    }

    /// The number of the period that contains a time.
    package static func period(of time: Date) -> Int {
        Int(saturating: (time.timeIntervalSince1970 / Double(seconds)).rounded(.down))
    }

    /// Returns the code of a period.
    package func code(period: Int) -> String {
        let counter = withUnsafeBytes(of: UInt64(max(0, period)).bigEndian) { Data($0) }
        let mac = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(mac[mac.count - 1] & 0x0F)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: Self.digits - text.count) + text
    }

    /// Returns the period of a valid code, which may be one period early or late.
    ///
    /// - Parameter used: the periods of which a code was used, which is not accepted again.
    package func period(of code: String, at time: Date, except used: Set<Int> = []) -> Int? {
        let now = Self.period(of: time)
        var found: Int?
        // All are compared, so that the time taken does not reveal which one matches.
        for period in ClosedRange(ordered: now - 1, now + 1)
        where Data(self.code(period: period).utf8).isSame(as: Data(code.utf8)) && !used.contains(period) {
            found = period
        }
        return found
    }

    /// The address that authenticator apps read from a QR code.
    package func address(account: String) -> String {
        var parts = URLComponents()
        parts.scheme = "otpauth"
        parts.host = "totp"
        parts.path = "/Shelflist:\(account.replacing(scalar: ":", with: " "))"
        parts.queryItems = [
            URLQueryItem(name: "secret", value: Base32.encode(secret)),
            URLQueryItem(name: "issuer", value: "Shelflist"),
        ]
        return parts.string ?? ""
    }
}

/// A member's second factor: an authenticator app, and codes for the day it is lost.
struct SecondFactor: Codable, Equatable, Sendable {
    var codes: OneTimeCodes
    /// The period of which a code was used last.
    var lastPeriod: Int
    /// The periods of the codes that were used before that, latest first.
    ///
    /// A number alone that only grows would refuse every code after the clock was set back, until it has caught up.
    var earlierPeriods: [Int]?
    /// SHA-256 of the recovery codes that were not used.
    var recovery: [Data]

    static let recoveryCodes = 10
    /// How many periods are kept: 50 minutes of sign-ins one after the other, and months as members sign in.
    private static let periodsKept = 100

    /// What a code proved.
    enum Proof: Equatable { case code, recoveryCode }

    /// Checks a code of the app or a recovery code, and marks it as used.
    mutating func use(_ code: String, at time: Date) -> Proof? {
        let plain = code.filter { !$0.isWhitespace && $0 != "-" }.lowercased()
        let used = [lastPeriod] + (earlierPeriods ?? [])
        if let period = codes.period(of: plain, at: time, except: Set(used)) {
            (lastPeriod, earlierPeriods) = (period, Array(used.prefix(Self.periodsKept - 1)))
            return .code
        }
        let hash = Secret.hash(plain)
        guard let index = recovery.firstIndex(where: { $0.isSame(as: hash) }) else { return nil }
        recovery.remove(at: index)
        return .recoveryCode
    }

    /// Creates a second factor.
    ///
    /// - Parameter period: the period of the code that proved that the app shares the secret.
    /// - Returns: the second factor and its recovery codes, which are not stored.
    static func make(_ codes: OneTimeCodes, period: Int) -> (factor: SecondFactor, recovery: [String]) {
        let recovery = (0..<recoveryCodes).map { _ in Secret.recoveryCode() }
        let factor = SecondFactor(codes: codes, lastPeriod: period, recovery: recovery.map { Secret.hash($0) })
        return (factor, recovery.map { "\($0.prefix(8))-\($0.dropFirst(8))" })
    }
}

/// Base32 (RFC 4648) without padding, in which authenticator apps show secrets.
package enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    package static func encode(_ data: Data) -> String {
        var text = ""
        var (buffer, bits) = (UInt32(0), 0)
        for byte in data {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(letters[Int(buffer >> UInt32(bits)) & 31])
            }
            buffer &= 1 << UInt32(bits) - 1
        }
        if bits > 0 { text.append(letters[Int(buffer << UInt32(5 - bits)) & 31]) }
        return text
    }

    /// - Returns: `nil` if the text has other characters than letters and digits of Base32, spaces and padding.
    package static func decode(_ text: String) -> Data? {
        var data = Data()
        var (buffer, bits) = (UInt32(0), 0)
        for character in text.uppercased() where character != "=" && character != " " {
            guard let value = letters.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                data.append(UInt8(buffer >> UInt32(bits) & 0xFF))
            }
            buffer &= 1 << UInt32(bits) - 1
        }
        return data
    }
}
