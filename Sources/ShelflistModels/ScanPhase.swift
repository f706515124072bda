extension ScanModel {
    /// What the scanner shows.
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
