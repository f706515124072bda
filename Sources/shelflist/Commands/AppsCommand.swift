import ArgumentParser
import Foundation
import Library
import Server
import Terminal

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Connect apps that speak a protocol of their own.",
        discussion: """
            An app gets an address with a secret key, which takes the place of its server address; it needs no account. \
            Works while the server runs. docs/api/compatibility.md names the apps.

            Examples:
              shelflist apps add "Ada's phone" --server https://books.example.org
              shelflist apps list
              shelflist apps remove "Ada's phone"
            """,
        subcommands: [AppsListCommand.self, AppsAddCommand.self, AppsRemoveCommand.self],
        defaultSubcommand: AppsListCommand.self)
}

struct AppsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an address for an app. The key in it is shown only once.")

    @Argument(help: "A name for the app, such as the phone it runs on.") var name: String
    @Option(help: ArgumentHelp("The member whose library the app fills. (default: the first owner)", valueName: "name"))
    var member: String?
    @Option(
        help: ArgumentHelp(
            "The server's address as the app reaches it. (default: where the server last ran)", valueName: "url"))
    var server: String?
    @OptionGroup var options: DocumentOptions

    private struct Document: Encodable {
        var name: String
        var path: String
        var url: String
    }

    func run() async throws {
        try await reportingErrors {
            let folder = options.folder.url
            let server = try server(in: folder)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let owner = try AppOwners(folder).id(member)
            let (_, secret) = try AppKeyBook(folder: folder).add(name, member: owner, at: Date())
            let url = "\(server)/app/\(secret)"
            options.show(Document(name: name, path: URL(string: url)?.path ?? "", url: url)) {
                let code = StandardStream.output.showsColors ? QRCode(url)?.terminalText : nil
                return [url] + (code.map { [$0] } ?? [])
                    + ["Enter this address as the app's server, and keep it secret. It is not shown again."]
            }
        }
    }

    /// Without a slash at the end.
    private func server(in folder: URL) throws -> String {
        guard let server else { return ServerAddress.stored(in: folder) ?? "http://localhost:8080" }
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil,
            BasePath(url.path) != nil, url.query == nil
        else {
            throw CommandError(
                "--server: “\(server)” is not the address of a server. Use the form https://host:port, with the "
                    + "server's base path if it has one.")
        }
        return server.hasSuffix("/") ? String(server.dropLast()) : server
    }
}

struct AppsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the connected apps.")

    @OptionGroup var options: DocumentOptions

    private struct Document: Encodable {
        struct Device: Encodable {
            var name: String
            var lastSeenAt: Date
        }

        var name: String
        var member: String?
        var importsAtOnce: Bool
        var createdAt: Date
        var lastUsedAt: Date?
        var devices: [Device]
    }

    func run() async throws {
        try await reportingErrors {
            let owners = try AppOwners(options.folder.url)
            let apps = try AppKeyBook(folder: options.folder.url).keys().map { key in
                Document(
                    name: key.name, member: owners.name(key.member), importsAtOnce: key.importsAtOnce,
                    createdAt: key.createdAt, lastUsedAt: key.lastUsedAt,
                    devices: key.devices.map { .init(name: $0.name, lastSeenAt: $0.lastSeenAt) })
            }
            options.show(apps) {
                guard !apps.isEmpty else { return ["No app is connected. Connect one: shelflist apps add NAME"] }
                return TerminalTable(
                    columns: [.init("app", atLeast: 12), .init("member"), .init("last used")],
                    rows: apps.map {
                        [
                            .init($0.name), .init($0.member ?? "", .dim),
                            .init($0.lastUsedAt?.formatted(.iso8601) ?? "never"),
                        ]
                    }
                ).onTerminal()
            }
        }
    }
}

struct AppsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Revoke an app's address at once. What the app sent stays.")

    @Argument(help: "The app's name.") var name: String
    @Option(help: ArgumentHelp("The member to whom it belongs, if several have one of this name.", valueName: "name"))
    var member: String?
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await reportingErrors {
            let owners = try AppOwners(options.folder.url)
            let owner = try member.map { try owners.id($0) }
            try AppKeyBook(folder: options.folder.url).change { keys in
                let found = keys.filter { key in
                    key.name == name && (owner == nil || owners.holder(key.member) == owner)
                }
                guard let key = found.first else {
                    throw CommandError("No app is called “\(name)”. List them: shelflist apps list")
                }
                guard found.count == 1 else {
                    throw CommandError("Several members have an app “\(name)”. Name one with --member.")
                }
                keys.removeAll { $0.id == key.id }
            }
            options.show(["removed": name]) { ["Removed. The app's address is not valid any more."] }
        }
    }
}

/// The members to whom keys belong.
private struct AppOwners {
    private let members: [AccountBook.Name]

    init(_ folder: URL) throws { members = try AccountBook.members(in: folder) }

    private var firstOwner: AccountBook.Name? { members.first(where: \.isOwner) }

    /// Returns the identifier of a member; that of the first owner, if there is one, for no name.
    func id(_ name: String?) throws -> String? {
        guard let name else { return firstOwner?.id }
        guard let member = members.first(where: { $0.name.caseInsensitiveCompare(name) == .orderedSame }) else {
            throw CommandError(
                "--member: No member is called “\(name)”. Settings, Sharing and server, Members lists them.")
        }
        return member.id
    }

    func holder(_ member: String?) -> String? { member ?? firstOwner?.id }

    func name(_ member: String?) -> String? {
        holder(member).flatMap { id in members.first { $0.id == id }?.name }
    }
}
