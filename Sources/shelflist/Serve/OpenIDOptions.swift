import ArgumentParser
import Foundation
import Server

extension ConfigurationReader {
    /// Returns the OpenID Connect provider; `nil` if none is named.
    ///
    /// - Throws: `ValidationError` naming the setting.
    func openID() throws -> OpenIDSettings? {
        let isOnlyWay = try flag("oidcOnly") ?? false
        guard let issuer = try address("oidcIssuer") else {
            guard !isOnlyWay else {
                throw ValidationError("--oidc-only needs a provider: name it with --oidc-issuer and --oidc-client-id.")
            }
            return nil
        }
        guard let client = try text("oidcClientId") else {
            throw ValidationError("--oidc-issuer needs --oidc-client-id, the name of this server at the provider.")
        }
        guard issuer.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(issuer.host()) else {
            throw ValidationError("oidcIssuer is an https address; it cannot be '\(issuer.absoluteString)'.")
        }
        return OpenIDSettings(
            issuer: issuer, clientID: client, clientSecret: try secret(),
            name: try text("oidcName") ?? issuer.host() ?? "OpenID", isOnlyWay: isOnlyWay,
            newMembers: try choice("oidcNewMembers", ["none", "viewer", "editor"]).flatMap(Role.init),
            newMembersClaim: try newMembersClaim())
    }

    private func newMembersClaim() throws -> OpenIDSettings.Claim? {
        guard let text = try text("oidcNewMembersClaim") else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("oidcNewMembersClaim is NAME=VALUE, such as groups=family; it cannot be '\(text)'.")
        }
        return OpenIDSettings.Claim(name: parts[0], value: parts[1])
    }

    /// From a file, because other users of the machine see command lines.
    private func secret() throws -> String? {
        guard let file = try text("oidcClientSecretFile") else { return try text("oidcClientSecret") }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ValidationError("oidcClientSecretFile '\(file)' cannot be read. Check the path and its permissions.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
