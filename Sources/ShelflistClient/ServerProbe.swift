public import ShelflistAPI

/// What is at an address.
///
/// ```swift
/// switch await client.probe() {
/// case .ready(let server, let member): show(server.version, member?.name)
/// case .signInNeeded(let server), .setupNeeded(let server): show(server.version)
/// case .tooOld(let version), .tooNew(let version): show(version)
/// case .wrongCertificate(let error), .notAServer(let error), .unreachable(let error): show(error.message)
/// }
/// ```
public enum ServerProbe: Sendable {
    /// The server can be used; as which member, unless it has no members yet.
    case ready(AboutServer, Member?)
    /// The server is fine, but the token is missing or was revoked.
    case signInNeeded(AboutServer)
    /// The server has no owner yet, who is created on its machine.
    case setupNeeded(AboutServer)
    /// The server's version, which is older than this client supports.
    case tooOld(version: String)
    /// The server's version, which is newer than this client supports.
    case tooNew(version: String)
    /// The certificate is not trusted or is another server's.
    case wrongCertificate(ShelflistError)
    /// Something else answers.
    case notAServer(ShelflistError)
    /// Nothing answers, or the server fails.
    case unreachable(ShelflistError)
}

extension ShelflistClient {
    /// Says what is at the address; use it where people enter one.
    ///
    /// ```swift
    /// switch await client.probe() {
    /// case .ready(let server, _): connect(to: server)
    /// case .signInNeeded: askForToken()
    /// case .wrongCertificate(let error), .notAServer(let error), .unreachable(let error): show(error)
    /// default: showUpdateHint()
    /// }
    /// ```
    public func probe() async -> ServerProbe {
        do {
            return try await connection.typed {
                // Without the token: whether it is valid is another question.
                let answer = try await connection.withoutToken.json(.init("GET", "api/v1/about"))
                let program: Program = try WireJSON.decode(from: answer)
                guard program.name == "Shelflist" else { return .notAServer(.notAServer(connection.host)) }
                if let version = ServerVersion(program.version) {
                    if version < Self.oldestServer { return .tooOld(version: program.version) }
                    if version >= Self.firstUnsupportedServer { return .tooNew(version: program.version) }
                }
                return try await session(try WireJSON.decode(from: answer))
            }
        } catch {
            switch error.category {
            case .certificate: return .wrongCertificate(error)
            // What answers with other JSON, or with a page, is another program.
            case .notAServer, .version, .notFound, .invalid, .notAllowed, .signInNeeded: return .notAServer(error)
            default: return .unreachable(error)
            }
        }
    }

    private func session(_ about: AboutServer) async throws(ShelflistError) -> ServerProbe {
        do {
            let session: SessionState = try await connection.value(.init("GET", "api/v1/session"))
            if session.setupNeeded, !session.signedIn { return .setupNeeded(about) }
            return session.signedIn ? .ready(about, session.member) : .signInNeeded(about)
        } catch  where error.category == .signInNeeded {
            return .signInNeeded(about)
        }
    }

    /// The part of `AboutServer` that every version has, whatever becomes of the rest.
    private struct Program: Decodable {
        var name: String
        var version: String
    }

    static let oldestServer = ServerVersion(0, 1, 0)
    static let firstUnsupportedServer = ServerVersion(2, 0, 0)
}

/// A version such as `1.2.3`; what follows the numbers is ignored.
struct ServerVersion: Comparable {
    private let numbers: [Int]

    init(_ major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }

    /// - Returns: nil for the version of a build that has no number.
    init?(_ text: String) {
        let parts = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
        guard parts.count >= 2 else { return nil }
        numbers = Array((parts + [0]).prefix(3))
    }

    static func < (a: ServerVersion, b: ServerVersion) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }
}
