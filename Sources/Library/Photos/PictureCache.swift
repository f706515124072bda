import Concurrency
package import Imaging

/// A cache of the photos decoded last; the spines of a queue come from few photos, one after another.
package actor PictureCache {
    /// The pixel limit of photos decoded for showing spines; a JPEG of 12 megapixels is then decoded at half its size.
    package static let pixels = 4_000_000
    private static let capacity = 4

    private var pictures: [(name: String, image: Task<RGBImage, any Error>)] = []

    package init() {}

    /// Returns the picture of that name; on a miss, runs `decode` on a blocking executor.
    ///
    /// - Throws: the errors of `decode`, which are not cached.
    package func picture(
        _ name: String, decode: @escaping @Sendable () throws -> RGBImage
    ) async throws -> RGBImage {
        if let index = pictures.firstIndex(where: { $0.name == name }) {
            let known = pictures.remove(at: index)
            pictures.append(known)
            return try await known.image.value
        }
        let task = Task { try await BlockingExecutor.interactive.run(decode) }
        pictures.append((name, task))
        if pictures.count > Self.capacity { pictures.removeFirst() }
        do {
            return try await task.value
        } catch {
            remove(name)
            throw error
        }
    }

    func remove(_ name: String) { pictures.removeAll { $0.name == name } }
}
