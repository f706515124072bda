import Bounds
import Concurrency
import Foundation
import ShelflistAPI

/// Why a request to a service failed, and when to retry.
struct ServiceFailure: Error {
    enum Reason: Error, Equatable {
        /// The connection failed or was interrupted.
        case unreachable
        case timeout
        /// The service returned 429, or too many requests are waiting for the rate limit.
        case busy
        /// The key is missing or invalid (401, 403, and 400 of Gemini).
        case badKey(Int)
        /// 402, or 429 because the account has no credit left.
        case noCredit
        /// Another status, with the start of the response's body.
        case status(Int, [UInt8])
        /// The response redirects to this address, which is not followed.
        case redirected(String)
        /// A model did not answer the question; with the reason as the service gives it.
        case declined(String)
        /// The response is not the documented JSON.
        case unreadable(String)
        /// The circuit is open after several failures.
        case resting
    }

    var reason: Reason
    /// Nil if retrying does not help until the configuration is changed.
    var retryAt: Date?

    /// Whether the same request may succeed soon.
    func isTransient(repeatingTimeouts: Bool) -> Bool {
        switch reason {
        case .unreachable, .busy: true
        case .timeout: repeatingTimeouts
        case .status(let status, _): status >= 500 || status == 408
        default: false
        }
    }

    /// Whether a smaller request may succeed: the service refuses to process this one, or does not finish it.
    var isWorthDividing: Bool {
        switch reason {
        case .status(let status, _): (400...501).contains(status)
        case .timeout: true
        default: false
        }
    }

    /// Whether the service may have rejected the schema of the answer rather than the question.
    var mayRejectSchema: Bool {
        guard case .status(let status, let body) = reason, [400, 404, 415, 422, 500, 501].contains(status) else {
            return false
        }
        let text = String(decoding: body, as: UTF8.self).lowercased()
        return [
            "response_format", "json_schema", "responseschema", "response_schema", "max_completion_tokens", "grammar",
        ].contains { text.contains($0) }
    }

    /// Returns the failure in the form reported to callers; it never contains the key.
    func unavailable(_ service: any Service, _ settings: ServiceSettings, _ policy: ServicePolicy) -> UnavailableSource
    {
        let wait = retryAt.map { max(0, $0.timeIntervalSince(settings.clock.now)) }
        let advice = wait.map { " Try again in \(max(1, Int(saturating: $0.rounded(.up)))) s." } ?? ""
        return UnavailableSource(
            source: service.rawValue, message: "\(service.title) \(problem(of: service, settings, policy))\(advice)",
            retryAfterMs: wait.map { Int(saturating: $0 * 1000) })
    }

    private func problem(of service: any Service, _ settings: ServiceSettings, _ policy: ServicePolicy) -> String {
        func safe(_ text: String) -> String {
            let shown = EscapedText.redacted(settings.key?.value ?? "", in: text)
            return ProviderAnswer.printable(shown, 120)
        }
        return switch reason {
        case .unreachable: "cannot be reached."
        case .timeout: "did not answer within \(Int(saturating: policy.timeout)) s."
        case .busy: "accepts no more requests at the moment."
        case .noCredit: "has no credit left for this key. Check the account."
        case .badKey(let status) where service.rawValue == ProviderName.openLibrary.rawValue:
            "refuses this program (status \(status)). Set your e-mail address or URL as SHELFLIST_CONTACT."
        case .badKey(let status): "rejects the key (status \(status)). Check it in the settings."
        case .status(404, _):
            "does not have the model “\(safe(settings.model ?? ""))” at \(settings.base?.absoluteString ?? "its address"). "
                + "Check the name of the model and the address."
        case .status(let status, let body):
            "failed (status \(status)\(ProviderAnswer.errorMessage(body).map { ": " + safe($0) } ?? ""))."
        case .redirected(let target):
            "redirects to \(target), which is not followed. Check SHELFLIST_\(service.rawValue.uppercased())_URL."
        case .declined(let why): "did not answer (\(safe(why)))."
        case .unreadable(let why): "sent an answer that cannot be read (\(safe(why)))."
        case .resting: "failed several times and is not asked for a while."
        }
    }
}
