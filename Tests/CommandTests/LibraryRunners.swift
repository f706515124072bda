import Foundation
import Library
import ServerFixtures
import TestSupport
import Testing

/// Runs commands on a data folder.
struct LibraryRunner: ~Copyable {
    let command: CommandRunner
    var folder: LibraryFolder { LibraryFolder(command.folder.appending(path: "data")) }

    init() throws { command = try CommandRunner() }

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Outcome {
        try command.launch(arguments, environment: ["SHELFLIST_DATA": folder.url.path]).outcome()
    }
}

/// Runs commands against a server.
struct ServerRunner: ~Copyable {
    let command: CommandRunner
    let server: TestServer
    let token: String

    init(_ server: TestServer) throws {
        let owner = try server.makeOwner()
        let made = try server.send(
            "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"cli","scopes":["read","write","scan"]}"#)
        let secret = try #require(made.string("secret"))
        command = try CommandRunner()
        token = secret
        self.server = server
    }

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Outcome {
        try command.launch(arguments, environment: environment).outcome()
    }

    /// Runs a command on the server's own folder.
    func onFolder(_ arguments: [String]) throws -> Outcome {
        try command.launch(arguments, environment: ["SHELFLIST_DATA": server.folder.path]).outcome()
    }

    var environment: [String: String] {
        ["SHELFLIST_SERVER": "http://127.0.0.1:\(server.port)", "SHELFLIST_TOKEN": token]
    }
}
