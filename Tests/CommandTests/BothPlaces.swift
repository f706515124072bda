import Foundation
import ServerFixtures
import TestSupport
import Testing

/// Runs a command on the server's folder, then against the server.
struct BothPlaces: ~Copyable {
    let command: CommandRunner
    let server: TestServer
    let token: String

    init(_ server: TestServer) throws {
        let owner = try server.makeOwner()
        let made = try server.send(
            "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"cli","scopes":["read","write","scan"]}"#)
        let token = try #require(made.string("secret"))
        let command = try CommandRunner()
        (self.server, self.token) = (server, token)
        self.command = command
    }

    func local(_ arguments: [String]) throws -> Outcome {
        try command.launch(arguments, environment: ["SHELFLIST_DATA": server.folder.path]).outcome()
    }

    func remote(_ arguments: [String]) throws -> Outcome {
        try command.launch(arguments, environment: environment).outcome()
    }

    var environment: [String: String] {
        ["SHELFLIST_SERVER": "http://127.0.0.1:\(server.port)", "SHELFLIST_TOKEN": token]
    }

    func expectSame(_ arguments: String...) throws {
        let (local, remote) = (try local(arguments), try remote(arguments))
        #expect(remote.output == local.output, "\(arguments): \(remote.errors)")
        #expect(!local.output.isEmpty && remote.status == local.status, "\(arguments): \(local) \(remote)")
    }
}
