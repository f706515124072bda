package import Foundation
import Imaging
package import Library

/// Fetches covers in the background, a few at a time, and stores them in the library.
///
/// Failures do not affect the book; they are reported to `onFailure`.
package actor CoverQueue {
    private struct Wish {
        var entry: RowID<LibraryEntry>
        var url: URL
        var onlyMissing: Bool
    }

    private static let atOnce = 3

    private let online: OnlineServices
    private let library: LibraryStore
    private let onFailure: @Sendable (String) -> Void
    private var waiting: [Wish] = []
    private var running = 0
    private var idle: [CheckedContinuation<Void, Never>] = []

    /// - Parameter onFailure: receives a sentence that names the cover and the reason.
    package init(
        online: OnlineServices, library: LibraryStore, onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.online, self.library, self.onFailure) = (online, library, onFailure)
    }

    /// Enqueues a cover and returns immediately.
    ///
    /// - Parameter onlyMissing: whether to keep an existing cover.
    package func fetch(_ url: URL, for entry: RowID<LibraryEntry>, onlyMissing: Bool = true) {
        // The provider may have been disabled.
        guard online.fetchesCover(at: url) else { return }
        waiting.append(Wish(entry: entry, url: url, onlyMissing: onlyMissing))
        pump()
    }

    /// Waits until the queue is empty.
    package func finish() async {
        guard running > 0 || !waiting.isEmpty else { return }
        await withCheckedContinuation { idle.append($0) }
    }

    private func pump() {
        while running < Self.atOnce, !waiting.isEmpty {
            let wish = waiting.removeFirst()
            running += 1
            Task { await serve(wish) }
        }
    }

    private func serve(_ wish: Wish) async {
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
        running -= 1
        pump()
        if running == 0, waiting.isEmpty {
            idle.forEach { $0.resume() }
            idle = []
        }
    }
}
