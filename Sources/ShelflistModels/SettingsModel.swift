public import Observation
public import ShelflistClient

/// The settings of the server, and how often its reader was right.
///
/// ```swift
/// let model = SettingsModel(client: client)
/// await model.load()
/// show(model.settings?.threshold, model.stats?.correct, model.error?.message)
/// ```
@MainActor @Observable
public final class SettingsModel: ActingModel {
    /// The thresholds that the server accepts.
    public static let thresholds = 0.4...0.9

    /// The settings; nil until they are loaded.
    public private(set) var settings: LibrarySettings?
    /// How often the reader was right; nil until it is loaded.
    public private(set) var stats: ReviewStats?
    /// What is wrong with the last action.
    public internal(set) var error: ShelflistError?

    @ObservationIgnored private let client: ShelflistClient

    /// Creates a model, which is empty until `load`.
    public init(client: ShelflistClient) { self.client = client }

    /// Loads settings and statistics.
    public func load() async {
        await act { () throws(ShelflistError) in
            self.settings = try await self.client.settings()
            self.stats = try await self.client.review.stats()
        }
    }

    /// Sets the confidence below which books need review, which is kept within `thresholds`.
    ///
    /// Shows at once, and is taken back if the server refuses it: only the owner may change settings.
    ///
    /// ```swift
    /// if SettingsModel.thresholds.contains(0.7) { await model.setThreshold(0.7) }
    /// ```
    public func setThreshold(_ threshold: Double) async {
        let threshold = min(max(threshold, Self.thresholds.lowerBound), Self.thresholds.upperBound)
        await change(LibrarySettingsChange(threshold: threshold)) { $0.threshold = threshold }
    }

    /// Sets whether photos are kept after all their books are reviewed.
    ///
    /// ```swift
    /// await model.setKeepsPhotos(false)
    /// ```
    public func setKeepsPhotos(_ keeps: Bool) async {
        await change(LibrarySettingsChange(keepShelfPhotos: keeps)) { $0.keepShelfPhotos = keeps }
    }

    private func change(_ change: LibrarySettingsChange, _ show: (inout LibrarySettings) -> Void) async {
        guard let before = settings else { return }
        var shown = before
        show(&shown)
        settings = shown
        let done = await act { () throws(ShelflistError) in self.settings = try await self.client.change(change) }
        if !done { settings = before }
    }
}
