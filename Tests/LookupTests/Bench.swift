import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import Lookup
import Providers
import TestSupport

/// Providers that use stub servers and a temporary data directory.
final class Bench: Sendable {
    let folder: URL
    let online: OnlineServices
    let library: LibraryStore
    /// The providers' clock; while it does not advance, requests do not time out.
    let clock = ManualClock()

    /// - Parameters:
    ///   - stubs: the enabled providers with their servers.
    ///   - covers: the server of the covers.
    init(_ stubs: [ProviderName: StubServer], covers: StubServer? = nil, failuresToRest: Int = 5) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "lookup-\(UUID().uuidString)")
        let addresses = stubs.mapValues(\.url)
        let coverBase = covers?.url
        var configuration = ServiceConfiguration(providers: Set(stubs.keys))
        configuration[ProviderName.isbndb].key = APIKey("k")
        online = try OnlineServices(
            data: folder, configuration: configuration, version: "test",
            coverHosts: .only(origin: "http://127.0.0.1:\(covers?.port ?? 1)"), covers: coverBase, clock: clock,
            make: { name, settings, transport, cache in
                var policy = ServicePolicy()
                (policy.interval, policy.attempts, policy.failuresToRest) = (0, 1, failuresToRest)
                var settings = settings
                (settings.base, settings.coverBase, settings.policy) = (addresses[name], coverBase, policy)
                settings.rates = nil
                return name.provider(settings, transport: transport, cache: cache)
            })
        library = try LibraryStore(folder: LibraryFolder(folder))
    }

    /// - Parameter clock: measures the lookup's patience, which is unlimited while the clock does not advance.
    func lookup(clock: ManualClock = ManualClock()) -> BookLookup {
        BookLookup(catalog: nil, online: online, patience: 30, grace: 1, clock: clock)
    }

    /// Closes the connections.
    func close() async { await online.close() }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
    }
}

/// Responses in the format of the providers' documentation.
enum Recorded {
    static func openLibrary(_ title: String, _ author: String, cover: Int? = 7) -> StubAnswer {
        .json(
            """
            {"numFound": 1, "docs": [{"key": "/works/OL1W", "title": "\(title)", "author_name": ["\(author)"],
              "first_publish_year": 1815, "cover_i": \(cover ?? -1), "publisher": ["Penguin"],
              "number_of_pages_median": 512}]}
            """)
    }

    static let openLibraryNothing = StubAnswer.json(#"{"numFound": 0, "docs": []}"#)

    static func googleBooks(_ title: String, _ author: String) -> StubAnswer {
        .json(
            """
            {"items": [{"id": "gEmma", "volumeInfo": {"title": "\(title)", "authors": ["\(author)"],
              "publisher": "Google Press", "publishedDate": "2001", "pageCount": 100}}]}
            """)
    }

    /// A JPEG.
    static func cover() throws -> [UInt8] {
        try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
    }
}
