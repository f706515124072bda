package import Foundation
package import Providers
package import ShelflistAPI

/// What flags, environment and configuration file say of providers of records and of models that read photos.
package struct ServiceConfiguration: Sendable {
    package struct Entry: Sendable {
        package var key: APIKey?
        /// The address of a mirror, or of another server with the same protocol.
        package var address: URL?
        /// The name of the model.
        package var model: String?
        /// Whether the operator agreed to what the model receives.
        package var agreed = false
    }

    /// The enabled providers; nil if not configured: the settings then apply.
    package var providers: Set<ProviderName>?
    /// The operator's email address or URL, for the User-Agent.
    package var contact: String?
    /// Who reads photos; nil if not configured: the setting then applies.
    package var reader: ReaderMode?
    /// The model that `assist` asks; nil for the setting.
    package var assistReader: ModelProvider?
    /// The time limit of one request to a model, in seconds.
    package var readerTimeout = ServicePolicy.model.timeout
    /// Keyed by the service's identifier.
    private var entries: [String: Entry] = [:]

    package init(providers: Set<ProviderName>? = nil) { self.providers = providers }

    package subscript(service: some Service) -> Entry {
        get { entries[service.rawValue] ?? Entry() }
        set { entries[service.rawValue] = newValue }
    }

    /// The host and port that receive what is sent to a model.
    func host(of model: ModelProvider) -> String {
        let address = self[model].address ?? model.address
        return (address.host() ?? "") + (address.port.map { ":\($0)" } ?? "")
    }
}
