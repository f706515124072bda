/// What a download of the catalog would do, before it starts.
package struct DownloadEstimate: Codable, Hashable, Sendable {
    /// The date of the dumps.
    package var dumps: String?
    /// Compressed bytes to download; nil if the server does not say.
    package var bytes: Int?
    /// The most disk space that is needed beside the current catalog, in bytes; a filter makes it less.
    package var diskBytes: Int?
    /// Whether `diskBytes` is an upper bound: how much a filter keeps is not known in advance.
    package var atMost: Bool
    /// Bytes that the catalog may use.
    package var freeBytes: Int
    package var fits: Bool
    /// Whether the catalog has the same dumps already.
    package var current: Bool
    /// Whether an earlier download of the same dumps is resumed.
    package var resumed: Bool

    package init(
        dumps: String?, bytes: Int?, diskBytes: Int?, atMost: Bool, freeBytes: Int, current: Bool, resumed: Bool
    ) {
        (self.dumps, self.bytes, self.diskBytes, self.atMost) = (dumps, bytes, diskBytes, atMost)
        (self.freeBytes, self.current, self.resumed) = (freeBytes, current, resumed)
        fits = diskBytes.map { $0 <= freeBytes } ?? true
    }
}
