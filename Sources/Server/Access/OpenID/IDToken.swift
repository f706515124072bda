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
    private var email: String?
    /// The claims that are texts or lists of texts.
    private var texts: [String: [String]] = [:]

    private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, azp, exp, iat, nonce, name, email
        case authTime = "auth_time"
        case preferredUsername = "preferred_username"
    }

    /// Seconds by which the clocks of provider and server may differ.
    static let leeway: TimeInterval = 60
    /// Seconds since the person signed in at the provider for which that is a fresh sign-in.
    static let freshSignIn: TimeInterval = 300

    var identity: OpenIDIdentity { OpenIDIdentity(issuer: iss.value, subject: sub.value) }
    /// A name for a new member; `nil` if the provider says none.
    var suggestedName: String? { Self.shown(preferredUsername ?? name, limit: 50) }
    /// What the provider calls the person, with the e-mail address if it sends one.
    ///
    /// The person may have chosen both.
    var accountName: String? {
        let name = Self.shown(preferredUsername ?? name, limit: 100)
        let email = Self.shown(email, limit: 200)
        guard let name, let email, name != email else { return name ?? email }
        return "\(name) (\(email))"
    }

    /// Returns a text of the provider without control and format characters, cut to `limit` scalars; `nil` if nothing is
    /// left.
    static func shown(_ text: String?, limit: Int) -> String? {
        let kept = (text ?? "").unicodeScalars.filter { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        let clean = String(String.UnicodeScalarView(kept.prefix(limit))).trimmingCharacters(in: .whitespaces)
        return clean.isEmpty ? nil : clean
    }

    func has(_ claim: OpenIDSettings.Claim) -> Bool { texts[claim.name]?.contains(claim.value) ?? false }

    /// The claims are checked by `check`, which knows what is expected.
    func verify(using algorithm: some JWTAlgorithm) throws {}

    /// Reads a token and checks its signature.
    ///
    /// - Throws: `OpenIDError.invalidToken`.
    static func read(_ text: String, keys: JWTKeyCollection) async throws(OpenIDError) -> IDToken {
        do {
            var token = try await keys.verify(text, as: IDToken.self)
            token.texts = texts(in: text)
            return token
        } catch { throw .invalidToken("it is malformed, or its signature is wrong") }
    }

    private static func texts(in token: String) -> [String: [String]] {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URL: String(parts[1])),
            let claims = try? JSONSerialization.jsonObject(with: payload) as? [String: Any]
        else { return [:] }
        return claims.compactMapValues { value in (value as? String).map { [$0] } ?? value as? [String] }
    }

    /// Checks the claims as section 3.1.3.7 of OpenID Connect Core 1.0 requires.
    ///
    /// - Parameter isFresh: whether the person must have signed in at the provider a short time ago.
    /// - Throws: `OpenIDError.invalidToken`.
    func check(
        issuer: String, client: String, nonce expected: String, isFresh: Bool, at time: Date
    ) throws(OpenIDError) {
        guard iss.value == issuer else { throw .invalidToken("it has another issuer") }
        let isOnlyAudience = azp == nil && aud.value.count == 1
        guard aud.value.contains(client), isOnlyAudience || azp == client else {
            throw .invalidToken("it is for another client")
        }
        guard exp.value + Self.leeway > time, iat.value - Self.leeway < time else {
            throw .invalidToken("it has expired, or the clocks differ")
        }
        guard let nonce, Data(nonce.utf8).isSame(as: Data(expected.utf8)) else {
            throw .invalidToken("it belongs to another sign-in")
        }
        guard (1...255).contains(sub.value.utf8.count) else { throw .invalidToken("it has no subject") }
        guard !isFresh || time.timeIntervalSince1970 - (authTime ?? 0) < Self.freshSignIn else {
            throw .invalidToken("it does not say that the person has just signed in ('auth_time')")
        }
    }

    /// Returns the signing keys that can be used.
    ///
    /// Others, of a type, a curve or an algorithm that is not known, or without a value that is needed, are left out, as
    /// section 5 of RFC 7517 says.
    ///
    /// - Throws: `OpenIDError.unusable`.
    static func keys(in document: Data) async throws(OpenIDError) -> JWTKeyCollection {
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
