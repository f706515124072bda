import Foundation
import Terminal

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
    static func file(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        func named(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        // The XDG specification requires relative paths to be ignored.
        let folder =
            named("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (named("HOME") ?? NSHomeDirectory()) + "/.config"
        return URL(filePath: folder).appending(path: "shelflist/servers.json")
    }

    /// Reads the file; empty if there is none.
    ///
    /// - Throws: `CommandError`.
    static func read() throws -> StoredServers {
        let file = file()
        do {
            return try JSONDecoder().decode(StoredServers.self, from: try Data(contentsOf: file))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return StoredServers()
        } catch is DecodingError {
            throw CommandError(
                "The file of signed-in servers is damaged. Delete it and sign in again.", path: file.path)
        }
    }

    /// Writes the file, which only its user can read.
    func write() throws {
        let file = Self.file()
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Renamed into place once it is complete, so that the token is never readable by others.
        let new = file.deletingLastPathComponent().appending(path: "servers.json.\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: new.path, contents: try encoder.encode(self), attributes: [.posixPermissions: 0o600])
        else { throw CommandError("The token cannot be stored. Check the folder's permissions.", path: file.path) }
        guard rename(new.path, file.path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandError(
                "The token cannot be stored: \(reason). Check the folder's permissions.", path: file.path)
        }
    }

    /// Changes the file.
    static func change(_ address: String, to server: Server?) throws {
        var stored = try read()
        stored.servers[address] = server
        try stored.write()
    }
}
