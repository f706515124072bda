import Crypto
import Fixtures
import Foundation
import Synchronization

/// An OpenID Connect provider on a real socket, which checks what the server sends as a real one does.
final class StubIdentityProvider: Sendable {
    /// The person who signs in next.
    struct Person: Sendable {
        var subject: String
        var name: String?
    }

    private struct Sign: Sendable {
        var query: [String: String]
        var person: Person
    }

    private struct State {
        var key = P256.Signing.PrivateKey()
        var keyID = "k1"
        var signIns: [String: Sign] = [:]
        /// The changes of `change`.
        var claims: Data?
        var methods = ["client_secret_basic"]
        var keysAnswer: StubAnswer?
        var furtherKeys: [String] = []
    }

    static let (client, secret) = ("shelf list", "s3cret+/=")
    private let state = Mutex(State())
    private let stub: Mutex<StubServer?> = Mutex(nil)
    let issuer: URL
    /// When every person signs in.
    let date = Date()

    init() throws {
        // The stub answers for itself, so it is created first and gets this object afterwards.
        let answers = Answers()
        let server = try StubServer { _, request in answers.answer(request) }
        issuer = server.url.appending(path: "realm/")
        stub.withLock { $0 = server }
        answers.provider = self
    }

    /// Forwards requests to the provider.
    ///
    /// `@unchecked Sendable`: `provider` is set once before the first request.
    private final class Answers: @unchecked Sendable {
        weak var provider: StubIdentityProvider?

        func answer(_ request: StubServer.Request) -> StubAnswer {
            provider?.answer(request) ?? .answer(503)
        }
    }

    /// Signs a person in at the provider's page, to which the server sent the browser.
    ///
    /// - Returns: the path and query of the address to which the provider sends the browser back.
    func signIn(_ person: Person, at page: String) throws -> String {
        guard let parts = URLComponents(string: page), parts.path == "/realm/authorize" else {
            throw POSIXError(.EINVAL)
        }
        let query = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
        guard query["client_id"] == Self.client, query["response_type"] == "code",
            query["code_challenge_method"] == "S256", query["scope"]?.contains("openid") == true,
            let redirect = query["redirect_uri"].flatMap(URLComponents.init)
        else { throw POSIXError(.EINVAL) }
        let code = UUID().uuidString
        state.withLock { $0.signIns[code] = Sign(query: query, person: person) }
        return "\(redirect.path)?code=\(code)&state=\(query["state"] ?? "")"
    }

    /// Changes claims of the next tokens; `null` removes one, and `forged` says how the token is forged:
    /// `none` and `HS256` (algorithms), `key` or `body` (another one).
    func change(_ claims: String) { state.withLock { $0.claims = Data(claims.utf8) } }

    func takesSecretsInForms() { state.withLock { $0.methods = ["client_secret_post"] } }

    /// Publishes further keys, each as JSON.
    func publishes(_ keys: String...) { state.withLock { $0.furtherKeys = keys } }

    /// Signs with another key from now on, and publishes only that one.
    func replaceKey() { state.withLock { ($0.key, $0.keyID) = (P256.Signing.PrivateKey(), $0.keyID + "1") } }

    /// Returns how often the server asked for a path below the issuer.
    func requests(of path: String) -> Int {
        stub.withLock { $0?.requests ?? [] }.count { $0.target.split(separator: "?").first == "/realm/\(path)" }
    }

    func answersForKeys(_ answer: StubAnswer?) { state.withLock { $0.keysAnswer = answer } }

    private func answer(_ request: StubServer.Request) -> StubAnswer {
        let base = issuer.absoluteString
        switch request.target.split(separator: "?").first {
        case "/realm/.well-known/openid-configuration":
            let methods = state.withLock { $0.methods }
            return .json(
                """
                {"issuer":"\(base)","authorization_endpoint":"\(base)authorize","token_endpoint":"\(base)token",
                 "jwks_uri":"\(base)keys","token_endpoint_auth_methods_supported":["\(methods[0])"]}
                """)
        case "/realm/keys": return state.withLock { $0.keysAnswer } ?? .json(keys)
        case "/realm/token": return token(request)
        default: return .answer(404)
        }
    }

