import Foundation
import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The route with which a member disconnects the own account from the OpenID provider.
struct OpenIDLinkRoutes: Sendable {
    let accounts: AccountBook
    let audit: AccessRecord
    let openID: OpenIDSettings?

    func add(to table: inout RouteTable) {
        table.add(.delete, "api/v1/session/openid", needs: .ownSession.confirmed, disconnect)
    }

    /// Also ends the member's other sessions, because the person may be signed in with one of them.
    private func disconnect(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let caller = context.caller
        let removed = try accounts.changeAtOnce { accounts -> OpenIDLink? in
            guard let member = caller.member.flatMap({ accounts.member($0) }) else { throw Problem.signInNeeded }
            guard member.openID != nil else { return nil }
            guard member.password != nil, openID?.isOnlyWay != true else { throw Self.onlyWay }
            accounts.endSessions { $0.member == member.id && $0.id != caller.session }
            return accounts.disconnectOpenID(of: member.id)
        }
        if let removed { audit.record(.openIDUnlinked, by: caller, subject: removed.identity.text) }
        return .noContent
    }

    private static let onlyWay = Problem(
        "not_possible", status: 409, title: "No other way to sign in",
        detail: "You cannot sign in without the OpenID provider. Ask an owner to set a password or to disconnect you.")
}
