import ArgumentParser
import Foundation
import ShelflistClient
import Terminal

/// A server with the token to be used.
struct RemoteServer: Sendable {
    /// Without a slash at the end.
    let address: String
    let client: ShelflistClient
    let hasToken: Bool
    private let hasAuthority: Bool

    /// - Parameters:
    ///   - address: without a slash at the end.
    ///   - authority: additional certificates (PEM).
    init(address: URL, token: String?, authority: Data?) {
        self.address = address.absoluteString
        hasToken = token != nil
        hasAuthority = authority != nil
        client = ShelflistClient(address: address, token: token, options: ClientOptions(trustRoots: authority))
    }

    /// Uses `SHELFLIST_TOKEN`, or what the login stored.
    ///
    /// - Parameter ca: a file with certificates; nil for those of the login.
    /// - Throws: `CommandError`.
    init(_ address: URL, ca: String?) throws {
        let stored = try StoredServers.read().servers[address.absoluteString]
        let named = ProcessInfo.processInfo.environment["SHELFLIST_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(
            address: address, token: named ?? stored?.token,
            authority: try ca.map(Self.certificates) ?? stored?.authority.map { Data($0.utf8) })
    }

    /// Checks that the server is ready for this program.
    ///
    /// - Returns: the server, and the member to whom the token belongs.
    /// - Throws: `CommandError` or `ShelflistError` with what to do.
    func checkReady() async throws -> (AboutServer, Member?) {
        switch await client.probe() {
        case .ready(let about, let member): return (about, member)
        case .signInNeeded where hasToken:
            throw CommandError(
                "The access token for \(address) has expired or was revoked. Sign in again: shelflist login \(address)")
        case .signInNeeded: throw CommandError("\(address) needs a sign-in. Run: shelflist login \(address)")
        case .setupNeeded:
            throw CommandError(
                "\(address) has no owner yet. Open it in a browser and create the owner, then: shelflist login \(address)"
            )
        case .tooOld(let version):
            throw CommandError(
                "\(address) runs Shelflist \(version), which is too old for this program "
                    + "(\(Shelflist.currentVersion)). Update the server.")
        case .tooNew(let version):
            throw CommandError(
                "\(address) runs Shelflist \(version), which is too new for this program "
                    + "(\(Shelflist.currentVersion)). Update this program.")
        case .wrongCertificate(let error) where hasAuthority:
            throw CommandError(
                "\(error.message) It does not match the certificates of --ca or of the login. Check the address. If the "
                    + "server has a new authority, copy its ca.pem from its machine, then: "
                    + "shelflist login --ca ca.pem \(address)")
        case .wrongCertificate(let error):
            throw CommandError(
                "\(error.message) Check the address. If the server has its own authority, copy its certificate "
                    + "(\(address)/ca.pem) and name the file with --ca.")
        case .notAServer(let error), .unreachable(let error): throw error
        }
    }

    /// Returns the address without a slash at the end.
    ///
    /// - Parameter option: the option that gave the address, for the message.
    /// - Throws: `ValidationError` for a text that is not the address of a server.
    static func url(_ text: String, option: String) throws -> URL {
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
            let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil,
            let url = parts.url
        else {
            throw ValidationError(
                "\(option) is the address of a server, for example https://books.example.org; it cannot be '\(text)'.")
        }
        return url
    }

    static func certificates(in file: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch {
            throw CommandError("The certificate cannot be read. Name a file in PEM format with --ca.", path: file)
        }
    }
}
