import ArgumentParser
import Foundation
import ShelflistClient
import Terminal

/// The server that a command uses instead of this machine.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this server instead of this machine, after 'shelflist login'. (default: SHELFLIST_SERVER)",
            valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "With --server: trust the certificates in this file (PEM) too. (default: those of the login)",
            valueName: "file"), completion: .file(extensions: ["pem", "crt"]))
    var ca: String?

    /// The address of the flag, else of the environment; nil for this machine.
    ///
    /// - Throws: `ValidationError`.
    func address() throws -> URL? {
        guard let text = server ?? ProcessInfo.processInfo.environment["SHELFLIST_SERVER"], !text.isEmpty else {
            if ca != nil { throw ValidationError("--ca needs --server. Add it.") }
            return nil
        }
        return try RemoteServer.url(text, option: server == nil ? "SHELFLIST_SERVER" : "--server")
    }

    func validate() throws { _ = try address() }

    /// The same, but nil if `--data` selects the library of this machine.
    func address(unless data: String?) throws -> URL? {
        guard data != nil else { return try address() }
        if server != nil { throw ValidationError("Choose --data or --server.") }
        return nil
    }

    /// Connects to the server.
    ///
    /// - Throws: `CommandError` or `ShelflistError` with what to do.
    func connect(to address: URL) async throws -> (RemoteServer, AboutServer) {
        let server = try RemoteServer(address, ca: ca)
        return (server, try await server.checkReady().0)
    }
}
