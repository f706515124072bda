import Bounds
package import Foundation
package import Providers
package import ShelflistAPI

/// The state of a provider or model, shown by the settings, the command line, `doctor` and the metrics.
package struct ServiceReport: Hashable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case off
        /// The service answers, or has not been used yet.
        case ready = "ok"
        /// The service failed several times or requested a pause; no request is sent before `retryAt`.
        case resting = "open"
        /// The service rejected the key, or requires one.
        case keyNeeded
    }

    package var id: String
    package var name: String
    /// The name of the model; nil for a provider of records, which is encoded with other fields.
    package var model: String?
    /// Where requests to a model are sent.
    package var host = ""
    package var hasKey: Bool
    package var needsKey: Bool
    /// Whether a provider is enabled; whether the owner agreed to what a model's host receives.
    package var isOn: Bool
    package var state: State
    package var retryAt: Date?
    /// What the provider sent since it was enabled that could not be used.
    package var refusals = ServiceRefusals()
}

extension ServiceReport: Encodable {
    private enum Key: CodingKey { case id, name, hasKey, enabled, state, retryAfterMs, model, host, needsKey, agreed }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(name, forKey: .name)
        try fields.encode(hasKey, forKey: .hasKey)
        if let model {
            try fields.encode(model, forKey: .model)
            try fields.encode(host, forKey: .host)
            try fields.encode(needsKey, forKey: .needsKey)
            try fields.encode(isOn, forKey: .agreed)
        } else {
            try fields.encode(isOn, forKey: .enabled)
            try fields.encode(state.rawValue, forKey: .state)
            let wait = retryAt.map { max(0, Int(saturating: $0.timeIntervalSinceNow * 1000)) }
            try fields.encodeIfPresent(wait, forKey: .retryAfterMs)
        }
    }
}

/// The answer of a provider to a request past the cache and without retries.
package struct ProviderProbe: Sendable {
    package var name: ProviderName
    /// The number of records, or why there is no answer.
    package var outcome: Result<Int, UnavailableSource>
    package var seconds: TimeInterval
    package var refusals: ServiceRefusals

    /// A book that every provider has.
    static let query = WordQuery(title: ["moby", "dick"], author: ["melville"])
}

/// What a model receives, in the words that the user agrees to.
package enum ReaderConsent {
    package static func sentences(for model: ModelProvider, host: String) -> [String] {
        [
            "\(model.title) at \(host) will receive pictures from your photos:",
            "- assist: the spines that this machine is not sure of, cut out of the photo, in one picture a photo.",
            "- \(model.rawValue): the whole photo, at most 3,072 pixels long, without metadata such as place and time.",
            "Everything else on the photo can be seen, too. The provider's terms apply, and it may charge you.",
        ]
    }
}
