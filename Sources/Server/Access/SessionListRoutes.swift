import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The routes for a member's sessions and for the audit log.
struct SessionListRoutes: Sendable {
    let accounts: AccountBook
    let gatekeeper: Gatekeeper
    let audit: AccessRecord

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/sessions", needs: .ownSession) { request, context in
            let caller = context.caller
            let now = audit.clock.now
            let own = accounts.read { accounts in
                accounts.sessions.filter { $0.member == caller.member && $0.isValid(at: now) }
            }
            return try Paging(Query(request)).page(of: own.sorted { $0.lastUsed > $1.lastUsed }) {
                ListedSessionMessage($0, isCurrent: $0.id == caller.session)
            }
        }
        table.add(.delete, "api/v1/sessions", needs: .ownSession, endOthers)
        table.add(.delete, "api/v1/sessions/:session", needs: .ownSession, end)
        table.add(.get, "api/v1/audit", needs: .owner) { request, _ in
            try Paging(Query(request)).page(of: audit.log.entries, AuditMessage.init)
        }
    }

    /// Signs the member out everywhere else.
    private func endOthers(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let caller = context.caller
        guard let member = caller.member.flatMap({ id in accounts.read { $0.member(id) } }) else {
            throw Problem.signInNeeded
        }
        let ended = try accounts.changeAtOnce { $0.endSessions(of: member.id, except: caller.session) }
        if ended > 0 { audit.record(.sessionsEnded, by: caller) }
        let head = RequestHead(request.head, peer: context.peer)
        return gatekeeper.keepingKnown(EditedResponse(response: HTTPResponse.Status.noContent), member, head)
    }

    private func end(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let (id, caller) = (try context.parameters.require("session"), context.caller)
        try accounts.changeAtOnce { accounts in
            guard accounts.endSessions(where: { $0.id == id && $0.member == caller.member }) > 0 else {
                throw Problem.notFound
            }
        }
        audit.record(.sessionEnded, by: caller)
        return .noContent
    }
}

private struct ListedSessionMessage: Encodable {
    var id: String
    /// Whether the request was sent with this session.
    var current: Bool
    @Null var agent: String?
    @Null var address: String?
    var createdAt: Date
    var lastUsedAt: Date

    init(_ session: Session, isCurrent: Bool) {
        (id, current, createdAt, lastUsedAt) = (session.id, isCurrent, session.createdAt, session.lastUsed)
        agent = session.agent
        address = session.address
    }
}

private struct AuditMessage: Encodable {
    var time: Date
    var event: AuditEvent
    @Null var member: String?
    @Null var subject: String?
    @Null var address: String?
    /// Further events of this kind within the minute, which have no entries.
    @Null var more: Int?

    init(_ entry: AuditEntry) {
        (time, event) = (entry.time, entry.event)
        member = entry.member
        subject = entry.subject
        address = entry.address
        more = entry.more
    }
}
