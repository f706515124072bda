import ArgumentParser
import Foundation
import Library
import Lookup
import ShelflistAPI
import Terminal

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Turn online providers on and off.",
        discussion: """
            No provider is queried until you turn it on. Enabled providers receive titles, authors and ISBNs when you \
            search, scan or import; never photos.

            Open Library (openlibrary) and Google Books (googlebooks) need no key; ISBNdb (isbndb) needs one.

            Examples:
              shelflist providers on openlibrary
              shelflist providers key isbndb < key.txt
              shelflist providers off openlibrary
            """,
        subcommands: [
            ProvidersListCommand.self, ProvidersOnCommand.self, ProvidersOffCommand.self, ProvidersKeyCommand.self,
        ],
        defaultSubcommand: ProvidersListCommand.self)
}

/// A command that shows or changes the settings of providers and models.
protocol UsesServices: AsyncParsableCommand {
    var options: DocumentOptions { get }
    func run(_ online: OnlineServices) async throws
}

extension UsesServices {
    func run() async throws {
        try await reportingErrors { try await OnlineServices.with(data: options.folder.url, run) }
    }

    func show(_ reports: [ServiceReport], _ columns: [(name: String, value: (ServiceReport) -> String)]) -> [String] {
        TerminalTable(
            columns: columns.map { .init($0.name) } + [.init("state", atLeast: 12)],
            rows: reports.map { report in columns.map { .init($0.value(report)) } + [.init(report.words)] }
        ).onTerminal()
    }

    /// Reads a key from standard input, where an empty line removes it, and stores it.
    func storeKey(_ online: OnlineServices, _ change: (FieldPatch<String>) -> ServicesChange) throws {
        let line = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        try online.change(change(FieldPatch(line.isEmpty ? nil : line)))
        options.show(["hasKey": !line.isEmpty]) { [line.isEmpty ? "Removed." : "Stored."] }
    }
}

extension CommandConfiguration {
    static let key = CommandConfiguration(
        commandName: "key", abstract: "Store a provider's key, read from standard input; an empty one removes it.",
        discussion: "Keys are stored in services.json in the data directory, readable only by you.")
}

extension ServiceReport {
    /// Describes the state, and how to change it.
    var words: String {
        guard model == nil else {
            if state == .keyNeeded { return "needs a key: shelflist readers key \(id)" }
            return isOn ? "ready" : "not agreed: shelflist readers agree \(id)"
        }
        switch state {
        case .off: return "off"
        case .ready: return hasKey ? "on, with a key" : "on"
        case .resting: return "on, but paused after recent failures"
        case .keyNeeded where id == "openlibrary":
            return "on, but it refuses this program. Set your e-mail address or URL as SHELFLIST_CONTACT"
        case .keyNeeded:
            return hasKey
                ? "on, but it rejects the key. Set another: shelflist providers key \(id)"
                : "on, but not used without a key. Set one: shelflist providers key \(id)"
        }
    }
}

struct ProvidersListCommand: UsesServices {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the state of each provider.")

    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        let reports = await online.providerReports()
        options.show(reports) { show(reports, [("id", \.id), ("name", \.name)]) }
    }
}

struct ProvidersOnCommand: UsesServices {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Turn a provider on: openlibrary, googlebooks or isbndb.")

    @Argument(help: "The provider.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws { try await options.turn(provider, on: true, online) }
}

struct ProvidersOffCommand: UsesServices {
    static let configuration = CommandConfiguration(commandName: "off", abstract: "Turn a provider off.")

    @Argument(help: "The provider.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws { try await options.turn(provider, on: false, online) }
}

struct ProvidersKeyCommand: UsesServices {
    static let configuration = CommandConfiguration.key

    @Argument(help: "The provider.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        try storeKey(online) { ServicesChange(providers: [ServiceChange(provider, key: $0)]) }
    }
}

extension DocumentOptions {
    fileprivate func turn(_ provider: String, on: Bool, _ online: OnlineServices) async throws {
        try online.change(ServicesChange(providers: [ServiceChange(provider, enabled: on)]))
        guard let report = await online.providerReports().first(where: { $0.id == provider }) else { return }
        show(["enabled": report.isOn]) { ["\(report.name): \(report.words)"] }
    }
}
