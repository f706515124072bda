import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Connecting a member to a person at the OpenID provider, and disconnecting them.
@Suite(.serialized, .endsHangs) struct OpenIDLinkTests {
    private static let ada = #"{"name":"Ada","password":"correct horse"}"#

    private static func status(_ server: TestServer, _ cookie: [String: String]) throws -> Int {
        try server.send("GET", "/api/v1/library", headers: cookie).status
    }

    @Test("Each session of the member and every owner see the connected account, until the member removes it")
    func showsAndRemoves() async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            let other = try server.cookie(server.send("POST", "/api/v1/session", json: Self.ada))
            provider.change(#"{"email":"ada@id.example"}"#)
            #expect(try OpenIDFlow.link(server, provider, owner).location == "/#/settings")
            let account = try #require(try OpenIDFlow.member(server, other)?.openIdAccount)
            #expect(account.name == "ada (ada@id.example)" && account.issuer == provider.issuer.absoluteString)
            #expect(account.linkedAt != nil)
            let members: Page<Member> = try server.get("/api/v1/members", headers: owner)
            #expect(members.items.first?.openIdAccount == account)
            #expect(try OpenIDFlow.audit(server, owner).first == "openIDLinked \(account.issuer) u1")

            let visitor = try OpenIDFlow.signIn(server, provider, as: "u1").cookie
            #expect(try Self.status(server, visitor) == 200)
            #expect(try server.send("DELETE", "/api/v1/session/openid", headers: owner).status == 204)
            #expect(try Self.status(server, owner) == 200)
            #expect(try Self.status(server, visitor) == 401 && Self.status(server, other) == 401)
            #expect(try OpenIDFlow.member(server, owner)?.openIdAccount == nil)
            #expect(try OpenIDFlow.audit(server, owner).first == "openIDUnlinked \(account.issuer) u1")
            // The person is a stranger again.
            let stranger = try OpenIDFlow.member(server, OpenIDFlow.signIn(server, provider, as: "u1").cookie)
            #expect(stranger?.role == "viewer" && stranger?.openIdAccount?.linkedAt == nil)
            let again = try server.send("DELETE", "/api/v1/session/openid", headers: owner)
            #expect(again.status == 204)
        }
    }

    @Test("Text of the provider is shown without characters that reorder or hide other text")
    func cleansNames() async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            provider.change(#"{"preferred_username":"\u202eada\u0007 ","email":null}"#)
            _ = try OpenIDFlow.link(server, provider, owner)
            #expect(try OpenIDFlow.member(server, owner)?.openIdAccount?.name == "ada")
            provider.change(#"{"preferred_username":"\u200b"}"#)
            let nameless = try OpenIDFlow.member(server, OpenIDFlow.signIn(server, provider, as: "u2").cookie)
            #expect(nameless?.name == "Member" && nameless?.openIdAccount?.name == "u2")
        }
    }

    @Test("Connecting needs the password of the last minute, and a fresh sign-in at the provider")
    func needsFreshProof() async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            server.clock.advance(by: .seconds(61))
            let refused = try OpenIDFlow.link(server, provider, owner)
            #expect(refused.answer.problem?.code == "confirmation_needed")
            let confirmed = try server.send(
                "POST", "/api/v1/session/confirm", headers: owner, json: #"{"password":"correct horse"}"#)
            #expect(confirmed.status == 204)
            let began = try server.send("GET", "/api/v1/session/openid?for=link", headers: owner)
            #expect(began.headers["location"]?.contains("max_age=0") == true)
            let stale = Int(provider.date.timeIntervalSince1970) - 400
            for claims in [#"{"auth_time":null}"#, #"{"auth_time":\#(stale)}"#] {
                provider.change(claims)
                #expect(try OpenIDFlow.link(server, provider, owner).location == "/#/welcome?openid=failed")
            }
            provider.change("{}")
            #expect(try OpenIDFlow.link(server, provider, owner).location == "/#/settings")
        }
    }

    @Test("An account is not connected in a session that has ended")
    func endsWithSession() async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            let visited = try server.cookie(server.send("POST", "/api/v1/session", json: Self.ada))
            let began = try server.send("GET", "/api/v1/session/openid?for=link", headers: visited)
            let back = try provider.signIn(.init(subject: "u1"), at: began.headers["location"] ?? "")
            #expect(try server.send("DELETE", "/api/v1/sessions", headers: owner).status == 204)
            let answer = try server.send("GET", back, headers: server.cookie(began))
            #expect(answer.headers["location"] == "/#/welcome?openid=expired")
            #expect(try OpenIDFlow.member(server, owner)?.openId == false)
        }
    }

    @Test("A connected account is not replaced by another one")
    func isNotReplaced() async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            _ = try OpenIDFlow.link(server, provider, owner)
            let other = try OpenIDFlow.link(server, provider, as: "u2", owner)
            #expect(other.location == "/#/welcome?openid=taken")
            #expect(try OpenIDFlow.member(server, owner)?.name == "Ada")
        }
    }

    @Test("A new password removes the connection unless the member keeps it", arguments: [true, false])
    func passwordChange(keeps: Bool) async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            _ = try OpenIDFlow.link(server, provider, owner)
            let change = #"{"current":"correct horse","new":"battery staple"\#(keeps ? #","keepOpenId":true"# : "")}"#
            #expect(try server.send("PUT", "/api/v1/session/password", headers: owner, json: change).status == 204)
            #expect(try OpenIDFlow.member(server, owner)?.openId == keeps)
            #expect(try OpenIDFlow.audit(server, owner).contains { $0.hasPrefix("openIDUnlinked") } == !keeps)
        }
    }

    @Test(
        "An owner disconnects another member, also with a new password",
        arguments: [
            (#"{"openId":false}"#, false), (#"{"password":"another password"}"#, false),
            (#"{"password":"another password","keepOpenId":true}"#, true),
        ])
    func ownerDisconnects(change: String, isKept: Bool) async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            let bea = try server.addMember("Bea", role: "viewer", by: owner)
            _ = try OpenIDFlow.link(server, provider, bea.session)
            func patch(_ member: String, _ json: String) throws -> Answer {
                try server.send(
                    "PATCH", "/api/v1/members/\(member)", headers: owner.merging(["If-Match": "*"]) { $1 }, json: json)
            }
            #expect(try patch(bea.member.id, #"{"openId":true}"#).status == 422)
            let changed = try patch(bea.member.id, change).decode(Member.self)
            #expect(changed.openId == isKept)
            #expect(try Self.status(server, bea.session) == 401)
            #expect(try OpenIDFlow.audit(server, owner).contains { $0.hasPrefix("openIDUnlinked Bea: ") } == !isKept)
            let own = try #require(try OpenIDFlow.member(server, owner)).id
            for json in [#"{"openId":false}"#, #"{"secondFactor":false}"#] {
                #expect(try patch(own, json).status == 422, "the own account needs more than the role")
            }
        }
    }

    @Test("A member who could not sign in otherwise stays connected")
    func onlyWay() async throws {
        try await OpenIDFlow.withOwner { server, provider, _ in
            let member = try OpenIDFlow.signIn(server, provider, as: "u1").cookie
            let answer = try server.send("DELETE", "/api/v1/session/openid", headers: member)
            #expect(answer.problem?.code == "not_possible")
            #expect(try OpenIDFlow.member(server, member)?.openId == true)
        }
    }

    @Test("A connection of an earlier version stays, and gets a name at the next sign-in")
    func earlierVersion() async throws {
        let folder = try TemporaryFolder()
        let provider = try StubIdentityProvider()
        try await OpenIDFlow.withProvider(folder: folder.url, provider: provider) { server, provider in
            _ = try OpenIDFlow.link(server, provider, server.makeOwner())
        }
        let file = folder.url.appending(path: "accounts.json")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let text = lines.filter { !$0.contains(#""linkedAt""#) && !$0.contains(#""name" : "ada""#) }
            .joined(separator: "\n")
        try Data(text.utf8).write(to: file)
        try await OpenIDFlow.withProvider(folder: folder.url, provider: provider) { server, provider in
            let arrival = try OpenIDFlow.signIn(server, provider, as: "u1")
            let account = try #require(try OpenIDFlow.member(server, arrival.cookie)?.openIdAccount)
            #expect(account.name == "ada" && account.linkedAt == nil)
        }
    }
}
