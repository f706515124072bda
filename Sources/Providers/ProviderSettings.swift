package import Concurrency
package import Foundation

/// A provider's API key, which is redacted in descriptions and logs.
package struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let value: String

    /// Nil if the key is empty or cannot be sent in a header.
    package init?(_ text: String?) {
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        value = text
    }

    /// The key itself, for a file that only its owner can read.
    package var forStoring: String { value }

    package var description: String { "•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

package struct ProviderSettings: Sendable {
    package var key: APIKey?
    /// The program's name and a contact address, as Open Library requests.
    package var userAgent: String
    /// Whether the User-Agent contains the user's own contact address, which allows a higher request rate.
    var namesContact: Bool {
        (userAgent.contains("@") || userAgent.contains("://")) && !userAgent.contains(Self.projectAddress)
    }
    /// Replaces the provider's own address, for mirrors.
    package var base: URL?
    package var coverBase: URL?
    /// Replaces the provider's default limits.
    package var policy: ProviderPolicy?
    /// Shares the rate limit with other clients and processes; nil limits each client alone.
    package var rates: RateFolder?
    /// Whether a failed request is sent again.
    package var retries = true
    /// Measures pauses between requests and the age of answers; the transport measures the time limits of requests.
    package var clock: any WallClock

    package init(
        userAgent: String, key: APIKey? = nil, base: URL? = nil, coverBase: URL? = nil, policy: ProviderPolicy? = nil,
        rates: RateFolder? = nil, clock: any WallClock = SystemClock()
    ) {
        (self.userAgent, self.key, self.base) = (userAgent, key, base)
        (self.coverBase, self.policy, self.rates, self.clock) = (coverBase, policy, rates, clock)
    }

    /// The project's home, the contact of users who do not give one: Open Library rejects programs without a contact.
    package static let projectAddress = "https://github.com/shelflist/shelflist"

    /// Returns the User-Agent: the program's name, its version and a contact address.
    ///
    /// - Parameter contact: the user's; nil, or one that cannot be sent in a header, for the project's.
    package static func userAgent(version: String, contact: String?) -> String {
        "Shelflist/\(version) (\(APIKey(contact)?.value ?? projectAddress))"
    }

    /// Returns the URL of a literal; traps if it is invalid.
    package static func url(_ text: StaticString) -> URL {
        guard let url = URL(string: "\(text)") else { preconditionFailure("not an address: \(text)") }
        return url
    }
}
