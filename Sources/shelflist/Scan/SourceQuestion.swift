import Foundation
import Lookup
import Terminal

/// The question of the first run: where the titles that were read are checked.
///
/// It is asked once in a data directory that has neither a catalog nor an enabled provider. Nothing is sent before the
/// answer. The app asks the same.
struct SourceQuestion {
    enum Answer: Character, CaseIterable {
        case online = "o"
        case download = "d"
        case offline = "s"
    }

    let data: URL
    /// Whether this run can ask; otherwise it prints a hint.
    let canAsk: Bool

    /// Whether there is a terminal to ask and answer on.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.output.isTerminal }

    /// Whether there is no source to check books, and none was chosen.
    ///
    /// - Throws: `StorageError`, `ValidationError` for a setting that makes no sense.
    func isOpen() async throws -> Bool {
        guard !CatalogFiles.exists(in: data) else { return false }
        return try !ServiceChoice(data: data, configuration: await .ofEnvironment()).isSourceChosen
    }

    /// Asks, and keeps the answer.
    ///
    /// - Returns: nil if there was no answer; the next scan asks again.
    /// - Throws: `ServiceProblem`, `StorageError`.
    func ask(about titles: UncheckedTitles) async throws -> Answer? {
        say(
            [
                "\(titles.description). Where may Shelflist look them up?", "",
                "[o] Ask Open Library online: titles and authors leave this machine, photos never do.",
                "[d] Download a catalog: Open Library, about 15 GB.",
                "[s] Stay offline.",
            ])
        guard let answer = Self.answer() else {
            say(["No answer; the next scan asks again."])
            return nil
        }
        try await keep(answer)
        switch answer {
        case .online: say(["Open Library is on. Turn it off with: shelflist providers off openlibrary"])
        case .download: say(["A smaller catalog: shelflist catalog get openlibrary --languages eng --with isbn"])
        case .offline: say(["Nothing is sent. Change it with: shelflist providers on openlibrary"])
        }
        return answer
    }

    private static func answer() -> Answer? {
        while let key = TerminalKey.read() {
            if let answer = Answer(rawValue: Character(key.lowercased())) { return answer }
            if ["q", "\u{3}", "\u{4}", "\u{1B}"].contains(key) { return nil }
        }
        return nil
    }

    private func keep(_ answer: Answer) async throws {
        let providers = answer == .online ? [ServiceChange("openlibrary", enabled: true)] : []
        try await OnlineServices.with(data: data) { online in
            try online.change(ServicesChange(providers: providers, choosesSource: true))
        }
    }

    private func say(_ lines: [String]) {
        let wrapped = lines.flatMap { $0.isEmpty ? [""] : TerminalText.wrapped($0, to: StandardStream.output.columns) }
        StandardStream.output.write("\n" + wrapped.map { $0 + "\n" }.joined())
    }
}
