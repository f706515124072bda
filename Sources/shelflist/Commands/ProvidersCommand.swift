import ArgumentParser
import Foundation
import Library
import Lookup
import Providers
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

struct ProvidersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Show the state of each provider.")

    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await options.withProviders { online in
            let reports = await online.reports()
            options.show(reports) {
                TerminalTable(
                    columns: [.init("id"), .init("name"), .init("state", atLeast: 12)],
                    rows: reports.map { [.init($0.name.rawValue), .init($0.name.title), .init($0.words)] }
                ).onTerminal()
            }
        }
    }
}

struct ProvidersOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Turn a provider on: openlibrary, googlebooks or isbndb.")

    @Argument(help: "The provider.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run() async throws { try await options.turn(provider, on: true) }
}

struct ProvidersOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "off", abstract: "Turn a provider off.")

    @Argument(help: "The provider.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run() async throws { try await options.turn(provider, on: false) }
}

struct ProvidersKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Store a provider's key, read from standard input; an empty one removes it.",
        discussion: "Keys are stored in providers.json in the data directory, readable only by you.")

    @Argument(help: "The provider.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        let key = OnlineCatalogs.KeyChange.fromStandardInput()
        try await options.withProviders { online in
            try online.change(provider, key: key)
            options.show(key)
        }
    }
}

extension OnlineCatalogs.KeyChange {
    /// Reads a line; an empty one removes the key.
    static func fromStandardInput() -> Self {
        let key = readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
        return key.isEmpty ? .remove : .set(key)
    }
}

extension DocumentOptions {
    func show(_ key: OnlineCatalogs.KeyChange) {
        let isStored = if case .set = key { true } else { false }
        show(["hasKey": isStored]) { [isStored ? "Stored." : "Removed."] }
    }
}

extension DocumentOptions {
    fileprivate func withProviders(_ work: (OnlineCatalogs) async throws -> Void) async throws {
        try await reportingErrors { try await OnlineCatalogs.with(data: folder.url, work) }
    }

    fileprivate func turn(_ provider: String, on: Bool) async throws {
        try await withProviders { online in
            try online.change(provider, isOn: on)
            guard let report = await online.reports().first(where: { $0.name.rawValue == provider }) else { return }
            show(["enabled": report.isOn]) { ["\(report.name.title): \(report.words)"] }
        }
    }
}

extension ProviderReport {
    /// Describes the provider's state, and how to fix it.
    var words: String {
        switch state {
        case .off: "off"
        case .ready: hasKey ? "on, with a key" : "on"
        case .resting: "on, but paused after recent failures"
        case .keyNeeded where name == .openLibrary:
            "on, but it refuses this program. Set your e-mail address or URL as SHELFLIST_CONTACT"
        case .keyNeeded:
            hasKey
                ? "on, but it rejects the key. Set another: shelflist providers key \(name.rawValue)"
                : "on, but not used without a key. Set one: shelflist providers key \(name.rawValue)"
        }
    }
}
