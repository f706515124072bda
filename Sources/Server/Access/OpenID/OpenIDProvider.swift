import Bounds
import Concurrency
import Foundation
import JWTKit
import Providers

/// Talks to an OpenID Connect provider: the authorization code flow with PKCE.
struct OpenIDProvider: Sendable {
    let settings: OpenIDSettings
    private let discovery: OpenIDDiscovery
    private let configuration: SharedFetch<OpenIDDiscovery.Configuration>
    private let keys: SharedFetch<JWTKeyCollection>

    /// Seconds for which the provider's configuration and keys are kept.
    static let kept: TimeInterval = 600
    /// Seconds after which the keys are fetched again for a token that none of them signed.
    static let keysKept: TimeInterval = 60

    private struct TokenAnswer: Decodable {
        var idToken: String?
        var error: String?
        var errorDescription: String?
    }

    init(settings: OpenIDSettings, transport: HTTPTransport, clock: SteadyClock) {
        let discovery = OpenIDDiscovery(settings: settings, transport: transport)
        let configuration = SharedFetch(clock: clock) { try await discovery.configuration() }
        (self.settings, self.discovery, self.configuration) = (settings, discovery, configuration)
        keys = SharedFetch(clock: clock) {
            let url = try await configuration.value(within: Self.kept).jwksUri
            return try await IDToken.keys(in: discovery.get(url))
        }
    }

    /// Returns the provider's page to which the browser is sent.
    ///
    /// - Throws: `OpenIDError`.
    func signInPage(_ attempt: OpenIDAttempts.Attempt) async throws -> URL {
        let configuration = try await configuration.value(within: Self.kept)
        var parameters = [
            "response_type": "code", "client_id": settings.clientID, "redirect_uri": attempt.redirect,
            "scope": "openid profile", "state": attempt.state, "nonce": attempt.nonce,
            "code_challenge": attempt.challenge, "code_challenge_method": "S256",
        ]
        // Asks for the credentials again although the person is signed in there, and for the time at which that was.
        if attempt.needsFreshSignIn { parameters["max_age"] = "0" }
        let items = parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        return configuration.authorizationEndpoint.appending(queryItems: items)
    }

    /// Exchanges the code that the browser brought for the person's ID token.
    ///
    /// - Parameter time: the time with which the token's times are compared.
    /// - Throws: `OpenIDError`.
    func token(for code: String, _ attempt: OpenIDAttempts.Attempt, at time: Date) async throws -> IDToken {
        let configuration = try await configuration.value(within: Self.kept)
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": attempt.redirect,
            "code_verifier": attempt.verifier,
        ]
        var headers = ["Accept": "application/json"]
        if let secret = settings.clientSecret,
            configuration.tokenEndpointAuthMethodsSupported?.contains("client_secret_basic") ?? true
        {
            // Section 2.3.1 of RFC 6749: both parts are form-encoded first.
            let pair = "\(HTTPTransport.formEncoded(settings.clientID)):\(HTTPTransport.formEncoded(secret))"
            headers["Authorization"] = "Basic \(Data(pair.utf8).base64EncodedString())"
        } else {
            form["client_id"] = settings.clientID
            form["client_secret"] = settings.clientSecret
        }
        let response = try await discovery.post(configuration.tokenEndpoint, form: form, headers: headers)
        let answer = try? OpenIDDiscovery.decoder.decode(TokenAnswer.self, from: Data(response.body))
        guard response.status == 200, let text = answer?.idToken, text.utf8.count <= 16_384 else {
            let reason = answer?.error.map { [$0, answer?.errorDescription ?? ""].joined(separator: " ") }
            throw OpenIDError.refused((reason ?? "status \(response.status)").shortened(to: 200))
        }
        let token = try await read(text)
        try token.check(
            issuer: configuration.issuer, client: settings.clientID, nonce: attempt.nonce,
            isFresh: attempt.needsFreshSignIn, at: time)
        return token
    }

    /// Reads a token.
    ///
    /// Providers replace their keys, so a token with a wrong signature is checked again with the current keys.
    private func read(_ text: String) async throws -> IDToken {
        do {
            return try await IDToken.read(text, keys: keys.value(within: Self.kept))
        } catch OpenIDError.invalidToken {
            return try await IDToken.read(text, keys: keys.value(within: Self.keysKept))
        }
    }
}
