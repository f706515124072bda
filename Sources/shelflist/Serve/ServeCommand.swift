import ArgumentParser
import Foundation
import Terminal

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the web app and the HTTP API.",
        discussion: """
            Until an owner is created in the browser on this machine, only this machine is served.

            Each option can also be set in the environment (--photos-at-once as SHELFLIST_PHOTOS_AT_ONCE) or in a JSON \
            file named by --config ({"photosAtOnce": 2}); the command line counts first, then the environment. \
            docs/configuration.md has all of them.

            Examples:
              shelflist serve
              shelflist serve --lan
              shelflist serve --host 0.0.0.0 --port 443 --tls-cert fullchain.pem --tls-key privkey.pem
            """)

    @Option(help: "Address to listen on; 0.0.0.0 for all. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "Port to listen on; 0 lets the system choose. (default: 8080)")
    var port: String?

    @Option(
        help: ArgumentHelp(
            "Path below which a proxy of yours serves this server, such as /books.",
            valueName: "path"))
    var basePath: String?

    @Option(
        help: ArgumentHelp(
            "Folder with everything that is kept. (default: $SHELFLIST_DATA, else shelflist in the XDG data home)",
            valueName: "folder"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp("Folder with the web app. (default: the installed one)", valueName: "folder"),
        completion: .directory)
    var webRoot: String?

    @Flag(help: "Serve phones on this network over HTTPS, with a certificate of this machine's own.")
    var lan = false

    @Option(help: ArgumentHelp("Further names or addresses for --lan's certificate, with commas.", valueName: "names"))
    var lanNames: String?

    @Option(help: ArgumentHelp("Certificate chain, PEM.", valueName: "file"), completion: .file())
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's key, PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Flag(help: "Accept that passwords are sent unencrypted over the network.")
    var insecureHttp = false

    @Option(
        help: ArgumentHelp(
            "Addresses or networks (172.16.0.0/12) of proxies whose X-Forwarded headers are believed, with commas.",
            valueName: "addresses"))
    var trustedProxies: String?

    @Option(
        help: ArgumentHelp(
            "Open connections for each address that is not a trusted proxy. (default: 100)", valueName: "number"))
    var connectionsPerAddress: String?

    @Option(
        help: ArgumentHelp("How many photos to read at once, sharing the cores. (default: 1)", valueName: "number"))
    var photosAtOnce: String?

    @Option(
        help: ArgumentHelp(
            "PostgreSQL database from which workers read the photos: postgresql://user@host/database. "
                + "(default: none, photos are read here)", valueName: "url"))
    var workQueue: String?

    @Flag(help: "With --work-queue: read photos here too.")
    var readHere = false

    @Option(
        help: ArgumentHelp(
            "With --work-queue: how many photos are with the workers at once. (default: 32)", valueName: "number"))
    var photosOffered: String?

    @Option(help: ArgumentHelp("Largest photo in megabytes. (default: 20)", valueName: "number"))
    var photoMegabytes: String?

    @Option(help: ArgumentHelp("Running scan jobs for each client. (default: 10)", valueName: "number"))
    var jobsPerClient: String?

    @Option(
        help: ArgumentHelp(
            "Uploads and imports a minute for each client; twenty times as many others. (default: 60)",
            valueName: "number"))
    var requestsPerMinute: String?

    @Option(help: ArgumentHelp("How long results are kept. (default: 24)", valueName: "hours"))
    var resultHours: String?

    @Option(
        help: ArgumentHelp(
            "Catalogs on the internet that are asked: openlibrary, googlebooks, isbndb, with commas; or none. "
                + "(default: those turned on in the settings, at first none)", valueName: "names"))
    var providers: String?

    @Option(
        help: ArgumentHelp(
            "Who reads photos: local, assist, gemini or openai. (default: the setting, at first local)",
            valueName: "reader"))
    var reader: String?

    @Option(help: ArgumentHelp("An e-mail address or URL of yours, for Open Library.", valueName: "address"))
    var contact: String?

    @Option(
        help: ArgumentHelp("Existing folder for a backup each day. Without it there are none.", valueName: "folder"),
        completion: .directory)
    var backupFolder: String?

    @Option(help: ArgumentHelp("How many of these backups are kept. (default: 7)", valueName: "number"))
    var backupsKept: String?

    @Option(
        help: ArgumentHelp("File with a passphrase that encrypts these backups.", valueName: "file"),
        completion: .file())
    var backupPassphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Address of an OpenID Connect provider with which members sign in.", valueName: "url"))
    var oidcIssuer: String?

    @Option(help: ArgumentHelp("This server's name at the provider.", valueName: "id"))
    var oidcClientId: String?

    @Option(
        help: ArgumentHelp("File with the secret that the provider gave this server.", valueName: "file"),
        completion: .file())
    var oidcClientSecretFile: String?

    @Option(help: ArgumentHelp("The provider's name on the sign-in button. (default: its host)", valueName: "name"))
    var oidcName: String?

    @Option(
        help: ArgumentHelp(
            "Role of people whom only the provider knows: none, viewer or editor. (default: none)", valueName: "role"))
    var oidcNewMembers: String?

    @Option(
        help: ArgumentHelp(
            "Claim that the ID token of a new member must have, such as groups=family.", valueName: "name=value"))
    var oidcNewMembersClaim: String?

    @Flag(help: "Refuse passwords: members sign in with the provider only.")
    var oidcOnly = false

    @Flag(help: "Start only where the system confines the process that decodes photos completely.")
    var requireConfinement = false

    @Option(help: "trace, debug, info, notice, warning or error. (default: info)")
    var logLevel: String?

    @Option(help: "text or json. (default: text)")
    var logFormat: String?

    @Option(help: ArgumentHelp("JSON file with further settings.", valueName: "file"), completion: .file())
    var config: String?

    private var flags: [String: String] {
        let named: KeyValuePairs<String, String?> = [
            "host": host, "port": port, "basePath": basePath, "data": data, "webRoot": webRoot,
            "lan": lan ? "true" : nil,
            "lanNames": lanNames,
            "insecureHttp": insecureHttp ? "true" : nil, "tlsCert": tlsCert, "tlsKey": tlsKey,
            "trustedProxies": trustedProxies,
            "connectionsPerAddress": connectionsPerAddress,
            "photosAtOnce": photosAtOnce, "photoMegabytes": photoMegabytes, "jobsPerClient": jobsPerClient,
            "requestsPerMinute": requestsPerMinute, "resultHours": resultHours, "logLevel": logLevel,
            "backupFolder": backupFolder, "backupsKept": backupsKept, "backupPassphraseFile": backupPassphraseFile,
            "oidcIssuer": oidcIssuer, "oidcClientId": oidcClientId, "oidcClientSecretFile": oidcClientSecretFile,
            "oidcName": oidcName, "oidcNewMembers": oidcNewMembers, "oidcNewMembersClaim": oidcNewMembersClaim,
            "oidcOnly": oidcOnly ? "true" : nil,
            "workQueue": workQueue, "readHere": readHere ? "true" : nil, "photosOffered": photosOffered,
            "requireConfinement": requireConfinement ? "true" : nil,
            "logFormat": logFormat, "providers": providers, "reader": reader, "contact": contact,
        ]
        return Dictionary(uniqueKeysWithValues: named.compactMap { key, value in value.map { (key, $0) } })
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try await ServeConfiguration(
            flags: flags, environment: environment, file: config ?? environment["SHELFLIST_CONFIG"])
        try await reportingErrors { try await ServeRun(configuration: settings).run() }
    }
}
