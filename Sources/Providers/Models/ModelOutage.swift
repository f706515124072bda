import Foundation
import ShelflistAPI

/// Why a model did not read a picture, and when to retry.
struct ModelOutage: Error {
    enum Reason: Error, Equatable {
        case unreachable
        case timeout
        /// 429, or the provider requested a pause.
        case busy
        /// 402, or 429 because the account has no credit left.
        case noCredit
        /// The key is missing or invalid (401, 403, and 400 of Gemini).
        case badKey
        /// The model does not exist (404).
        case noModel
        /// Another status, with the provider's words.
        case status(Int, String?)
        case redirected(String)
        /// The model did not answer the question; with the reason as the provider gives it.
        case declined(String)
        /// The answer is not what the protocol documents, or has no list of spines.
        case unreadable(String)
        /// The circuit is open after several failures.
        case resting

        /// Whether the same request is worth repeating at once; one that timed out may have been charged.
        var isPassing: Bool {
            switch self {
            case .unreachable, .busy: true
            case .status(let status, _): status >= 500 || status == 408
            default: false
            }
        }
    }

    var reason: Reason
    /// Nil if retrying does not help until the configuration is changed.
    var retryAt: Date?

    /// Returns the outage in the form reported to callers; it never contains the key.
    func unavailable(_ provider: ModelProvider, _ settings: ModelSettings, now: Date) -> UnavailableSource {
        let wait = retryAt.map { max(0, $0.timeIntervalSince(now)) }
        let advice = wait.map { " Try again in \(max(1, Int($0.rounded(.up)))) s." } ?? ""
        return UnavailableSource(
            source: provider.rawValue, message: "\(provider.title) \(problem(provider, settings))\(advice)",
            retryAfterMs: wait.map { Int($0 * 1000) })
    }

    private func problem(_ provider: ModelProvider, _ settings: ModelSettings) -> String {
        func safe(_ text: String) -> String {
            let shown = settings.key.map { text.replacingOccurrences(of: $0.value, with: "•••") } ?? text
            return ProviderAnswer.printable(shown, 120)
        }
        return switch reason {
        case .unreachable: "cannot be reached."
        case .timeout: "did not answer within \(Int(settings.timeout)) s."
        case .busy: "accepts no more requests at the moment."
        case .noCredit: "has no credit left for this key. Check the account."
        case .badKey: "rejects the key. Check it in the settings."
        case .noModel:
            "does not have the model “\(safe(settings.model))” at \(settings.base.absoluteString). Check the name of the model "
                + "and the address."
        case .status(let status, let words): "failed (status \(status)\(words.map { ": " + safe($0) } ?? ""))."
        case .redirected(let target):
            "redirects to \(target), which is not followed. Check SHELFLIST_\(provider.rawValue.uppercased())_URL."
        case .declined(let why): "did not answer (\(safe(why)))."
        case .unreadable(let why): "sent an answer that cannot be used (\(safe(why)))."
        case .resting: "failed several times and is not asked for a while."
        }
    }
}
