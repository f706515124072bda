package import Foundation
package import Providers
package import ShelflistAPI

/// The state of a provider, shown by the settings, `doctor` and the metrics.
package struct ProviderReport: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case off
        /// The provider answers, or has not been used yet.
        case ready = "ok"
        /// The provider failed several times or requested a pause; no request is sent before `retryAt`.
        case resting = "open"
        /// The provider rejected the key, or requires one.
        case keyNeeded
    }

    package var name: ProviderName
    package var isOn: Bool
    package var hasKey: Bool
    package var state: State
    package var retryAt: Date?
    /// What the provider sent since it was enabled that could not be used.
    package var refusals = ProviderRefusals()
}

extension ProviderReport: Encodable {
    private enum Key: CodingKey { case id, name, enabled, hasKey, state, retryAfterMs }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(name.rawValue, forKey: .id)
        try fields.encode(name.title, forKey: .name)
        try fields.encode(isOn, forKey: .enabled)
        try fields.encode(hasKey, forKey: .hasKey)
        try fields.encode(state.rawValue, forKey: .state)
        try fields.encodeIfPresent(retryAt.map { max(0, Int($0.timeIntervalSinceNow * 1000)) }, forKey: .retryAfterMs)
    }
}

package struct ProviderProbe: Sendable {
    package var name: ProviderName
    /// The number of records, or why there is no answer.
    package var outcome: Result<Int, UnavailableSource>
    package var seconds: TimeInterval
    package var refusals: ProviderRefusals

    /// A book that every provider has.
    package static let query = WordQuery(title: ["moby", "dick"], author: ["melville"])
}
