package import Bibliography
package import Foundation

/// A secret that shows itself to nobody but the provider it is for.
package struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let value: String

    /// Nil for an empty key, and for one that could not stand in a header.
    package init?(_ text: String?) {
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        value = text
    }

    /// For a file that only its owner may read.
    package var forStoring: String { value }

    package var description: String { "•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a provider is reached.
package struct ProviderSettings: Sendable {
    package var key: APIKey?
    /// Names this program and whom to write to, as Open Library asks.
    package var userAgent: String
    /// Whether it does the latter; who does may ask more often.
    var namesContact: Bool { userAgent.contains("@") || userAgent.contains("://") }
    /// In the place of the provider's own address, for tests.
    package var base: URL?
    package var coverBase: URL?
    /// In the place of the provider's usual pace.
    package var policy: ProviderPolicy?

    package init(
        userAgent: String, key: APIKey? = nil, base: URL? = nil, coverBase: URL? = nil, policy: ProviderPolicy? = nil
    ) {
        (self.userAgent, self.key, self.base) = (userAgent, key, base)
        (self.coverBase, self.policy) = (coverBase, policy)
    }

    /// An address that is part of this program.
    package static func url(_ text: StaticString) -> URL {
        guard let url = URL(string: "\(text)") else { preconditionFailure("not an address: \(text)") }
        return url
    }
}

/// Several providers, asked together.
package struct Providers: Sendable {
    package let all: [any BookProvider]

    package init(_ all: [any BookProvider]) { self.all = all }

    /// What requests name themselves: this program, its version, and whom to write to.
    package static func userAgent(version: String, contact: String?) -> String {
        "Shelflist/\(version)" + (APIKey(contact).map { " (\($0.value))" } ?? "")
    }

    /// One provider, reached as `settings` say.
    package static func make(
        _ name: ProviderName, _ settings: ProviderSettings, transport: HTTPTransport, cache: AnswerCache? = nil
    ) -> any BookProvider {
        switch name {
        case .openLibrary: OpenLibrary(settings, transport: transport, cache: cache)
        case .googleBooks: GoogleBooks(settings, transport: transport, cache: cache)
        case .isbndb: ISBNdb(settings, transport: transport, cache: cache)
        }
    }

    /// What each provider answered to a search.
    package struct Answer: Sendable {
        package var provider: ProviderName
        package var answer: ProviderAnswer
    }

    /// Asks all at once, and hands on each answer when it comes.
    package func search(_ text: String, scope: SearchScope, limit: Int) -> AsyncStream<Answer> {
        answers { await $0.search(text, scope: scope, limit: min(max(1, limit), 40)) }
    }

    package func lookUp(_ isbn: ISBN) -> AsyncStream<Answer> { answers { await $0.lookUp(isbn) } }

    private func answers(_ ask: @escaping @Sendable (any BookProvider) async -> ProviderAnswer) -> AsyncStream<Answer> {
        AsyncStream { continuation in
            let all = all
            let task = Task {
                await withTaskGroup { group in
                    for provider in all {
                        group.addTask { Answer(provider: provider.name, answer: await ask(provider)) }
                    }
                    for await answer in group { continuation.yield(answer) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
