import Concurrency
import Foundation
import HTTPTypes
import Hummingbird

/// Signs a browser in.
struct NewSession: Sendable {
    let accounts: AccountBook
    let gatekeeper: Gatekeeper

    /// Adds a session, which replaces the one of this browser.
    ///
    /// - Returns: the cookie to send.
    /// - Throws: `StorageError` if the accounts could not be written.
    func callAsFunction(for member: Accounts.Member, _ head: RequestHead) throws -> Cookie {
        let cookie = Secret.make(prefix: Secret.sessionPrefix)
        let earlier = gatekeeper.sessionCookie(of: head).map(Secret.hash)
        let time = gatekeeper.clock.now
        let session = Session(
            cookie: cookie, member: member.id, at: time, address: gatekeeper.clientAddress(of: head),
            agent: head.fields[.userAgent])
        try accounts.change { accounts in
            accounts.removeExpired(at: time)
            if let earlier { accounts.sessions.removeAll { $0.takes(earlier, at: time) } }
            accounts.add(session)
        }
        return gatekeeper.sessionCookie(cookie, for: head)
    }
}
