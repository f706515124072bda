import Foundation
import Storage

/// The servers that this user signed in to, with their tokens: `servers.json` in the configuration folder.
struct StoredServers: Codable {
    /// By address, without a slash at the end.
    var servers: [String: Server] = [:]

    struct Server: Codable {
        /// Nil for a server that has no members.
        var token: String?
        /// The identifier of a token that `login` created; nil for one that the user entered.
        var tokenID: String?
        /// Additional certificates (PEM).
        var authority: String?
    }

    /// `XDG_CONFIG_HOME`, or `.config` in the home folder.
    private static func file() -> JSONFile<StoredServers> {
        let environment = ProcessInfo.processInfo.environment
        func named(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        // The XDG specification requires relative paths to be ignored.
        let folder =
            named("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (named("HOME") ?? NSHomeDirectory()) + "/.config"
        return JSONFile(
            URL(filePath: folder).appending(path: "shelflist/servers.json"), as: .secret,
            fix: "Delete it and sign in again.")
    }

    /// Reads the file; empty if there is none.
    ///
    /// - Throws: `StorageError`.
    static func read() throws -> StoredServers { try file().load() ?? StoredServers() }

    /// Changes the file, which only its user can read.
    ///
    /// - Throws: `StorageError`.
    static func change(_ address: String, to server: Server?) throws {
        var stored = try read()
        stored.servers[address] = server
        try file().save(stored)
    }
}
