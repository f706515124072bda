package import Concurrency
package import Foundation

/// A service on the internet that is asked for JSON; the raw value identifies it.
package protocol Service: RawRepresentable, Hashable, Sendable where RawValue == String {
    var title: String { get }
}

/// A service's API key, which is redacted in descriptions and logs.
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

/// How a service is asked.
package struct ServiceSettings: Sendable {
    package var key: APIKey?
    /// The program's name and a contact address, as Open Library requests.
    package var userAgent: String
    /// Whether the User-Agent contains the user's own contact address, which allows a higher request rate.
    var namesContact: Bool {
        (userAgent.contains("@") || userAgent.contains("://")) && !userAgent.contains(Self.projectAddress)
    }
    /// Replaces the service's own address, for mirrors and other servers with the same protocol.
    package var base: URL?
    /// Replaces the address of Open Library's covers.
    package var coverBase: URL?
    /// The name of the model; nil for the service's usual one, and for providers of records.
    package var model: String?
    /// Replaces the service's default limits.
    package var policy: ServicePolicy?
    /// Shares the rate limit with other clients and processes; nil limits each client alone.
    package var rates: RateFolder?
    /// Whether a failed request is sent again.
    package var retries = true
    /// Measures pauses between requests and the age of answers; the transport measures the time limits of requests.
    package var clock: any WallClock

    package init(
        userAgent: String, key: APIKey? = nil, base: URL? = nil, coverBase: URL? = nil, model: String? = nil,
        policy: ServicePolicy? = nil, rates: RateFolder? = nil, clock: any WallClock = SystemClock()
    ) {
        (self.userAgent, self.key, self.base, self.model) = (userAgent, key, base, model)
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

/// The rate and time limits for requests to one service.
package struct ServicePolicy: Sendable {
    /// The average time between requests in seconds.
    package var interval: TimeInterval = 1
    /// The number of requests that may be sent without delay.
    package var burst = 3
    /// The maximum delay of a request in seconds, caused by the rate limit or an earlier `Retry-After`.
    package var longestWait: TimeInterval = 10
    /// The time limit of one attempt in seconds, from connecting to the last byte.
    package var timeout: TimeInterval = 8
    package var attempts = 3
    /// Whether an attempt that timed out is repeated; it may have been charged.
    package var repeatsTimeouts = true
    /// The maximum delay before the first retry in seconds; it doubles for each further retry.
    package var backoff: TimeInterval = 0.5
    /// The maximum size of a response in bytes.
    package var bodyLimit = 10_000_000
    /// The number of consecutive failures that open the circuit, and for how many seconds.
    package var failuresToRest = 5
    package var rest: TimeInterval = 30
    /// How long a response stays fresh, in seconds, if the service does not specify it.
    package var freshness: TimeInterval = 86_400
    /// Whether the service specifies how long a response stays fresh.
    package var heedsCacheControl = true

    package init() {}

    /// Of models: large pictures take them half a minute, and answers are paid for, so that they are kept for 30 days.
    package static let model: ServicePolicy = {
        var policy = ServicePolicy()
        (policy.interval, policy.longestWait, policy.timeout) = (0, 60, 90)
        (policy.repeatsTimeouts, policy.backoff) = (false, 1)
        // A list of 400 spines has 60 KB.
        policy.bodyLimit = 4_000_000
        (policy.failuresToRest, policy.rest) = (3, 60)
        (policy.freshness, policy.heedsCacheControl) = (30 * 86_400, false)
        return policy
    }()
}
