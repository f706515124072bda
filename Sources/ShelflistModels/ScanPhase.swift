extension ScanModel {
    /// The number of photos that one scan takes.
    public static let photoLimit = 5

    /// What the scanner shows.
    ///
    /// ```swift
    /// switch model.phase {
    /// case .primer: model.begin()
    /// case .capture: show("\(model.photos.count) of \(ScanModel.photoLimit) photos")
    /// case .preprocessing, .uploading, .analysing: show(model.progress?.message, model.books.count, model.countdown)
    /// case .results: show(model.results?.books.count)
    /// case .failed:
    ///     show(model.error?.message)
    ///     model.retry()
    /// }
    /// ```
    public enum Phase: String, CaseIterable, Sendable {
        /// What a scan does and needs, before the first photo.
        case primer
        /// The camera.
        case capture
        /// The photos are prepared on this device.
        case preprocessing
        /// Photos are sent; the server reads those that it has.
        case uploading
        /// The server has all photos and reads them.
        case analysing
        /// The books.
        case results
        /// Nothing was read: see `error`.
        case failed
    }
}
