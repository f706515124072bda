import Bounds
import Foundation
import Providers

/// Talks to an OpenID Connect provider: the authorization code flow with PKCE.
///
/// The provider's configuration and keys are fetched for each sign-in, so that changed keys are never a problem.
struct OpenIDProvider: Sendable {
    let settings: OpenIDSettings
    let transport: HTTPTransport

    /// The parts of a provider's configuration (OpenID Connect Discovery 1.0, section 3) that are used.
    private struct Configuration: Decodable {
        var issuer: String
        var authorizationEndpoint: URL
        var tokenEndpoint: URL
        var jwksUri: URL
        var tokenEndpointAuthMethodsSupported: [String]?
    }

    private struct TokenAnswer: Decodable {
        var idToken: String?
        var error: String?
        var errorDescription: String?
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// The limits of an answer.
    private static let (seconds, bytes) = (10.0, 1_000_000)

    /// Returns the provider's page to which the browser is sent.
    ///
    /// - Throws: `OpenIDError`.
    func signInPage(_ attempt: OpenIDAttempts.Attempt) async throws -> URL {
        let configuration = try await configuration()
        var parameters = [
            "response_type": "code", "client_id": settings.clientID, "redirect_uri": attempt.redirect,
            "scope": "openid profile", "state": attempt.state, "nonce": attempt.nonce,
            "code_challenge": attempt.challenge, "code_challenge_method": "S256",
        ]
        // Asks for the credentials again although the person is signed in there, and for the time at which that was.
        if attempt.confirms { parameters["max_age"] = "0" }
        let items = parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        return configuration.authorizationEndpoint.appending(queryItems: items)
    }

    /// Exchanges the code that the browser brought for the person's ID token.
    ///
    /// - Throws: `OpenIDError`.
    func token(for code: String, _ attempt: OpenIDAttempts.Attempt, at time: Date) async throws -> IDToken {
        let configuration = try await configuration()
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
        let url = configuration.tokenEndpoint
        let response = try await answer(from: url) {
            try await transport.post(url, form: form, headers: headers, seconds: Self.seconds, limit: Self.bytes)
        }
        let answer = try? Self.decoder.decode(TokenAnswer.self, from: Data(response.body))
        guard response.status == 200, let text = answer?.idToken, text.utf8.count <= 16_384 else {
            let reason = answer?.error.map { [$0, answer?.errorDescription ?? ""].joined(separator: " ") }
            throw OpenIDError.refused((reason ?? "status \(response.status)").shortened(to: 200))
        }
        return try await IDToken.read(
            text, keys: try await get(configuration.jwksUri), issuer: configuration.issuer, client: settings.clientID,
            nonce: attempt.nonce, confirms: attempt.confirms, at: time)
    }

    private func configuration() async throws -> Configuration {
        let url = settings.issuer.appending(path: ".well-known/openid-configuration")
        guard let read = try? Self.decoder.decode(Configuration.self, from: try await get(url)) else {
            throw OpenIDError.unusable("\(url.absoluteString) is not a provider's configuration")
        }
        guard read.issuer == settings.issuer.absoluteString else {
            throw OpenIDError.unusable("The provider calls itself \(read.issuer.shortened(to: 200))")
        }
        for address in [read.authorizationEndpoint, read.tokenEndpoint, read.jwksUri] where !isSafe(address) {
            throw OpenIDError.unusable(
                "The provider's address \(address.absoluteString.shortened(to: 200)) is not https")
        }
        return read
    }

    /// Plain HTTP is accepted from a provider of this machine only.
    private func isSafe(_ url: URL) -> Bool {
        if url.scheme == "https" { return true }
        guard url.scheme == "http", settings.issuer.scheme == "http", let host = url.host() else { return false }
        return host == "localhost" || IPAddress(host)?.isLoopback == true
    }

    private func get(_ url: URL) async throws -> Data {
        let response = try await answer(from: url) {
            try await transport.get(
                url, headers: ["Accept": "application/json"], seconds: Self.seconds, limit: Self.bytes)
        }
        guard response.status == 200 else {
            throw OpenIDError.unreachable(url, reason: "status \(response.status)")
        }
        return Data(response.body)
    }

    private func answer(
        from url: URL, _ request: () async throws -> HTTPTransport.Response
    ) async throws -> HTTPTransport.Response {
        do { return try await request() } catch let failure as HTTPTransport.Failure {
            let reason =
                switch failure {
                case .timeout: "no answer in \(Int(saturating: Self.seconds)) s"
                case .unreachable: "no connection"
                case .bodyTooLarge(let limit): "the answer exceeds \(limit) bytes"
                }
            throw OpenIDError.unreachable(url, reason: reason)
        }
    }
}
