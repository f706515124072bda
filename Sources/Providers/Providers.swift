public import Bibliography
public import Foundation

/// A secret that shows itself to nobody but the provider it is for.
public struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let value: String

    /// Nil for an empty key, and for one that could not stand in a header.
    public init?(_ text: String?) {
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        value = text
    }

    /// For a file that only its owner may read.
    package var forStoring: String { value }

    public var description: String { "•••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a provider is reached.
public struct ProviderSettings: Sendable {
    public var key: APIKey?
    /// Names this program and whom to write to, as Open Library asks.
    public var userAgent: String
    /// Whether it does the latter; who does may ask more often.
    var namesContact: Bool { userAgent.contains("@") || userAgent.contains("://") }
    /// In the place of the provider's own address, for tests.
    public var base: URL?
    public var coverBase: URL?
    /// In the place of the provider's usual pace.
    public var policy: ProviderPolicy?

    public init(
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
public struct Providers: Sendable {
    public let all: [any BookProvider]

    public init(_ all: [any BookProvider]) { self.all = all }

    /// What requests name themselves: this program, its version, and whom to write to.
    public static func userAgent(version: String, contact: String?) -> String {
        "Shelflist/\(version)" + (APIKey(contact).map { " (\($0.value))" } ?? "")
    }

    /// One provider, reached as `settings` say.
    public static func make(
        _ name: ProviderName, _ settings: ProviderSettings, transport: HTTPTransport, cache: AnswerCache? = nil
    ) -> any BookProvider {
        switch name {
        case .openLibrary: OpenLibrary(settings, transport: transport, cache: cache)
        case .googleBooks: GoogleBooks(settings, transport: transport, cache: cache)
        case .isbndb: ISBNdb(settings, transport: transport, cache: cache)
        }
    }

    /// What each provider answered to a search.
    public struct Answer: Sendable {
        public var provider: ProviderName
        public var answer: ProviderAnswer
    }

    /// Asks all at once, and hands on each answer when it comes.
    public func search(_ text: String, scope: SearchScope, limit: Int) -> AsyncStream<Answer> {
        answers { await $0.search(text, scope: scope, limit: min(max(1, limit), 40)) }
    }

    public func lookUp(_ isbn: ISBN) -> AsyncStream<Answer> { answers { await $0.lookUp(isbn) } }

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
