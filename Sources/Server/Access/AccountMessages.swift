import Foundation
import Hummingbird
import ShelflistAPI

extension Member: TaggedMessage {
    init(_ member: Accounts.Member) {
        self.init(
            id: member.id, name: member.name, role: member.role.rawValue, createdAt: member.createdAt,
            secondFactor: member.secondFactor != nil, password: member.password != nil, openId: member.openID != nil,
            openIdAccount: member.openID.map(OpenIDAccount.init),
            etag: EntityTag.of(
                bytes: Data("\(member.id) \(member.name) \(member.role.rawValue)".utf8)
                    + (member.password?.salt ?? Data()) + Data((member.openID?.identity.text ?? "").utf8)))
    }
}

struct CredentialsMessage: Decodable {
    var name: String
    var password: String
    /// A code of the authenticator app, or a recovery code.
    var code: String?

    func check() throws {
        try NewMemberMessage.check(name: name)
        guard (1...1024).contains(password.utf8.count) else {
            throw Problem.invalidField("password", "The password must have 1 to 1024 bytes.", status: 400)
        }
    }
}

struct NewMemberMessage: Decodable {
    var name: String
    var password: String
    var role: Role
    /// The setup code; required if the owner is created from another machine.
    var code: String?

    func check() throws {
        try Self.check(name: name)
        try Self.check(password: password, field: "password")
    }

    static func check(name: String) throws {
        guard AccessName.isValid(name) else {
            throw Problem.invalidField("name", "The name must have 1 to 64 characters and no control characters.")
        }
    }

    static func check(password: String, field: String) throws {
        guard password.unicodeScalars.count >= 10, password.utf8.count <= 1024 else {
            throw Problem.invalidField(field, "The password must have at least 10 characters and at most 1024 bytes.")
        }
    }
}

struct PasswordChangeMessage: Decodable {
    var current: String
    var new: String
    /// Whether access tokens and connected apps stay; by default they are revoked.
    var keepTokens: Bool?
    /// Whether the connection to the OpenID provider stays; by default it is removed.
    var keepOpenId: Bool?
}

struct ConfirmationMessage: Decodable {
    var password: String
    /// A code of the authenticator app, or a recovery code; required from members with a second factor.
    var code: String?
}
