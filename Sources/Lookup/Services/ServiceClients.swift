import Concurrency
import Providers

/// Creates the clients of services.
struct ServiceClients: Sendable {
    let transport: HTTPTransport
    let userAgent: String
    let clock: any WallClock
    let rates: RateFolder
    let answers: AnswerCache
    let modelAnswers: AnswerCache
    let modelPolicy: ServicePolicy
    let make: OnlineServices.Maker

    /// - Parameter isProbe: whether answers are neither kept nor asked for again.
    func provider(_ name: ProviderName, _ choice: ServiceChoice, isProbe: Bool = false) -> any BookProvider {
        make(name, settings(of: name, choice, isProbe), transport, isProbe ? nil : answers)
    }

    /// - Parameter isProbe: whether answers are neither kept nor asked for again.
    func model(_ model: ModelProvider, _ choice: ServiceChoice, isProbe: Bool = false) -> ModelClient {
        var settings = settings(of: model, choice, isProbe)
        settings.model = choice.modelName(of: model)
        // A pause that a model requests concerns one key and address, so that a new one must not wait for its end.
        settings.rates = nil
        var policy = modelPolicy
        policy.timeout = choice.configuration.readerTimeout
        settings.policy = policy
        return ModelClient(model, settings, transport: transport, cache: isProbe ? nil : modelAnswers)
    }

    private func settings(of service: some Service, _ choice: ServiceChoice, _ isProbe: Bool) -> ServiceSettings {
        var settings = ServiceSettings(
            userAgent: userAgent, key: choice.key(of: service), base: choice.configuration[service].address,
            rates: rates, clock: clock)
        settings.retries = !isProbe
        return settings
    }
}
