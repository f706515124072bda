import Foundation
import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The routes for members and access tokens.
struct MemberRoutes: Sendable {
    let accounts: AccountBook
    let apps: AppKeyBook
    let passwords: PasswordWorker
    let audit: AccessRecord
    let openID: OpenIDSettings?

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/members", needs: .owner) { request, _ in
            let paging = try Paging(Query(request))
            return paging.page(of: accounts.read(\.members), Member.init)
        }
        table.add(.post, "api/v1/members", needs: .owner.confirmed, addMember)
        table.add(.patch, "api/v1/members/:member", needs: .owner.confirmed, changeMember)
        table.add(.delete, "api/v1/members/:member", needs: .owner.confirmed, removeMember)
        table.add(.get, "api/v1/tokens", needs: .member) { request, context in
            let paging = try Paging(Query(request))
            let member = context.caller.member
            return paging.page(of: accounts.read { $0.tokens.filter { $0.member == member } }, TokenMessage.init)
        }
        table.add(.post, "api/v1/tokens", needs: .member.confirmed, addToken)
        table.add(.delete, "api/v1/tokens/:token", needs: .viewer, removeToken)
    }

    // MARK: Members

    private func addMember(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        try Problem.checkPasswords(openID)
        let new: NewMemberMessage = try await request.json()
        try new.check()
        guard accounts.read(\.hasOwner) else {
            throw Problem(
                "not_ready", status: 409, title: "No owner yet",
                detail: "The server has no owner yet. Create one first (POST /api/v1/setup).")
        }
        let password = try await passwords.hash(new.password)
        let member = Accounts.Member(
            id: UUID().uuidString.lowercased(), name: new.name, role: new.role, password: password,
            createdAt: audit.date())
        try accounts.change { accounts in
            guard accounts.member(named: new.name) == nil else {
                throw Problem(
                    "name_taken", status: 409, title: "Name taken",
                    detail: "A member with this name already exists. Choose another name.", field: "name")
            }
            accounts.members.append(member)
        }
        audit.record(.memberAdded, by: context.caller, subject: member.name)
        return Member(member).with(.created)
    }

    private func changeMember(_ request: Request, _ context: AppContext) async throws -> Member {
        let change: MemberChangeMessage = try await request.json()
        let id = try context.parameters.require("member")
        guard let before = accounts.read({ $0.member(id) }) else { throw Problem.notFound }
        let password: PasswordHash?
        if let new = change.password {
            try Problem.checkPasswords(openID)
            guard id != context.caller.member else {
                throw Problem.invalidField(
                    "password", "Change your own password with the current one (PUT /api/v1/session/password).")
            }
            try NewMemberMessage.check(password: new, field: "password")
            password = try await passwords.hash(new)
        } else {
            password = nil
        }
        try change.checkAccess(isOwn: id == context.caller.member)
        let (changed, removed) = try accounts.changeAtOnce { accounts -> (Accounts.Member, OpenIDLink?) in
            guard let index = accounts.members.firstIndex(where: { $0.id == id }) else { throw Problem.notFound }
            try EntityTag.check(request, current: Member(accounts.members[index]).etag)
            if change.secondFactor == false { accounts.members[index].secondFactor = nil }
            if let role = change.role { accounts.members[index].role = role }
            if let password {
                accounts.members[index].password = password
                accounts.endSessions(of: id)
                accounts.tokens.removeAll { $0.member == id }
            }
            let removed = change.removesOpenID ? accounts.disconnectOpenID(of: id) : nil
            // The person whom the owner disconnects may be signed in.
            if removed != nil { accounts.endSessions { $0.member == id } }
            guard accounts.hasOwner else { throw Self.lastOwner }
            return (accounts.members[index], removed)
        }
        if password != nil {
            try apps.changeAtOnce { keys in keys.removeAll { $0.member == id } }
            audit.record(.passwordReset, by: context.caller, subject: changed.name)
        }
        if changed.role != before.role {
            audit.record(.roleChanged, by: context.caller, subject: "\(changed.name): \(changed.role)")
        }
        if before.secondFactor != nil, changed.secondFactor == nil {
            audit.record(.secondFactorOff, by: context.caller, subject: changed.name)
        }
        if let removed {
            audit.record(
                .openIDUnlinked, by: context.caller, subject: "\(changed.name): \(removed.identity.text)")
        }
        return Member(changed)
    }

    private func removeMember(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let id = try context.parameters.require("member")
        let removed = try accounts.changeAtOnce { accounts in
            guard let member = accounts.member(id) else { throw Problem.notFound }
            accounts.remove(member: id)
            guard accounts.hasOwner else { throw Self.lastOwner }
            return member
        }
        audit.record(.memberRemoved, by: context.caller, subject: removed.name)
        try apps.changeAtOnce { keys in keys.removeAll { $0.member == id } }
        return .noContent
    }

    private static let lastOwner = Problem(
        "not_possible", status: 409, title: "Last owner",
        detail: "This member is the last owner. Make another member an owner first.")

    // MARK: Tokens

    private func ownMember(_ context: AppContext) throws -> String {
        guard let member = context.caller.member else {
            throw Problem(
                "not_ready", status: 409, title: "No owner yet",
                detail: "Tokens belong to members. Create the owner first (POST /api/v1/setup).")
        }
        return member
    }

    private func addToken(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let new: NewTokenMessage = try await request.json()
        let member = try ownMember(context)
        guard AccessName.isValid(new.name, limit: 100) else {
            throw Problem.invalidField(
                "name", "The token's name must have 1 to 100 characters and no control characters.")
        }
        guard !new.scopes.isEmpty else { throw Problem.invalidField("scopes", "The token has no scopes. Add one.") }
        if let days = new.expiresInDays, !(1...3650).contains(days) {
            throw Problem.invalidField("expiresInDays", "'expiresInDays' must be 1 to 3650.")
        }
        let secret = Secret.make(prefix: Secret.tokenPrefix)
        let time = audit.date()
        let token = Accounts.Token(
            id: UUID().uuidString.lowercased(), hash: Secret.hash(secret), member: member, name: new.name,
            scopes: Array(Set(new.scopes)).sorted { $0.rawValue < $1.rawValue }, createdAt: time,
            expiresAt: new.expiresInDays.map { time.addingTimeInterval(Double($0) * 86400) })
        try accounts.change { accounts in
            guard accounts.tokens.count(where: { $0.member == member }) < Accounts.maxTokensPerMember else {
                throw Problem(
                    "not_possible", status: 409, title: "Too many tokens",
                    detail: "A member can have at most \(Accounts.maxTokensPerMember) tokens. Revoke one first.")
            }
            accounts.tokens.append(token)
        }
        audit.record(.tokenAdded, by: context.caller, subject: token.name)
        return CreatedTokenMessage(secret: secret, token: TokenMessage(token)).with(.created)
    }

    private func removeToken(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let (id, member) = (try context.parameters.require("token"), context.caller.member)
        // A program that signs out revokes its own token, without the right to revoke others.
        if id != context.caller.token { try Requirement.member.check(context.caller) }
        let revoked = try accounts.changeAtOnce { accounts in
            guard let index = accounts.tokens.firstIndex(where: { $0.id == id && $0.member == member }) else {
                throw Problem.notFound
            }
            return accounts.tokens.remove(at: index)
        }
        audit.record(.tokenRevoked, by: context.caller, subject: revoked.name)
        return .noContent
    }
}

