import Foundation
import JWTKit

/// What an OpenID provider says about the person who signed in.
struct IDToken: JWTPayload {
    private var iss: IssuerClaim
    private var sub: SubjectClaim
    private var aud: AudienceClaim
    private var azp: String?
    private var exp: ExpirationClaim
    private var iat: IssuedAtClaim
    private var nonce: String?
    private var authTime: Double?
    private var preferredUsername: String?
    private var name: String?

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nonce, name
        case authTime = "auth_time"
        case preferredUsername = "preferred_username"
    }

    /// Seconds by which the clocks of provider and server may differ.
    static let leeway: TimeInterval = 60
    /// Seconds since the person signed in at the provider for which that confirms a session.
    static let confirmationLife: TimeInterval = 300

    var identity: OpenIDIdentity { OpenIDIdentity(issuer: iss.value, subject: sub.value) }
    /// A name for a new member.
    var suggestedName: String? { preferredUsername ?? name }

    /// The claims are checked by `read`, which knows what is expected.
    func verify(using algorithm: some JWTAlgorithm) throws {}

    /// Reads and checks a token as section 3.1.3.7 of OpenID Connect Core 1.0 requires.
    ///
    /// - Parameters:
    ///   - keys: the provider's JSON Web Key Set.
    ///   - confirms: whether the person must have signed in at the provider a short time ago.
    /// - Throws: `OpenIDError`.
    static func read(
        _ text: String, keys: Data, issuer: String, client: String, nonce: String, confirms: Bool, at time: Date
    ) async throws(OpenIDError) -> IDToken {
        let keys = try await Self.keys(in: keys)
        let token: IDToken
        do { token = try await keys.verify(text, as: IDToken.self) } catch {
            throw .invalidToken("it is malformed, or its signature is wrong")
        }
        try token.check(issuer: issuer, client: client, nonce: nonce, confirms: confirms, at: time)
        return token
    }

    private func check(
        issuer: String, client: String, nonce expected: String, confirms: Bool, at time: Date
    ) throws(OpenIDError) {
        guard iss.value == issuer else { throw .invalidToken("it has another issuer") }
        guard aud.value.contains(client), aud.value.count == 1 || azp == client else {
            throw .invalidToken("it is for another client")
        }
        guard exp.value + Self.leeway > time, iat.value - Self.leeway < time else {
            throw .invalidToken("it has expired, or the clocks differ")
        }
        guard let nonce, Data(nonce.utf8).isSame(as: Data(expected.utf8)) else {
            throw .invalidToken("it belongs to another sign-in")
        }
        guard (1...255).contains(sub.value.utf8.count) else { throw .invalidToken("it has no subject") }
        guard !confirms || time.timeIntervalSince1970 - (authTime ?? 0) < Self.confirmationLife else {
            throw .invalidToken("it does not say that the person has just signed in ('auth_time')")
        }
    }

    /// Returns the signing keys that can be used.
    ///
    /// Others, of a type, a curve or an algorithm that is not known, or without a value that is needed, are left out, as
    /// section 5 of RFC 7517 says.
    private static func keys(in document: Data) async throws(OpenIDError) -> JWTKeyCollection {
        let listed: [[String: Any]]
        do {
            let read = try JSONSerialization.jsonObject(with: document) as? [String: Any]
            guard let keys = read?["keys"] as? [[String: Any]] else { throw OpenIDError.unusable("") }
            listed = keys
        } catch { throw .unusable("The provider's keys cannot be read") }
        let collection = JWTKeyCollection()
        let usable = await usable(listed)
        guard !usable.isEmpty else { throw .unusable("The provider has no signing keys that can be used") }
        do {
            // A single key need not be named by the token.
            for key in usable { try await collection.add(jwk: key, isDefault: usable.count == 1) }
        } catch { throw .unusable("The provider's keys cannot be read") }
        return collection
    }

    private static func usable(_ keys: [[String: Any]]) async -> [JWK] {
        var usable: [JWK] = []
        for (index, key) in keys.enumerated() {
            guard ["RSA", "EC", "OKP"].contains(key["kty"] as? String), key["use"] as? String != "enc" else { continue }
            var key = key
            key["kid"] = key["kid"] ?? "\(index)"
            do {
                let read = try JSONDecoder().decode(JWK.self, from: JSONSerialization.data(withJSONObject: key))
                try await JWTKeyCollection().add(jwk: read)
                usable.append(read)
            } catch { continue }
        }
        return usable
    }
}
