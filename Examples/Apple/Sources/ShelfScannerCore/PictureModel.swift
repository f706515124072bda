public import Foundation
public import Observation
public import ShelflistModels

/// The pictures of rows: covers and spines, each loaded once.
@MainActor @Observable
public final class PictureModel {
    private var pictures: [ServerPath: Data] = [:]
    /// In the order in which they were loaded.
    @ObservationIgnored private var order: [ServerPath] = []
    @ObservationIgnored private var loading: Set<ServerPath> = []
    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let limit: Int

    /// - Parameter limit: the number of pictures that are kept; the oldest go first.
    public init(client: ShelflistClient, limit: Int = 300) { (self.client, self.limit) = (client, limit) }

    /// The picture, once it is loaded.
    public func picture(_ path: ServerPath?) -> Data? { path.flatMap { pictures[$0] } }

    /// Loads a picture; one that cannot be loaded is tried again when its row appears again.
    public func load(_ path: ServerPath?) async {
        guard let path, pictures[path] == nil, loading.insert(path).inserted else { return }
        defer { loading.remove(path) }
        do {
            pictures[path] = try await client.picture(path)
            order.append(path)
            if order.count > limit { pictures[order.removeFirst()] = nil }
        } catch {
            // The row shows its placeholder.
            return
        }
    }
}
