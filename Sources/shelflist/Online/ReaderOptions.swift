import ArgumentParser
import Foundation
import Lookup
import Providers
import ShelflistAPI
import Terminal

extension ReaderConfiguration {
    /// What environment and file say of the readers.
    ///
    /// Keys have no flag, because any user of the machine can read the arguments of processes.
    /// - Throws: `ValidationError` naming the setting.
    init(_ reader: ConfigurationReader) throws {
        self.init()
        mode = try reader.choice("reader", ReaderMode.allCases.map(\.rawValue))
            .flatMap { ReaderMode(rawValue: $0) }
        assistant = try reader.choice("assistReader", ModelProvider.allCases.map(\.rawValue))
            .flatMap { ModelProvider(rawValue: $0) }
        for provider in ModelProvider.allCases {
            let name = provider.rawValue
            addresses[provider] = try reader.address("\(name)Url")
            if let text = try reader.text("\(name)Key") {
                guard let key = APIKey(text) else {
                    throw ValidationError("\(name)Key has spaces or other characters that no key has. Copy it again.")
                }
                keys[provider] = key
            }
            if let text = try reader.text("\(name)Model") {
                do {
                    models[provider] = try ModelReaders.checked(model: text)
                } catch {
                    throw ValidationError("\(name)Model: \(error)")
                }
            }
        }
        if let seconds = try reader.number("readerTimeout", 5...600) { timeout = TimeInterval(seconds) }
        agreed = Set(
            try reader.list("readerConsent").map { text in
                guard let provider = ModelProvider(rawValue: text.lowercased()) else {
                    throw ValidationError(
                        "readerConsent names providers (\(ModelProvider.allCases.map(\.rawValue).joined(separator: ", ")))"
                            + " with commas between; it cannot be '\(text)'.")
                }
                return provider
            })
    }

    /// What holds for the commands that have no flags for it.
    static func ofEnvironment() async throws -> ReaderConfiguration {
        try ReaderConfiguration(await ConfigurationReader.ofEnvironment())
    }
}

extension ModelReaders {
    /// Runs `body` with the readers of a data directory, and closes the connections afterwards.
    ///
    /// - Throws: `OwnerFileError`, `ValidationError` for a setting that makes no sense; the errors of `body`.
    static func with<Result>(data: URL, _ body: (ModelReaders) async throws -> Result) async throws -> Result {
        try await OnlineCatalogs.with(data: data) { online in
            try await body(
                ModelReaders(data: data, configuration: try await ReaderConfiguration.ofEnvironment(), online: online))
        }
    }
}

/// The question whether a model may receive pictures, before the first is sent.
struct ReaderQuestion {
    let data: URL
    /// Whether this run can ask; otherwise it fails with what would be sent.
    let canAsk: Bool

    /// Makes sure that the model of a mode can be asked.
    ///
    /// - Parameter mode: nil for the setting.
    /// - Throws: `CommandError` if it has no key, or the user does not agree; nothing was sent then.
    func settle(_ mode: ReaderMode?) async throws {
        let configuration = try await ReaderConfiguration.ofEnvironment()
        guard try (mode ?? ModelReaders.mode(data: data, configuration: configuration)) != .local else { return }
        try await ModelReaders.with(data: data) { readers in
            guard let provider = readers.provider(for: mode), let problem = readers.problem(of: provider) else {
                return
            }
            try await Self.settle(problem, of: provider, readers, canAsk: canAsk)
        }
    }

    static func settle(
        _ problem: ReaderProblem, of provider: ModelProvider, _ readers: ModelReaders, canAsk: Bool
    ) async throws {
        guard case .notAgreed(_, let host) = problem else { throw CommandError("\(problem)") }
        let sentences = ReaderConsent.sentences(for: provider, host: host)
        guard canAsk else {
            throw CommandError(
                "\(problem) " + sentences.joined(separator: " "))
        }
        StandardStream.output.write(
            "\n"
                + sentences.flatMap { TerminalText.wrapped($0, to: StandardStream.output.columns) }
                .map { $0 + "\n" }.joined() + "\n[y] Agree, and do not ask again  [n] Cancel\n")
        while let key = TerminalKey.read() {
            if key.lowercased() == "y" {
                return try readers.change([ModelReaders.Change(provider.rawValue, agreed: true)])
            }
            if ["n", "q", "\u{3}", "\u{4}", "\u{1B}"].contains(key.lowercased()) { break }
        }
        throw CommandError(
            "Nothing was sent to \(provider.title). Read the photos on this machine with --reader local.")
    }
}
