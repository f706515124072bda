import Crypto
import Foundation
import Synchronization

/// Sign-ins that were sent to the OpenID provider and have not returned.
///
/// Each is valid once, for `life`, and only in the browser that began it. A restart forgets them.
final class OpenIDAttempts: Sendable {
    /// What the person signs in for.
    enum Purpose: Hashable, Sendable {
        case signIn
        /// Creating the owner of a new server.
        case setup
        /// Connecting the person to a member who is signed in.
        case link(member: String)
        /// Confirming a session before a sensitive change.
        case confirm(session: String)
    }

    struct Attempt: Sendable {
        let purpose: Purpose
        /// The screen of the app that is opened afterwards.
        let next: String
        let redirect: String
        /// Names the attempt in the provider's answer.
        let state = Secret.make(prefix: "")
        /// Ties the ID token to the attempt.
        let nonce = Secret.make(prefix: "")
        /// Proves to the provider that the same server asks for the token (PKCE, RFC 7636).
        let verifier = Secret.make(prefix: "")
        let began: Date

        /// Whether the person has to enter the credentials again at the provider.
        var confirms: Bool { if case .confirm = purpose { true } else { false } }

        var challenge: String { OpenIDAttempts.challenge(of: verifier) }
    }

    /// Seconds.
    static let life: TimeInterval = 600
    static let maxAttempts = 1000

    private let waiting = Mutex<[String: Attempt]>([:])

    /// Returns the S256 challenge of a PKCE verifier.
    static func challenge(of verifier: String) -> String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }

    /// - Parameter redirect: the address of this server to which the provider sends the browser back.
    /// - Returns: `nil` if too many wait.
    func begin(_ purpose: Purpose, next: String, redirect: String, at time: Date) -> Attempt? {
        let attempt = Attempt(purpose: purpose, next: next, redirect: redirect, began: time)
        return waiting.withLock { waiting in
            waiting = waiting.filter { time.timeIntervalSince($0.value.began) < Self.life }
            guard waiting.count < Self.maxAttempts else { return nil }
            waiting[attempt.state] = attempt
            return attempt
        }
    }

    /// Ends an attempt.
    ///
    /// - Parameters:
    ///   - state: the state in the provider's answer.
    ///   - cookie: the state that the browser kept. Without this check, a stranger could sign a member in as the stranger.
    /// - Returns: `nil` for an unknown, used or expired state, or one of another browser.
    func end(_ state: String, cookie: String?, at time: Date) -> Attempt? {
        guard let cookie, Data(cookie.utf8).isSame(as: Data(state.utf8)) else { return nil }
        let attempt = waiting.withLock { $0.removeValue(forKey: state) }
        guard let attempt, time.timeIntervalSince(attempt.began) < Self.life else { return nil }
        return attempt
    }
}
