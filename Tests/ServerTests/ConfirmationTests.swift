import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// What a session that its member has not just confirmed cannot change.
@Suite(.serialized, .endsHangs) struct ConfirmationTests {
    /// A member's authenticator app.
    private struct Authenticator: Sendable {
        var codes: OneTimeCodes
        var recovery: [String]

        /// Turns the second factor of a session's member on, or replaces it.
        ///
        /// - Parameter current: a code of the factor that is replaced.
        static func turnOn(
            _ server: TestServer, _ session: [String: String], replacing current: String? = nil
        ) throws -> (app: Authenticator, answer: Answer) {
            let new = try server.send("POST", "/api/v1/session/second-factor", headers: session, json: "{}")
            let secret = new.string("secret") ?? ""
            let codes = try #require(Base32.decode(secret).flatMap(OneTimeCodes.init(secret:)))
            let code = codes.code(period: OneTimeCodes.period(of: server.now))
            let field = current.map { #","currentCode":"\#($0)""# } ?? ""
            let answer = try server.send(
                "PUT", "/api/v1/session/second-factor", headers: session,
                json: #"{"secret":"\#(secret)","code":"\#(code)"\#(field)}"#)
            return (Authenticator(codes: codes, recovery: answer["recoveryCodes"] as? [String] ?? []), answer)
        }

        func code(at time: Date) -> String { codes.code(period: OneTimeCodes.period(of: time)) }
    }

    private static func turnOff(_ server: TestServer, _ session: [String: String], _ json: String) throws -> Answer {
        try server.send("DELETE", "/api/v1/session/second-factor", headers: session, json: json)
    }

    private static func hasFactor(_ server: TestServer, _ session: [String: String]) throws -> Bool? {
        try server.get("/api/v1/session", headers: session, as: SessionState.self).member?.secondFactor
    }

    @Test("A session of a member with a second factor is confirmed with its code")
    func confirmsWithCode() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let app = try Authenticator.turnOn(server, owner).app
            server.clock.advance(by: .seconds(16 * 60))
            func confirm(_ code: String?) throws -> Answer {
                let field = code.map { #","code":"\#($0)""# } ?? ""
                return try server.send(
                    "POST", "/api/v1/session/confirm", headers: owner, json: #"{"password":"correct horse"\#(field)}"#)
            }
            #expect(try confirm(nil).problem?.code == "code_needed")
            #expect(try confirm("000000").problem?.code == "wrong_code")
            #expect(try server.send("GET", "/api/v1/backup", headers: owner).status == 403)
            let code = app.code(at: server.now)
            #expect(try confirm(code).status == 204)
            #expect(try server.send("GET", "/api/v1/backup", headers: owner).status == 200)
            #expect(try confirm(code).problem?.code == "wrong_code", "each code is valid once")
            #expect(try confirm(app.recovery[0]).status == 204)
        }
    }

    @Test("A confirmed session turns a second factor off only with one of its codes")
    func turnsOffWithCode() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let app = try Authenticator.turnOn(server, owner).app
            #expect(try Self.turnOff(server, owner, "{}").status == 400)
            #expect(try Self.turnOff(server, owner, #"{"code":""}"#).problem?.code == "code_needed")
            #expect(try Self.turnOff(server, owner, #"{"code":"000000"}"#).problem?.code == "wrong_code")
            server.clock.advance(by: .seconds(16 * 60))
            let code = app.code(at: server.now)
            #expect(try Self.turnOff(server, owner, #"{"code":"\#(code)"}"#).problem?.code == "confirmation_needed")
            let guess = try Self.turnOff(server, owner, #"{"code":"\#(code)","password":"a guess"}"#)
            #expect(guess.problem?.code == "wrong_credentials")
            #expect(try Self.hasFactor(server, owner) == true)
            // One code is enough, because it was not used for a confirmation.
            let off = try Self.turnOff(server, owner, #"{"code":"\#(code)","password":"correct horse"}"#)
            #expect(off.status == 204)
            #expect(try Self.hasFactor(server, owner) == false)
        }
    }

    @Test("A second factor is replaced only with one of its codes")
    func replacesWithCode() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let app = try Authenticator.turnOn(server, owner).app
            let refused = try Authenticator.turnOn(server, owner).answer
            #expect(refused.problem?.code == "code_needed" && refused.problem?.field == "currentCode")
            let wrong = try Authenticator.turnOn(server, owner, replacing: "000000").answer
            #expect(wrong.problem?.code == "wrong_code")
            let new = try Authenticator.turnOn(server, owner, replacing: app.recovery[0])
            #expect(new.answer.status == 200)
            // The codes of the earlier one do not count any more.
            #expect(
                try Self.turnOff(server, owner, #"{"code":"\#(app.recovery[1])"}"#).problem?.code == "wrong_code")
            #expect(try Self.turnOff(server, owner, #"{"code":"\#(new.app.recovery[0])"}"#).status == 204)
        }
    }

    @Test("Keys, consents and readers are changed in a confirmed session, and the access log has their names")
    func guardsSettings() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let bearer = try server.addToken(["admin", "read"], by: owner)
            server.clock.advance(by: .seconds(16 * 60))
            let taken = #"{"readers":[{"id":"openai","key":"sk-of-the-thief","agreed":true}],"reader":"openai"}"#
            for json in [
                taken, #"{"reader":"local"}"#, #"{"assistReader":"openai"}"#,
                #"{"readers":[{"id":"openai","agreed":false}]}"#, #"{"readers":[{"id":"openai","model":"other"}]}"#,
                #"{"providers":[{"id":"googlebooks","key":null}]}"#,
            ] {
                let answer = try server.changeSettings(json, headers: owner)
                #expect(answer.problem?.code == "confirmation_needed", "\(json)")
            }
            for json in [#"{"threshold":0.7}"#, #"{"providers":[{"id":"openlibrary","enabled":false}]}"#] {
                #expect(try server.changeSettings(json, headers: owner).status == 200, "\(json)")
            }
            #expect(try OpenIDFlow.audit(server, owner).first == "tokenAdded script")
            // A token with the scope was confirmed when it was created.
            #expect(try server.changeSettings(#"{"reader":"local"}"#, headers: bearer).status == 200)
            let confirmed = try server.send(
                "POST", "/api/v1/session/confirm", headers: owner, json: #"{"password":"correct horse"}"#)
            #expect(confirmed.status == 204)
            #expect(try server.changeSettings(taken, headers: owner).status == 200)
            let refused = try server.changeSettings(#"{"reader":"nobody"}"#, headers: owner)
            #expect(refused.status == 422)
            let audit = try OpenIDFlow.audit(server, owner)
            #expect(
                Array(audit.prefix(2)) == [
                    "settingsChanged reader, openai.key, openai.agreed", "settingsChanged reader",
                ])
            let file = try String(contentsOf: server.folder.appending(path: "audit.jsonl"), encoding: .utf8)
            #expect(!file.contains("sk-of-the-thief"))
        }
    }
}
