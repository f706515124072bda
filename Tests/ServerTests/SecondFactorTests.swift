import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct SecondFactorTests {
    @Test(
        "Codes are those of RFC 6238",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ]) func codes(seconds: Int, code: String) throws
    {
        let codes = try #require(OneTimeCodes(secret: Data("12345678901234567890".utf8)))
        let time = Date(timeIntervalSince1970: Double(seconds))
        #expect(codes.code(period: OneTimeCodes.period(of: time)) == code)
        #expect(codes.period(of: code, at: time) != nil)
        #expect(codes.period(of: code, at: time.addingTimeInterval(90)) == nil)
    }

    @Test(
        "Base32 is that of RFC 4648",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ]) func base32(plain: String, text: String)
    {
        #expect(Base32.encode(Data(plain.utf8)) == text)
        #expect(Base32.decode(text) == Data(plain.utf8))
        #expect(Base32.decode(text.lowercased() + "==") == Data(plain.utf8))
    }

    @Test("Other characters are not Base32", arguments: ["1", "A0", "ÄÖ", "A-B"])
    func invalidBase32(text: String) { #expect(Base32.decode(text) == nil) }

    @Test("A second factor is asked for, each code is valid once, and recovery codes replace it")
    func signsIn() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let new = try server.send("POST", "/api/v1/session/second-factor", headers: owner, json: "{}")
            let secret = try #require(new.string("secret"))
            #expect(new.string("url")?.hasPrefix("otpauth://totp/Shelflist:Ada?secret=\(secret)") == true)
            #expect((new["qrCode"] as? String)?.hasPrefix("<svg") == true)
            let bytes = try #require(Base32.decode(secret))
            let codes = try #require(OneTimeCodes(secret: bytes))
            func code() -> String { codes.code(period: OneTimeCodes.period(of: server.now)) }
            func signIn(_ code: String?) throws -> Answer {
                let field = code.map { #","code":"\#($0)""# } ?? ""
                return try server.send(
                    "POST", "/api/v1/session", json: #"{"name":"Ada","password":"correct horse"\#(field)}"#)
            }
            func turnOn(_ code: String) throws -> Answer {
                try server.send(
                    "PUT", "/api/v1/session/second-factor", headers: owner,
                    json: #"{"secret":"\#(secret)","code":"\#(code)"}"#)
            }
            // Nothing is on until the app has proved that it has the secret.
            #expect(try turnOn("000000").problem?.code == "wrong_code")
            #expect(try signIn(nil).status == 200)
            let on = try turnOn(code())
            let recovery = try #require(on["recoveryCodes"] as? [String])
            #expect(Set(recovery).count == 10)

            #expect(try signIn(nil).problem?.code == "code_needed")
            #expect(try signIn(code()).problem?.code == "wrong_code", "it was used to turn the factor on")
            server.clock.advance(by: .seconds(60))
            #expect(try signIn(code()).status == 200)
            #expect(try signIn(code()).problem?.code == "wrong_code")
            #expect(try signIn(recovery[0].uppercased()).status == 200)
            #expect(try signIn(recovery[0]).problem?.code == "wrong_code")
            server.clock.advance(by: .seconds(60))
            // The code does not replace the password.
            let wrong = try server.send(
                "POST", "/api/v1/session", json: #"{"name":"Ada","password":"a guess","code":"\#(code())"}"#)
            #expect(wrong.problem?.code == "wrong_credentials")
            let file = try String(contentsOf: server.folder.appending(path: "accounts.json"), encoding: .utf8)
            #expect(!recovery.contains { file.contains($0) })

            let off = try server.send(
                "DELETE", "/api/v1/session/second-factor", headers: owner, json: #"{"code":"\#(recovery[1])"}"#)
            #expect(off.status == 204)
            #expect(try signIn(nil).status == 200)
        }
    }

    @Test("The owner turns off the second factor of a member who lost it")
    func ownerResets() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let account = #"{"name":"Bea","password":"a long password","role":"viewer"}"#
            let (member, bea) = try server.addMember("Bea", role: "viewer", by: owner)
            let new = try server.send("POST", "/api/v1/session/second-factor", headers: bea, json: "{}")
            let secret = try #require(new.string("secret"))
            let bytes = try #require(Base32.decode(secret))
            let codes = try #require(OneTimeCodes(secret: bytes))
            let on = try server.send(
                "PUT", "/api/v1/session/second-factor", headers: bea,
                json: #"{"secret":"\#(secret)","code":"\#(codes.code(period: OneTimeCodes.period(of: server.now)))"}"#)
            #expect(on.status == 200)
            #expect(try server.send("POST", "/api/v1/session", json: account).problem?.code == "code_needed")
            func change(_ json: String) throws -> Answer {
                try server.send(
                    "PATCH", "/api/v1/members/\(member.id)", headers: owner.merging(["If-Match": "*"]) { $1 },
                    json: json)
            }
            #expect(try change(#"{"secondFactor":true}"#).status == 422)
            #expect(try change(#"{"secondFactor":false}"#).decode(Member.self).secondFactor == false)
            #expect(try server.send("POST", "/api/v1/session", json: account).status == 200)
        }
    }
}
