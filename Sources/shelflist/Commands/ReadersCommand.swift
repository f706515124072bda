import ArgumentParser
import Foundation
import Library
import Lookup
import Providers
import ShelflistAPI
import Terminal

struct ReadersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "readers",
        abstract: "Choose who reads photos: this machine, or a model as a second opinion.",
        discussion: """
            This machine always reads first. A model is asked only after you agreed to what it receives, once for each \
            provider.

            Providers: gemini, and openai for OpenAI and every server with its protocol (SHELFLIST_OPENAI_URL).

            Examples:
              shelflist readers key gemini < key.txt
              shelflist readers agree gemini
              shelflist readers use assist
            """,
        subcommands: [
            ReadersListCommand.self, ReadersUseCommand.self, ReadersAgreeCommand.self, ReadersRevokeCommand.self,
            ReadersKeyCommand.self, ReadersModelCommand.self,
        ],
        defaultSubcommand: ReadersListCommand.self)
}

struct ReadersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show who reads, and the state of each model.")

    private struct Document: Encodable {
        var reader: String
        var assistReader: String
        var providers: [ReaderReport]
    }

    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await options.withReaders { readers in
            let reports = readers.reports()
            let document = Document(
                reader: readers.mode.rawValue, assistReader: readers.assistant.rawValue, providers: reports)
            options.show(document) {
                [
                    "reader: \(readers.mode.rawValue)\(readers.mode == .assist ? " with \(readers.assistant.title)" : "")",
                    "",
                ]
                    + TerminalTable(
                        columns: [.init("id"), .init("model"), .init("host"), .init("state", atLeast: 12)],
                        rows: reports.map { [.init($0.id), .init($0.model), .init($0.host), .init($0.words)] }
                    ).onTerminal()
            }
        }
    }
}

struct ReadersUseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Set who reads from now on: local, assist, gemini or openai.")

    @Argument(help: "The reader.") var reader: ReaderMode
    @Option(help: ArgumentHelp("The model that assist asks: gemini or openai.", valueName: "provider"))
    var with: String?
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await options.withReaders { readers in
            if let with { try readers.change(assistant: with) }
            if let provider = readers.provider(for: reader), let problem = readers.problem(of: provider) {
                try await ReaderQuestion.settle(
                    problem, of: provider, readers, canAsk: options.format == .table && SourceQuestion.isPossible)
            }
            try readers.change(mode: reader)
            options.show(["reader": readers.mode.rawValue]) { ["reader: \(readers.mode.rawValue)"] }
        }
    }
}

struct ReadersAgreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agree", abstract: "Print what a provider receives, and agree to it.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await options.withReaders { readers in
            try readers.change([ModelReaders.Change(provider, agreed: true)])
            guard let name = ModelProvider(rawValue: provider) else { return }
            options.show(["agreed": true]) {
                ReaderConsent.sentences(for: name, host: readers.report(on: name).host) + ["You agreed to this."]
            }
        }
    }
}

struct ReadersRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take the agreement back; nothing is sent to the provider any more.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await options.withReaders { readers in
            try readers.change([ModelReaders.Change(provider, agreed: false)])
            options.show(["agreed": false]) { ["Nothing is sent to \(provider)."] }
        }
    }
}

struct ReadersKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Store a provider's key, read from standard input; an empty one removes it.",
        discussion: "Keys are stored in readers.json in the data directory, readable only by you.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        let key = OnlineCatalogs.KeyChange.fromStandardInput()
        try await options.withReaders { readers in
            try readers.change([ModelReaders.Change(provider, key: key)])
            options.show(key)
        }
    }
}

struct ReadersModelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Set the model of a provider; without a name, the usual one.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @Argument(help: "The model's name, as the provider writes it.") var model: String?
    @OptionGroup var options: DocumentOptions

    func run() async throws {
        try await options.withReaders { readers in
            try readers.change([ModelReaders.Change(provider, model: model ?? "")])
            let used = ModelProvider(rawValue: provider).map { readers.report(on: $0).model } ?? ""
            options.show(["model": used]) { ["\(provider): \(used)"] }
        }
    }
}

extension DocumentOptions {
    fileprivate func withReaders(_ work: (ModelReaders) async throws -> Void) async throws {
        try await reportingErrors { try await ModelReaders.with(data: folder.url, work) }
    }
}

extension ReaderReport {
    /// Describes the provider's state, and how to change it.
    fileprivate var words: String {
        if needsKey, !hasKey { return "needs a key: shelflist readers key \(id)" }
        return agreed ? "ready" : "not agreed: shelflist readers agree \(id)"
    }
}
