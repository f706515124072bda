import ArgumentParser
import Foundation
import ShelflistClient
import Terminal

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Sign in to a server, for commands with --server.",
        discussion: """
            Asks for name, password and, if needed, the code of the authenticator app. Creates an access token that may \
            read, change and scan for a year, and stores it in the configuration folder, where only you can read it. \
            The password is not stored.

            Examples:
              shelflist login https://books.example.org
              shelflist login --ca ca.pem https://books.home.arpa:8443
              shelflist library list --server https://books.example.org
            """)

    @Argument(help: ArgumentHelp("The server's address.", valueName: "url")) var url: String
    @Flag(
        help: """
            Enter an access token of the web app instead of name and password; without a terminal, as a line of \
            standard input.
            """)
    var token = false
    @Option(
        help: ArgumentHelp("Trust the certificates in this file (PEM) too, now and later.", valueName: "file"),
        completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    func validate() throws { _ = try RemoteServer.url(url, option: "<url>") }

    func run() async throws {
        try await reportingErrors {
            let address = try RemoteServer.url(url, option: "<url>")
            if address.scheme == "http", !["localhost", "127.0.0.1", "[::1]", "::1"].contains(address.host()) {
                StandardStream.warn("the connection to \(address) is not encrypted; others on the network can read it.")
            }
            let stored = try StoredServers.read().servers[address.absoluteString]
            let authority = try ca.map(RemoteServer.certificates) ?? stored?.authority.map { Data($0.utf8) }
            var new = StoredServers.Server(authority: authority.map { String(decoding: $0, as: UTF8.self) })
            let server = RemoteServer(address: address, token: nil, authority: authority)
            if token {
                new.token = try enteredToken()
            } else if try await needsSignIn(server) {
                let created = try await createToken(server.client)
                (new.token, new.tokenID) = (created.secret, created.token.id)
            }
            let signedIn = RemoteServer(address: address, token: new.token, authority: authority)
            let (_, member) = try await signedIn.checkReady()
            try StoredServers.change(server.address, to: new)
            let result =
                member.map { "Signed in to \(server.address) as \($0.name)." }
                ?? "\(server.address) has no members; no sign-in is needed."
            StandardStream.output.write(TerminalText.safe(result) + "\n")
        }
    }

    /// - Throws: `CommandError` or `ShelflistError` for anything but a server that can be used.
    private func needsSignIn(_ server: RemoteServer) async throws -> Bool {
        if case .signInNeeded = await server.client.probe() { return true }
        _ = try await server.checkReady()
        return false
    }

    private func enteredToken() throws -> String {
        let line = TerminalPrompt.secret("Access token")?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !line.isEmpty, line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandError("No access token was entered. Create one in the web app: Settings, Sharing and server.")
        }
        return line
    }

    private func createToken(_ client: ShelflistClient) async throws -> AccessRequests.CreatedToken {
        let session = try await client.access.session()
        guard session.openId?.onlyWay != true else {
            throw CommandError(
                "This server does not accept passwords. Create an access token in the web app and add --token.")
        }
        guard TerminalPrompt.isPossible else {
            throw CommandError("Name and password are asked for on a terminal. Without one, add --token.")
        }
        guard let name = TerminalPrompt.line("Name"), let password = TerminalPrompt.secret("Password") else {
            throw ExitCode.failure
        }
        var credentials = AccessRequests.Credentials(name: name, password: password)
        do {
            return try await token(client, credentials)
        } catch let error as ShelflistError where error.problem?.code == "code_needed" {
            credentials.code = TerminalPrompt.secret("Code of the authenticator app, or a recovery code")
            return try await token(client, credentials)
        }
    }

    private func token(
        _ client: ShelflistClient, _ credentials: AccessRequests.Credentials
    ) async throws -> AccessRequests.CreatedToken {
        let host = ProcessInfo.processInfo.hostName.prefix(60)
        return try await client.access.createToken(
            "shelflist on \(host)", scopes: ["read", "scan", "write"], days: 365, for: credentials)
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Revoke the access token of a login and delete it.",
        discussion: "A token that was entered with 'login --token' is deleted here only. Revoke it in the web app.")

    @Argument(help: ArgumentHelp("The server's address. (default: SHELFLIST_SERVER)", valueName: "url"))
    var url: String?

    func validate() throws {
        if let url { _ = try RemoteServer.url(url, option: "<url>") }
    }

    func run() async throws {
        try await reportingErrors {
            guard let text = url ?? ProcessInfo.processInfo.environment["SHELFLIST_SERVER"], !text.isEmpty else {
                let known = try StoredServers.read().servers.keys.sorted().joined(separator: ", ")
                throw CommandError(
                    known.isEmpty ? "You are not signed in to a server." : "Name the server: \(known).")
            }
            let address = try RemoteServer.url(text, option: url == nil ? "SHELFLIST_SERVER" : "<url>")
            guard let stored = try StoredServers.read().servers[address.absoluteString] else {
                throw CommandError("You are not signed in to \(address).")
            }
            let server = RemoteServer(
                address: address, token: stored.token, authority: stored.authority.map { Data($0.utf8) })
            var failure: ShelflistError?
            if let id = stored.tokenID {
                do {
                    try await server.client.access.revoke(id)
                } catch let error as ShelflistError {
                    // A token that was revoked or has expired is refused.
                    if error.category != .signInNeeded { failure = error }
                }
            }
            try StoredServers.change(server.address, to: nil)
            if let failure {
                throw CommandError(
                    "The token was deleted here, but not revoked: \(failure.message) Revoke it in the web app: Settings, "
                        + "Sharing and server.")
            }
            StandardStream.output.write("Signed out of \(TerminalText.safe(server.address)).\n")
        }
    }
}

struct WhoamiCommand: AsyncParsableCommand, PrintsDocuments {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show your name and role on a server.")

    @OptionGroup var server: ServerOptions
    @Option(help: "Output format.") var format = OutputFormat.table

    private struct Document: Encodable {
        var server: String
        var version: String
        var name: String?
        var role: String?
    }

    func validate() throws { _ = try address() }

    private func address() throws -> URL {
        guard let address = try server.address() else {
            throw ValidationError("No server is named. Add --server, or set SHELFLIST_SERVER.")
        }
        return address
    }

    func run() async throws {
        let address = try address()
        try await reportingErrors {
            let server = try RemoteServer(address, ca: self.server.ca)
            let (about, member) = try await server.checkReady()
            let document = Document(
                server: server.address, version: about.version, name: member?.name, role: member?.role)
            show(document) {
                [
                    TerminalText.safe(
                        member.map { "\($0.name), \($0.role)" } ?? "no sign-in is needed"),
                    TerminalText.safe("\(server.address), Shelflist \(about.version)"),
                ]
            }
        }
    }
}
