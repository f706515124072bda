import Foundation
import ShelflistAPI

/// Requests about access tokens, for programs on a terminal; apps have their members enter a token of the web app.
package struct AccessRequests: Sendable {
    let connection: ServerConnection

    /// Name and password of a member, and a code if the member has a second factor.
    package struct Credentials: Encodable, Sendable {
        package var name: String
        package var password: String
        package var code: String?

        package init(name: String, password: String, code: String? = nil) {
            (self.name, self.password, self.code) = (name, password, code)
        }
    }

    /// An access token with its secret, which the server does not store.
    package struct CreatedToken: Decodable, Sendable {
        package struct Token: Decodable, Sendable {
            package var id: String
        }

        package var secret: String
        package var token: Token
    }

    private struct NewToken: Encodable {
        var name: String
        var scopes: [String]
        var expiresInDays: Int
    }

    /// Returns who the client's token belongs to.
    package func session() async throws(ShelflistError) -> SessionState {
        try await connection.value(.init("GET", "api/v1/session"))
    }

    /// The session among the cookies of an answer, which are joined by commas.
    private static func session(in cookies: String?) -> String? {
        cookies?.components(separatedBy: ", ").first { $0.contains("session=") }.map { String($0.prefix { $0 != ";" }) }
    }

    /// Signs in, creates a token and signs out again.
    ///
    /// - Throws: `ShelflistError`; its problem has the code `code_needed` if the member has a second factor.
    package func createToken(
        _ name: String, scopes: [String], days: Int, for credentials: Credentials
    ) async throws(ShelflistError) -> CreatedToken {
        try await connection.typed {
            let answer = try await connection.answer(.init("POST", "api/v1/session").json(credentials))
            let cookie = Self.session(in: answer.headers["set-cookie"])
            func inSession(_ request: ServerConnection.Request) -> ServerConnection.Request {
                var request = request
                request.headers["Cookie"] = cookie
                return request
            }
            let new = NewToken(name: name, scopes: scopes, expiresInDays: days)
            let token: Result<CreatedToken, any Error>
            do {
                token = .success(try await connection.value(inSession(.init("POST", "api/v1/tokens").json(new))))
            } catch {
                token = .failure(error)
            }
            // A session that cannot be ended expires; the token must not be lost for that.
            try? await connection.send(inSession(.init("DELETE", "api/v1/session")))
            return try token.get()
        }
    }

    /// Revokes a token; with the token itself if it has no right to revoke others.
    package func revoke(_ id: String) async throws(ShelflistError) {
        try await connection.send(.init("DELETE", "api/v1/tokens/\(ServerConnection.escaped(id))"))
    }
}

extension ShelflistClient {
    /// Access tokens.
    package var access: AccessRequests { AccessRequests(connection: connection) }
}
