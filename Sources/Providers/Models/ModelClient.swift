import Foundation
package import ShelflistAPI
import Synchronization

/// Asks one model about pictures.
package final class ModelClient: Sendable {
    package let provider: ModelProvider
    /// The name of the model.
    package let model: String
    private let url: URL
    private let client: ServiceClient
    /// False once the server rejected a request with a schema and accepted the same without it.
    private let takesSchema = Mutex(true)

    /// - Parameter cache: keeps answers, so that the same picture is paid for once; nil for none.
    package init(
        _ provider: ModelProvider, _ settings: ServiceSettings, transport: HTTPTransport, cache: AnswerCache? = nil
    ) {
        let base = settings.base ?? provider.address
        model = settings.model ?? provider.model
        url = provider.wire.url(base: base, model: model)
        self.provider = provider
        var settings = settings
        (settings.base, settings.model) = (base, model)
        client = ServiceClient(
            provider, settings, headers: settings.key.map(provider.wire.headers) ?? [:], policy: .model,
            transport: transport, cache: cache)
    }

    package var settings: ServiceSettings { client.settings }

    /// - Throws: `UnavailableSource` if the model does not answer, declines, or answers without a list of spines.
    package func ask(_ question: ModelQuestion) async throws(UnavailableSource) -> ModelReply {
        do throws(ServiceFailure) {
            return try await reply(to: question)
        } catch {
            throw client.unavailable(error)
        }
    }

    private func reply(to question: ModelQuestion) async throws(ServiceFailure) -> ModelReply {
        let whole = body(question, withSchema: true)
        // One name for the picture, whatever form the request has.
        let name = "\(url.absoluteString) \(ContentName.of(whole))"
        if takesSchema.withLock(\.self) {
            do throws(ServiceFailure) {
                return try await send(whole, name, isRejection: \.mayRejectSchema)
            } catch {
                guard error.mayRejectSchema else { throw error }
            }
        }
        let reply = try await send(body(question, withSchema: false), name) { _ in false }
        takesSchema.withLock { $0 = false }
        return reply
    }

    private func body(_ question: ModelQuestion, withSchema: Bool) -> [UInt8] {
        provider.wire.body(question, model: model, withSchema: withSchema).bytes
    }

    private func send(
        _ body: [UInt8], _ name: String, isRejection: @escaping @Sendable (ServiceFailure) -> Bool
    ) async throws(ServiceFailure) -> ModelReply {
        let wire = provider.wire
        let request = ServiceRequest(
            url: url, body: body, name: name,
            read: { body throws(ServiceFailure.Reason) -> ModelReply in
                let text = try wire.text(in: body)
                guard let readings = ModelReading.readings(in: text.text) else { throw .declined("no list of spines") }
                return ModelReply(readings: readings, inputTokens: text.inputTokens, outputTokens: text.outputTokens)
            }, isRejection: isRejection)
        let answer = try await client.answer(to: request)
        var reply = answer.value
        reply.isKept = answer.isKept
        return reply
    }
}
