import Bibliography
import Concurrency
import Fixtures
import Foundation
import Providers
import ShelflistAPI
import TestSupport

/// A provider that uses a stub server and the test's clock.
struct Harness {
    let clock: ManualClock
    let server: StubServer
    let transport: HTTPTransport
    let provider: any BookProvider
    let folder: URL

    /// - Parameters:
    ///   - clock: measures pauses and the age of cache entries; with the default, pauses end immediately.
    ///   - requestClock: measures the time limits of requests; with the default, requests do not time out.
    init(
        _ name: ProviderName = .openLibrary, key: String? = nil, cached: Bool = false,
        clock: ManualClock = ManualClock(skipsSleeps: true), requestClock: any WallClock = ManualClock(),
        _ change: (inout ServicePolicy) -> Void = { _ in },
        answer: @escaping @Sendable (Int, StubServer.Request) -> StubAnswer,
        onCacheFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        server = try StubServer(answer)
        self.clock = clock
        transport = HTTPTransport(clock: requestClock)
        folder = FileManager.default.temporaryDirectory.appending(path: "shelflist-answers-\(UUID().uuidString)")
        var policy = ServicePolicy()
        policy.interval = 0
        change(&policy)
        let settings = ServiceSettings(
            userAgent: "Shelflist/test (tests@example.org)", key: APIKey(key), base: server.url, coverBase: server.url,
            policy: policy, clock: clock)
        provider = name.provider(
            settings, transport: transport,
            cache: cached ? AnswerCache(folder: folder, onFailure: onCacheFailure) : nil)
    }

    /// Runs a test and cleans up after it.
    func run<Result>(_ body: (any BookProvider) async throws -> Result) async throws -> Result {
        do {
            let result = try await body(provider)
            await close()
            return result
        } catch {
            await close()
            throw error
        }
    }

    private func close() async {
        await transport.close()
        // Only some tests create a cache.
        try? FileManager.default.removeItem(at: folder)
    }
}

extension ManualClock {
    /// Lets the time limit of the only request pass, once it has arrived.
    ///
    /// - Parameter answer: bytes of a dripping one that arrive after most of the time must not extend the limit.
    func exceed(_ limit: TimeInterval, of server: StubServer, _ answer: StubAnswer = .silent) async throws {
        await waitForSleepers(1)
        try await eventually { server.requests.count == 1 }
        advance(by: limit - 1)
        if case .drip = answer {
            let before = server.dripped
            try await eventually { server.dripped > before + 1 }
        }
        advance(by: 1)
    }
}

/// Returns the error of a search; nil if it succeeded.
func failure(of provider: any BookProvider, _ text: String = "ring") async -> UnavailableSource? {
    do {
        _ = try await provider.search(text, scope: .title, limit: 5)
        return nil
    } catch {
        return error
    }
}

/// Responses in the format of each provider's public documentation.
enum Recorded {
    static let openLibrarySearch = """
        {"numFound": 2, "start": 0, "numFoundExact": true, "docs": [
          {"key": "/works/OL27448W", "title": "The Lord of the Rings", "author_name": ["J.R.R. Tolkien"],
           "first_publish_year": 1954, "isbn": ["bad", "9780261102385"], "cover_i": 9255566,
           "publisher": ["HarperCollins", "Allen & Unwin"], "language": ["eng", "spa"], "number_of_pages_median": 1193},
          {"key": "/works/OL1W", "title": "", "author_name": []},
          {"key": "/works/OL2W", "title": "Untitled things", "cover_i": -1}]}
        """
    static let openLibraryBook = """
        {"ISBN:9780804429573": {"url": "https://openlibrary.org/books/OL7M/Babel", "key": "/books/OL7M",
          "title": "Babel", "subtitle": "or the necessity of violence", "authors": [{"url": "x", "name": "R. F. Kuang"}],
          "publishers": [{"name": "Harper Voyager"}], "publish_date": "Aug 23, 2022", "number_of_pages": 545,
          "cover": {"small": "s", "medium": "https://covers.openlibrary.org/b/id/12-M.jpg",
                    "large": "https://covers.openlibrary.org/b/id/12-L.jpg"}}}
        """
    static let googleVolumes = """
        {"kind": "books#volumes", "totalItems": 1, "items": [{"kind": "books#volume", "id": "zyTCAlFPjgYC",
          "volumeInfo": {"title": "The Google Story", "subtitle": "Inside the Hottest Business", "authors": ["David A. Vise"],
          "publisher": "Random House", "publishedDate": "2005-11-15", "pageCount": 207, "language": "en",
          "industryIdentifiers": [{"type": "OTHER", "identifier": "x"}, {"type": "ISBN_10", "identifier": "080442957X"}],
          "imageLinks": {"smallThumbnail": "http://books.google.com/a",
          "thumbnail": "http://books.google.com/books/content?id=zyTCAlFPjgYC&zoom=1"}}}]}
        """
    static let isbndbBook = """
        {"book": {"title": "Babel", "title_long": "Babel: An Arcane History", "isbn": "080442957X",
          "isbn13": "9780804429573", "publisher": "Harper", "language": "en", "date_published": "2022-08-23", "pages": 545,
          "image": "https://images.isbndb.com/covers/12/34/9780804429573.jpg", "authors": ["Kuang, R. F."]}}
        """
}
