import Foundation

extension BookProvider {
    /// Asks, decodes and makes records of the answer.
    func answer<Body: Decodable>(
        _ client: ProviderClient, _ url: URL, _ type: Body.Type, _ records: (Body) -> [ProviderRecord]
    ) async -> ProviderAnswer {
        do {
            guard let bytes = try await client.json(at: url) else { return .notFound }
            // Which field it is tells the user no more than that the provider has changed.
            guard let body = try? JSONDecoder().decode(type, from: Data(bytes)) else {
                return .down(
                    Outage(provider: name, reason: .unreadable("JSON of another shape"), retryAt: Date() + 3600))
            }
            return ProviderAnswer(records(body))
        } catch {
            return .down(error)
        }
    }

    /// The URL with HTTPS instead of HTTP, which Google writes and answers on both.
    func secureURL(_ text: String) -> URL? {
        guard var parts = URLComponents(string: text) else { return nil }
        if parts.scheme == "http" { parts.scheme = "https" }
        return parts.scheme == "https" ? parts.url : nil
    }
}
