import Concurrency
import Foundation
import HTTPTypes
import Hummingbird

extension Gatekeeper {
    /// Signs a browser in: adds a session, which replaces the one of this browser.
    ///
    /// On a full disk as well, because members have to sign in to revoke access; the session is in memory only then.
    ///
    /// - Returns: the cookie to send.
    func beginSession(of member: Accounts.Member, _ head: RequestHead) throws -> Cookie {
        let cookie = Secret.make(prefix: Secret.sessionPrefix)
        let earlier = sessionCookie(of: head).map(Secret.hash)
        let time = clock.now
        let session = Session(
            cookie: cookie, member: member.id, at: time, address: clientAddress(of: head),
            agent: head.fields[.userAgent])
        try accounts.changeAtOnce { accounts in
            accounts.removeExpired(at: time, tokensAt: min(time, date()))
            if let earlier { accounts.sessions.removeAll { $0.takes(earlier, at: time) } }
            accounts.add(session)
        }
        return sessionCookie(cookie, for: head)
    }
}