    /// As providers publish them: also a key for encryption, whose algorithm is none of signatures.
    private var keys: String {
        let (key, id) = state.withLock { ($0.key, $0.keyID) }
        let raw = key.publicKey.rawRepresentation
        let (x, y) = (Self.base64URL(Data(raw.prefix(32))), Self.base64URL(Data(raw.suffix(32))))
        let keys = [
            #"{"kty":"RSA","use":"enc","alg":"RSA-OAEP","kid":"e","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"\#(id)","use":"sig","x":"\#(x)","y":"\#(y)"}"#,
        ]
        return #"{"keys":[\#((state.withLock { $0.furtherKeys } + keys).joined(separator: ","))]}"#
    }

    private func token(_ request: StubServer.Request) -> StubAnswer {
        let form = URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems ?? []
        let fields = Dictionary(uniqueKeysWithValues: form.map { ($0.name, $0.value ?? "") })
        let basic = "Basic " + Data("shelf%20list:s3cret%2B%2F%3D".utf8).base64EncodedString()
        let method = state.withLock { $0.methods[0] }
        let isKnown =
            method == "client_secret_basic"
            ? request.headers["authorization"] == basic
            : fields["client_id"] == Self.client && fields["client_secret"] == Self.secret
        guard request.method == "POST", isKnown else { return Self.refusal("invalid_client") }
        guard fields["grant_type"] == "authorization_code",
            let sign = state.withLock({ $0.signIns.removeValue(forKey: fields["code"] ?? "") }),
            sign.query["redirect_uri"] == fields["redirect_uri"],
            sign.query["code_challenge"]
                == Self.base64URL(Data(SHA256.hash(data: Data((fields["code_verifier"] ?? "").utf8))))
        else { return Self.refusal("invalid_grant") }
        guard let token = try? token(for: sign) else { return .answer(500) }
        return .json(#"{"access_token":"a","token_type":"Bearer","id_token":"\#(token)"}"#)
    }

    private static func refusal(_ error: String) -> StubAnswer {
        .answer(400, headers: ["Content-Type": "application/json"], body: Array(#"{"error":"\#(error)"}"#.utf8))
    }

    private func token(for sign: Sign) throws -> String {
        let now = Int(date.timeIntervalSince1970)
        let (key, id) = state.withLock { ($0.key, $0.keyID) }
        var claims: [String: Any] = [
            "iss": issuer.absoluteString, "sub": sign.person.subject, "aud": Self.client, "exp": now + 300, "iat": now,
            "nonce": sign.query["nonce"] ?? "",
        ]
        claims["preferred_username"] = sign.person.name
        if sign.query["max_age"] == "0" { claims["auth_time"] = now }
        if let changes = state.withLock({ $0.claims }) {
            let changed = try JSONSerialization.jsonObject(with: changes) as? [String: Any] ?? [:]
            claims.merge(changed) { $1 }
            claims = claims.filter { !($0.value is NSNull) }
        }
        let forgery = claims.removeValue(forKey: "forged") as? String
        let algorithm = ["none", "HS256"].contains(forgery) ? forgery : "ES256"
        let header = Self.base64URL(Data(#"{"alg":"\#(algorithm ?? "")","kid":"\#(id)"}"#.utf8))
        let body = Self.base64URL(try JSONSerialization.data(withJSONObject: claims))
        let signed = Data("\(header).\(body)".utf8)
        switch forgery {
        case "none": return "\(header).\(body)."
        case "HS256":
            // The public key as the secret of a symmetric algorithm.
            let secret = SymmetricKey(data: Data(key.publicKey.pemRepresentation.utf8))
            return "\(header).\(body)."
                + Self.base64URL(Data(HMAC<SHA256>.authenticationCode(for: signed, using: secret)))
        case "key":
            let other = P256.Signing.PrivateKey()
            return "\(header).\(body)." + Self.base64URL(try other.signature(for: signed).rawRepresentation)
        case "body":
            claims["sub"] = "u2"
            let changed = Self.base64URL(try JSONSerialization.data(withJSONObject: claims))
            return "\(header).\(changed)." + Self.base64URL(try key.signature(for: signed).rawRepresentation)
        default: return "\(header).\(body)." + Self.base64URL(try key.signature(for: signed).rawRepresentation)
        }
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
