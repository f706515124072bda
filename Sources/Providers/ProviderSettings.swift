package import Concurrency
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
    /// For pauses between requests and the age of answers; the time limit of a request is the transport's.
    package var clock: any WallClock

    package init(
        userAgent: String, key: APIKey? = nil, base: URL? = nil, coverBase: URL? = nil, policy: ProviderPolicy? = nil,
        clock: any WallClock = SystemClock()
    ) {
        (self.userAgent, self.key, self.base) = (userAgent, key, base)
        (self.coverBase, self.policy, self.clock) = (coverBase, policy, clock)
    }

    /// The User-Agent: this program, its version, and whom to write to.
    package static func userAgent(version: String, contact: String?) -> String {
        "Shelflist/\(version)" + (APIKey(contact).map { " (\($0.value))" } ?? "")
    }

    /// An address that is part of this program.
    package static func url(_ text: StaticString) -> URL {
        guard let url = URL(string: "\(text)") else { preconditionFailure("not an address: \(text)") }
        return url
    }
}
