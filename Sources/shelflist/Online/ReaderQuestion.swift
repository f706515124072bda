import Foundation
import Lookup
import Providers
import ShelflistAPI
import Terminal

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
        let choice = try ServiceChoice(data: data, configuration: try await .ofEnvironment())
        guard let model = choice.model(for: mode), choice.problem(of: model) != nil else { return }
        try await OnlineServices.with(data: data) { try Self.settle(model, $0, canAsk: canAsk) }
    }

    static func settle(_ model: ModelProvider, _ online: OnlineServices, canAsk: Bool) throws {
        guard let problem = online.choice.problem(of: model) else { return }
        guard case .notAgreed(_, let host) = problem else { throw CommandError("\(problem)") }
        let sentences = ReaderConsent.sentences(for: model, host: host)
        guard canAsk else { throw CommandError("\(problem) " + sentences.joined(separator: " ")) }
        StandardStream.output.write(
            "\n"
                + sentences.flatMap { TerminalText.wrapped($0, to: StandardStream.output.columns) }
                .map { $0 + "\n" }.joined() + "\n[y] Agree, and do not ask again  [n] Cancel\n")
        while let key = TerminalKey.read() {
            if key.lowercased() == "y" {
                return try online.change(ServicesChange(readers: [ServiceChange(model.rawValue, agreed: true)]))
            }
            if ["n", "q", "\u{3}", "\u{4}", "\u{1B}"].contains(key.lowercased()) { break }
        }
        throw CommandError(
            "Nothing was sent to \(model.title). Read the photos on this machine with --reader local.")
    }
}
