import Crypto
package import Foundation
import Storage

/// A disk cache of the responses of services.
///
/// Each request has one file, named by a hash of the request: a line of JSON (request, ETag, expiry date), a line break
/// and the body. Files are written under a temporary name and renamed, so that readers never see an incomplete file.
/// Failures are reported but not thrown, because the provider can be queried again.
package struct AnswerCache: Sendable {
    private let folder: URL
    private let onFailure: @Sendable (String) -> Void

    /// The maximum total size in bytes; the oldest files are deleted to stay within it.
    private static let byteLimit = 100_000_000

    /// - Parameters:
    ///   - folder: created on first use.
    ///   - onFailure: receives a sentence for each entry that cannot be stored or read.
    package init(folder: URL, onFailure: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.folder, self.onFailure) = (folder, onFailure)
    }

    struct Entry {
        struct Head: Codable {
            /// The request, because two requests may have the same hash.
            var question: String
            var etag: String?
            var freshUntil: Date
        }

        var head: Head
        var body: [UInt8]
    }

    func entry(for question: String) -> Entry? {
        let file = file(for: question)
        do {
            let data = try Data(contentsOf: file)
            let lineEnd = data.firstIndex(of: 0x0A) ?? data.endIndex
            let head = try JSONDecoder().decode(Entry.Head.self, from: data[..<lineEnd])
            guard head.question == question else { return nil }
            return Entry(head: head, body: Array(data[lineEnd...].dropFirst()))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            onFailure("\(file.path) cannot be read (\(error.localizedDescription)). The service is asked again.")
            return nil
        }
    }

    /// Stores a response; failures are reported to `onFailure`.
    func store(_ entry: Entry) {
        do {
            var data = try JSONEncoder().encode(entry.head)
            data.append(0x0A)
            data.append(contentsOf: entry.body)
            let file = file(for: entry.head.question)
            try DurableFile.createFolder(of: file)
            try DurableFile.write(data, to: file, as: .cache)
        } catch {
            return onFailure(
                "An answer cannot be kept in \(folder.path), so the service is asked again each time. \(error)")
        }
        // Listing the folder is slow, so only one in 64 writes does it.
        if Int.random(in: 0..<64) == 0 { CacheFolder.trim(folder, to: Self.byteLimit) }
    }

    private func file(for question: String) -> URL {
        folder.appending(path: ContentName.of(question) + ".answer")
    }

    /// Returns how long a response stays fresh by its `Cache-Control`, in seconds; nil if it must not be stored.
    ///
    /// - Parameter fallback: seconds, used if the provider does not specify a lifetime.
    static func freshness(cacheControl: String?, fallback: TimeInterval) -> TimeInterval? {
        var age: TimeInterval?
        for part in (cacheControl ?? "").lowercased().split(separator: ",") {
            let directive = part.trimmingCharacters(in: .whitespaces)
            if directive == "no-store" { return nil }
            if directive == "no-cache" { age = 0 }
            if directive.hasPrefix("max-age="), age == nil {
                age = Int(directive.dropFirst(8)).map { Double(min(max(0, $0), 30 * 86_400)) }
            }
        }
        return age ?? fallback
    }
}

/// Manages a folder of files that can be fetched again.
enum CacheFolder {
    /// Deletes the oldest files until the rest has at most `byteLimit` bytes in total.
    ///
    /// Files that cannot be examined or deleted are kept until the next call.
    static func trim(_ folder: URL, to byteLimit: Int) {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys)))
        let known = (files ?? []).compactMap { url in
            (try? url.resourceValues(forKeys: keys)).map {
                (url: url, size: $0.fileSize ?? 0, date: $0.contentModificationDate ?? .distantPast)
            }
        }
        var total = known.reduce(0) { $0 + $1.size }
        for file in known.sorted(by: { $0.date < $1.date }) where total > byteLimit {
            if (try? FileManager.default.removeItem(at: file.url)) != nil { total -= file.size }
        }
    }
}

/// Names derived from the content or its URL.
enum ContentName {
    static func of(_ text: String) -> String { of(Array(text.utf8)) }

    /// Returns the SHA-256 in hexadecimal digits.
    static func of(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
    }
}