private struct MemberChangeMessage: Decodable {
    var role: Role?
    var password: String?
    /// `false` turns off the second factor of a member who lost it.
    var secondFactor: Bool?
    /// `false` removes the connection to the OpenID provider.
    var openId: Bool?
    /// Whether a new password keeps that connection; by default it is removed.
    var keepOpenId: Bool?

    var removesOpenID: Bool { openId == false || (password != nil && keepOpenId != true) }

    /// - Parameter isOwn: whether the owner changes the own account, which needs more than the owner's role.
    /// - Throws: `Problem`.
    func checkAccess(isOwn: Bool) throws {
        if secondFactor == true {
            throw Problem.invalidField("secondFactor", "Only the member can turn the second factor on. Send false.")
        }
        if openId == true {
            throw Problem.invalidField("openId", "Only the member can connect the OpenID provider. Send false.")
        }
        if isOwn, secondFactor == false {
            throw Problem.invalidField(
                "secondFactor",
                "Turn off your own second factor with one of its codes (DELETE /api/v1/session/second-factor).")
        }
        if isOwn, openId == false {
            throw Problem.invalidField(
                "openId", "Disconnect your own account in your session (DELETE /api/v1/session/openid).")
        }
    }
}

private struct TokenMessage: Encodable {
    var id: String
    var name: String
    var scopes: [TokenScope]
    var createdAt: Date
    @Null var expiresAt: Date?
    @Null var lastUsedAt: Date?

    init(_ token: Accounts.Token) {
        (id, name, scopes, createdAt) = (token.id, token.name, token.scopes, token.createdAt)
        expiresAt = token.expiresAt
        lastUsedAt = token.lastUsedAt
    }
}

private struct NewTokenMessage: Decodable {
    var name: String
    var scopes: [TokenScope]
    var expiresInDays: Int?
}

private struct CreatedTokenMessage: ResponseEncodable {
    var secret: String
    var token: TokenMessage
}
