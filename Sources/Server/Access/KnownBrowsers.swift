import Bounds
import Concurrency
import Crypto
import Foundation
import Hummingbird

/// Creates and checks the cookies by which a browser is recognized after the member's session in it has ended.
///
/// A known browser gives no access. Its member does not wait there while others guess passwords.
///
/// A cookie has a random number for the browser, its expiry, and an HMAC over both and the member, so nothing has to be
/// stored. It is valid until the member signs out everywhere or gets a new password. The browser in which the member does
/// that gets a new cookie.
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

extension Gatekeeper {
    private static let browser = "browser"

    /// Returns the cookie by which this browser is known from now on.
    func browserCookie(for member: Accounts.Member, _ head: RequestHead) -> Cookie {
        Cookie(
            name: cookieName(Self.browser, for: head), value: accounts.knownBrowsers.cookie(for: member, at: clock.now),
            maxAge: Int(saturating: KnownBrowsers.life), path: basePath.folder, secure: isSecure(head), httpOnly: true,
            sameSite: .strict)
    }

    /// Returns the number of the browser that sent the request; `nil` if the member was not signed in in it before.
    func knownBrowser(of member: Accounts.Member, _ head: RequestHead) -> String? {
        head.cookie(cookieName(Self.browser, for: head)).flatMap {
            accounts.knownBrowsers.browser($0, of: member, at: clock.now)
        }
    }

    /// Adds a new cookie for the browser, after all browsers of the member were forgotten, if it was known.
    ///
    /// - Parameter before: the member before that.
    func keepingKnown<Body>(
        _ response: EditedResponse<Body>, _ before: Accounts.Member, _ head: RequestHead
    ) -> EditedResponse<Body> {
        guard knownBrowser(of: before, head) != nil, let member = accounts.read({ $0.member(before.id) }) else {
            return response
        }
        var response = response
        response.setCookie(browserCookie(for: member, head))
        return response
    }
}
