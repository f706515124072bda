import Foundation
import Server
import ServerFixtures
import TestSupport
import Testing

/// Signing in to a server.
@Suite(.serialized, .endsHangs) struct LoginTests {
    @Test("A login stores a token that only its user can read, and a logout revokes it")
    func login() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let command = try CommandRunner()
            let url = "http://127.0.0.1:\(server.port)"
            let before = try command.run("whoami", "--server", url)
            #expect(before.status == 1 && before.errors.hasSuffix("needs a sign-in. Run: shelflist login \(url)\n"))

            let wrong = try PseudoTerminal(
                ["login", url], in: command.folder, environment: ["HOME": command.folder.path])
            try await wrong.answer("Ada", until: "Password: ")
            let refused = try await wrong.answer("wrong horse", until: "Check both.")
            #expect(!refused.contains("wrong horse"), "the terminal does not show the password")
            #expect(try await wrong.end() == 1)
            #expect(wrong.isAsItWas)

            let right = try PseudoTerminal(
                ["login", url + "/"], in: command.folder, environment: ["HOME": command.folder.path], columns: 120)
            try await right.answer("Ada", until: "Password: ")
            try await right.answer("correct horse", until: "Signed in to \(url) as Ada.")
            #expect(try await right.end() == 0)
            let file = command.folder.appending(path: ".config/shelflist/servers.json")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("horse"))
            let secret = try #require(text.firstMatch(of: /slp_\w+/)).output
            #expect(
                try server.send("GET", "/api/v1/sessions", headers: owner)["total"] as? Int == 1, "signed out again")

            let known = try command.run("whoami", environment: ["SHELFLIST_SERVER": url])
            #expect(known.output == "Ada, owner\n\(url), Shelflist test\n", "\(known)")
            let out = try command.run("logout", url)
            #expect(out.output == "Signed out of \(url).\n", "\(out.errors)")
            let after = try server.send("GET", "/api/v1/library", headers: ["Authorization": "Bearer \(secret)"])
            #expect(after.status == 401)
            #expect(try command.run("logout", url).errors == "shelflist: You are not signed in to \(url).\n")
        }
    }

    @Test("A member with a second factor is asked for a code")
    func secondFactor() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let secret = try #require(
                try server.send("POST", "/api/v1/session/second-factor", headers: owner, json: "{}").string("secret"))
            let codes = try #require(Base32.decode(secret).flatMap(OneTimeCodes.init(secret:)))
            let code = codes.code(period: OneTimeCodes.period(of: server.now))
            let on = try server.send(
                "PUT", "/api/v1/session/second-factor", headers: owner,
                json: #"{"secret":"\#(secret)","code":"\#(code)"}"#)
            let recovery = try #require((on["recoveryCodes"] as? [String])?.first)
            let command = try CommandRunner()
            let terminal = try PseudoTerminal(
                ["login", "http://localhost:\(server.port)"], in: command.folder,
                environment: ["HOME": command.folder.path], columns: 120)
            try await terminal.answer("Ada", until: "Password: ")
            try await terminal.answer("correct horse", until: "Code of the authenticator app")
            try await terminal.answer(recovery, until: "as Ada.")
            #expect(try await terminal.end() == 0)
        }
    }

    @Test("A token of the web app is taken from standard input, and a revoked one is named")
    func enteredToken() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let made = try server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"script","scopes":["read"]}"#)
            let secret = try #require(made.string("secret"))
            let id = try #require(made["token", "id"] as? String)
            let command = try CommandRunner()
            let url = "http://127.0.0.1:\(server.port)"
            try command.write(Array("\(secret)\n".utf8), to: "token")
            let program = try CommandRunner.program.path
            let login = try command.launch(
                [], through: ["/bin/sh", "-c", "exec \(program) login --token \(url) < token", "sh"]
            ).outcome()
            #expect(login.output == "Signed in to \(url) as Ada.\n", "\(login)")
            #expect(try command.run("library", "list", "--server", url).status == 0)
            // The environment's token takes precedence over that of the login.
            let other = try command.run("whoami", "--server", url, environment: ["SHELFLIST_TOKEN": "slp_none"])
            #expect(other.status == 1 && other.errors.contains("has expired or was revoked"))
            #expect(try server.send("DELETE", "/api/v1/tokens/\(id)", headers: owner).status == 204)
            let revoked = try command.run("library", "list", "--server", url)
            #expect(
                revoked.errors
                    == "shelflist: The access token for \(url) has expired or was revoked. Sign in again: shelflist login \(url)\n"
            )
            #expect(revoked.status == 1)
        }
    }

    @Test("Without members no sign-in is needed, and the certificate of a login is remembered")
    func certificate() async throws {
        let command = try CommandRunner()
        let authority = LocalAuthority(folder: command.folder)
        try authority.prepare(names: ["127.0.0.1"])
        let files = authority.serverFiles
        let certificate = authority.authorityFile
        try await withServer(configure: { settings, _ in settings.tls = files }) { server in
            let command = try CommandRunner()
            let url = "https://127.0.0.1:\(server.port)"
            let untrusted = try command.run("library", "list", "--server", url)
            #expect(untrusted.status == 1)
            #expect(
                untrusted.errors
                    == "shelflist: The certificate of 127.0.0.1 is not trusted. Check the address. If the server has its own "
                    + "authority, copy its certificate (\(url)/ca.pem) and name the file with --ca.\n")
            let copy = command.folder.appending(path: "ca.pem")
            try FileManager.default.copyItem(at: certificate, to: copy)
            let named = try command.run("library", "list", "--server", url, "--ca", "ca.pem")
            #expect(named.status == 0 && named.output.hasPrefix("No books yet."), "\(named)")
            let login = try command.run("login", url, "--ca", "ca.pem")
            #expect(login.output == "\(url) has no members; no sign-in is needed.\n", "\(login)")
            try FileManager.default.removeItem(at: copy)
            #expect(try command.run("whoami", "--server", url).status == 0, "the file is not needed any more")
            let missing = try command.run("whoami", "--server", url, "--ca", "ca.pem")
            #expect(
                missing.status == 1 && missing.errors.hasPrefix("shelflist: ca.pem: The certificate cannot be read."))
            let other = LocalAuthority(folder: command.folder)
            try other.prepare(names: ["127.0.0.1"])
            let wrong = try command.run("whoami", "--server", url, "--ca", "ca.pem")
            #expect(wrong.status == 1 && wrong.errors.contains("does not match the certificates of --ca"), "\(wrong)")
        }
    }
}
