import Crypto
import Foundation
import Synchronization

/// Sign-ins that were sent to the OpenID provider and have not returned.
///
/// The browser that began one keeps it in a cookie, encrypted with a key of this process, so strangers who begin many take
/// no memory. An attempt is valid for `life`, and for one ID token: the first valid one that the provider returns uses it
/// up, also if the person is refused then. Before that, as after a failure of the provider, the browser may return again.
/// A restart of the server invalidates all attempts.
final class OpenIDAttempts: Sendable {
    /// What the person signs in for.
    enum Purpose: Codable, Hashable, Sendable {
        case signIn
        /// Creating the owner of a new server.
        case setup
        /// Connecting the person to the member of a session.
        case link(session: String)
        /// Confirming a session before a sensitive change.
        case confirm(session: String)
    }

    struct Attempt: Codable, Sendable {
        let purpose: Purpose
        /// The screen of the app that is opened afterwards.
        let next: String
        /// The address of this server to which the provider sends the browser back.
        let redirect: String
        /// Names the attempt in the provider's answer.
        let state: String
        /// Ties the ID token to the attempt.
        let nonce: String
        /// Proves to the provider that the same server asks for the token (PKCE, RFC 7636).
        let verifier: String
        let began: Date

        init(_ purpose: Purpose, next: String, redirect: String, at time: Date) {
            (self.purpose, self.next, self.redirect, began) = (purpose, next, redirect, time)
            (state, nonce, verifier) = (Secret.make(prefix: ""), Secret.make(prefix: ""), Secret.make(prefix: ""))
        }

        /// Whether the person has to enter the credentials again at the provider.
        var needsFreshSignIn: Bool {
            switch purpose {
            case .signIn, .setup: false
            case .link, .confirm: true
            }
        }

        /// The S256 challenge of the verifier.
        var challenge: String { Data(SHA256.hash(data: Data(verifier.utf8))).base64URL }

        fileprivate func isCurrent(at time: Date) -> Bool {
            time.timeIntervalSince(began) < OpenIDAttempts.life
        }
    }

    /// Seconds.
    static let life: TimeInterval = 600
    /// Completed attempts that are remembered.
    ///
    /// The oldest one is forgotten when there are more.
    static let maxCompleted = 10_000

    private let key = SymmetricKey(size: .bits256)
    /// The attempts that were completed and have not expired, by nonce.
    ///
    /// Only people whom the provider signs in can complete one.
    private let completed = Mutex<[String: Attempt]>([:])

    /// Returns the value of the cookie that keeps an attempt.
    func seal(_ attempt: Attempt) throws -> String {
        let box = try AES.GCM.seal(JSONEncoder().encode(attempt), using: key)
        return (Data(box.nonce) + box.ciphertext + box.tag).base64URL
    }

    /// Returns the attempt of a cookie.
    ///
    /// - Parameter state: the state in the provider's answer. Without this check, a stranger could sign a member in as the
    ///   stranger.
    /// - Returns: `nil` for a cookie that this process did not make, a completed or expired attempt, or another state.
    func open(_ cookie: String?, state: String, at time: Date) -> Attempt? {
        guard let data = cookie.flatMap({ Data(base64URL: $0) }), let box = try? AES.GCM.SealedBox(combined: data),
            let plain = try? AES.GCM.open(box, using: key),
            let attempt = try? JSONDecoder().decode(Attempt.self, from: plain),
            Data(attempt.state.utf8).isSame(as: Data(state.utf8)), attempt.isCurrent(at: time)
        else { return nil }
        return completed.withLock { $0[attempt.nonce] == nil } ? attempt : nil
    }

    /// Marks an attempt as completed, so that it cannot be used again: for when the provider has returned its token.
    ///
    /// - Returns: whether it was not completed before.
    func complete(_ attempt: Attempt, at time: Date) -> Bool {
        completed.withLock { completed in
            completed = completed.filter { $0.value.isCurrent(at: time) }
            guard completed[attempt.nonce] == nil else { return false }
            if completed.count >= Self.maxCompleted, let oldest = completed.values.min(by: { $0.began < $1.began }) {
                completed[oldest.nonce] = nil
            }
            completed[attempt.nonce] = attempt
            return true
        }
    }
}
