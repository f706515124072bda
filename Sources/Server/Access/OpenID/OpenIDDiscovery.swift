import Bounds
import Foundation
import Providers

/// Fetches what an OpenID Connect provider publishes.
struct OpenIDDiscovery: Sendable {
    let settings: OpenIDSettings
    let transport: HTTPTransport

    /// The parts of a provider's configuration (OpenID Connect Discovery 1.0, section 3) that are used.
    struct Configuration: Decodable, Sendable {
        var issuer: String
        var authorizationEndpoint: URL
        var tokenEndpoint: URL
        var jwksUri: URL
        var tokenEndpointAuthMethodsSupported: [String]?
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    /// The limits of an answer.
    private static let (seconds, bytes) = (10.0, 1_000_000)

    /// Fetches and checks the configuration.
    ///
    /// - Throws: `OpenIDError`.
    func configuration() async throws -> Configuration {
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

    /// - Throws: `OpenIDError`, also for another status than 200.
    func get(_ url: URL) async throws -> Data {
        let response = try await answer(from: url) {
            try await transport.get(
                url, headers: ["Accept": "application/json"], seconds: Self.seconds, limit: Self.bytes)
        }
        guard response.status == 200 else {
            throw OpenIDError.unreachable(url, reason: "status \(response.status)")
        }
        return Data(response.body)
    }

    /// - Throws: `OpenIDError.unreachable`.
    func post(_ url: URL, form: [String: String], headers: [String: String]) async throws -> HTTPTransport.Response {
        try await answer(from: url) {
            try await transport.post(url, form: form, headers: headers, seconds: Self.seconds, limit: Self.bytes)
        }
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
