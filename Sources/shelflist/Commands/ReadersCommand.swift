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

struct ReadersListCommand: UsesServices {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show who reads, and the state of each model.")

    private struct Document: Encodable {
        var reader: String
        var assistReader: String
        var providers: [ServiceReport]
    }

    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        let (choice, reports) = (online.choice, online.choice.modelReports)
        let document = Document(
            reader: choice.reader.rawValue, assistReader: choice.assistant.rawValue, providers: reports)
        options.show(document) {
            [
                "reader: \(choice.reader.rawValue)\(choice.reader == .assist ? " with \(choice.assistant.title)" : "")",
                "",
            ]
                + show(reports, [("id", \.id), ("model", { $0.model ?? "" }), ("host", \.host)])
        }
    }
}

struct ReadersUseCommand: UsesServices {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Set who reads from now on: local, assist, gemini or openai.")

    @Argument(help: "The reader.") var reader: ReaderMode
    @Option(help: ArgumentHelp("The model that assist asks: gemini or openai.", valueName: "provider"))
    var with: String?
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        if let with { try online.change(ServicesChange(assistReader: with)) }
        if let model = online.choice.model(for: reader) {
            try ReaderQuestion.settle(
                model, online, canAsk: options.format == .table && SourceQuestion.isPossible)
        }
        try online.change(ServicesChange(reader: reader))
        let used = online.choice.reader.rawValue
        options.show(["reader": used]) { ["reader: \(used)"] }
    }
}

struct ReadersAgreeCommand: UsesServices {
    static let configuration = CommandConfiguration(
        commandName: "agree", abstract: "Print what a provider receives, and agree to it.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        try online.change(ServicesChange(readers: [ServiceChange(provider, agreed: true)]))
        guard let model = ModelProvider(rawValue: provider) else { return }
        options.show(["agreed": true]) {
            ReaderConsent.sentences(for: model, host: online.choice.report(on: model).host) + ["You agreed to this."]
        }
    }
}

struct ReadersRevokeCommand: UsesServices {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take the agreement back; nothing is sent to the provider any more.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        try online.change(ServicesChange(readers: [ServiceChange(provider, agreed: false)]))
        options.show(["agreed": false]) { ["Nothing is sent to \(provider)."] }
    }
}

struct ReadersKeyCommand: UsesServices {
    static let configuration = CommandConfiguration.key

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        try storeKey(online) { ServicesChange(readers: [ServiceChange(provider, key: $0)]) }
    }
}

struct ReadersModelCommand: UsesServices {
    static let configuration = CommandConfiguration(
        commandName: "model", abstract: "Set the model of a provider; without a name, the usual one.")

    @Argument(help: "The provider: gemini or openai.") var provider: String
    @Argument(help: "The model's name, as the provider writes it.") var model: String?
    @OptionGroup var options: DocumentOptions

    func run(_ online: OnlineServices) async throws {
        try online.change(ServicesChange(readers: [ServiceChange(provider, model: model ?? "")]))
        let used = ModelProvider(rawValue: provider).flatMap { online.choice.report(on: $0).model } ?? ""
        options.show(["model": used]) { ["\(provider): \(used)"] }
    }
}
