import Bounds
import Crypto
import Foundation

/// Creates and checks the cookies by which a browser is recognized after the member's session in it has ended.
///
/// A known browser gives no access. Its member does not wait there for others who guess passwords.
///
/// A cookie has a random number for the browser, its expiry, and an HMAC over both and the member, so nothing has to be
/// stored. It is valid until the member signs out everywhere or gets a new password.
struct KnownBrowsers: Sendable {
    private let key: SymmetricKey

    /// Seconds for which a browser is known after its last sign-in.
    static let life: TimeInterval = 365 * 86400
    private static let prefix = "slb_"

    init(key: Data) { self.key = SymmetricKey(data: key) }

    /// Returns `slb_BROWSER.SECONDS.MAC`, with the expiry time in seconds since 1970.
    func cookie(for member: Accounts.Member, at time: Date) -> String {
        let browser = Secret.make(prefix: "")
        let seconds = Int(saturating: time.addingTimeInterval(Self.life).timeIntervalSince1970)
        return "\(Self.prefix)\(browser).\(seconds).\(mac(browser, member, seconds).base64URL)"
    }

    /// Returns the number of the browser in which the member was signed in; `nil` for another cookie.
    func browser(_ cookie: String, of member: Accounts.Member, at time: Date) -> String? {
        guard cookie.hasPrefix(Self.prefix), cookie.utf8.count <= 200 else { return nil }
        let parts = cookie.dropFirst(Self.prefix.count).split(separator: ".").map(String.init)
        guard parts.count == 3, let seconds = Int(parts[1]), let mac = Data(base64URL: parts[2]),
            mac.isSame(as: self.mac(parts[0], member, seconds)), time.timeIntervalSince1970 < Double(seconds)
        else { return nil }
        return parts[0]
    }

    private func mac(_ browser: String, _ member: Accounts.Member, _ seconds: Int) -> Data {
        let text =
            "shelflist browser \(browser) of \(member.id) generation \(member.deviceGeneration ?? 0) until \(seconds)"
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
}
