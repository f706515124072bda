import Concurrency
import Foundation
import HTTPTypes
import Hummingbird

extension Gatekeeper {
    /// Signs a browser in: adds a session, which replaces the one of this browser.
    ///
    /// - Returns: the cookie to send.
    /// - Throws: `StorageError` if the accounts could not be written.
    func beginSession(of member: Accounts.Member, _ head: RequestHead) throws -> Cookie {
        let cookie = Secret.make(prefix: Secret.sessionPrefix)
        let earlier = sessionCookie(of: head).map(Secret.hash)
        let time = clock.now
        let session = Session(
            cookie: cookie, member: member.id, at: time, address: clientAddress(of: head),
            agent: head.fields[.userAgent])
        try accounts.change { accounts in
            accounts.removeExpired(at: time)
            if let earlier { accounts.sessions.removeAll { $0.takes(earlier, at: time) } }
            accounts.add(session)
        }
        return sessionCookie(cookie, for: head)
    }
}
