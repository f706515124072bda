import Fixtures
import Lookup
import Providers
import ServerFixtures
import TestSupport

extension StubbedProviders {
    /// Open Library at `stub` as the only provider, on a clock on which no time passes.
    static func openLibrary(_ stub: StubServer) -> StubbedProviders {
        StubbedProviders { folder in
            try OnlineCatalogs(
                data: folder, configuration: ProviderConfiguration(isOn: [.openLibrary]), version: "test",
                coverHosts: .only(origin: "http://127.0.0.1:\(stub.port)"), covers: stub.url, clock: ManualClock(),
                make: { name, settings, transport, cache in
                    var policy = ProviderPolicy()
                    policy.interval = 0
                    policy.attempts = 1
                    return name.provider(
                        ProviderSettings(
                            userAgent: settings.userAgent, base: stub.url, coverBase: stub.url, policy: policy,
                            clock: settings.clock), transport: transport, cache: cache)
                })
        }
    }
}
