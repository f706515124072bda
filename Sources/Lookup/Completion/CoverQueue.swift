import Concurrency
package import Foundation
import Imaging
package import Library

/// Fetches covers in the background, a few at a time, and stores them in the library.
///
/// Failures do not affect the book; they are reported to `onFailure`.
package struct CoverQueue: Sendable {
    private struct Wish {
        var entry: RowID<LibraryEntry>
        var url: URL
        var onlyMissing: Bool
    }

    private static let atOnce = 3

    private let online: OnlineServices
    private let queue: BackgroundQueue<Wish>

    /// - Parameter onFailure: receives a sentence that names the cover and the reason.
    package init(
        online: OnlineServices, library: LibraryStore, onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.online = online
        queue = BackgroundQueue(maxConcurrent: Self.atOnce) { wish in
            do {
                if let picture = try await online.cover(at: wish.url) {
                    try await library.setCover(wish.entry, to: picture, onlyMissing: wish.onlyMissing)
                }
            } catch LibraryError.notFound {
                // The book was removed from the library during the request.
            } catch let error as ImageError {
                onFailure("The cover from \(wish.url.host() ?? "") is not used: \(error.message)")
            } catch {
                onFailure("\(error)")
            }
        }
    }

    /// Enqueues a cover and returns immediately.
    ///
    /// - Parameter onlyMissing: whether to keep an existing cover.
    package func fetch(_ url: URL, for entry: RowID<LibraryEntry>, onlyMissing: Bool = true) async {
        // The provider may have been disabled.
        guard online.fetchesCover(at: url) else { return }
        await queue.add(Wish(entry: entry, url: url, onlyMissing: onlyMissing))
    }

    /// Waits until the queue is empty.
    package func finish() async { await queue.finish() }
}
