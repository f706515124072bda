public import Foundation
public import ShelflistAPI

/// A photo to be scanned: JPEG, PNG, WebP or HEIC.
///
/// ```swift
/// let session = client.scan([.file(photo), .data(jpeg, name: "Hall, left")])
/// ```
public struct PhotoSource: Sendable {
    let body: TransportRequest.Body
    let name: String?

    /// A file, which must stay until it is sent.
    public static func file(_ url: URL) -> PhotoSource {
        PhotoSource(body: .file(url), name: url.lastPathComponent)
    }

    /// Bytes of an image file.
    ///
    /// - Parameters:
    ///   - data: the contents of the file.
    ///   - name: shown to people.
    public static func data(_ data: Data, name: String? = nil) -> PhotoSource {
        PhotoSource(body: .data(data), name: name)
    }

    var count: Int {
        switch body {
        case .none: 0
        case .data(let data): data.count
        // A file that cannot be read is reported when it is sent.
        case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
    }
}

/// How photos are scanned.
///
/// ```swift
/// let added = ScanOptions(threshold: 0.7, addsToLibrary: true, shelf: shelf.id, idempotencyKey: key)
/// var checked = ScanOptions(preprocessing: .off)
/// checked.purpose = .check
/// let sessions = [added, checked].map { client.scan([.file(photo)], options: $0) }
/// ```
public struct ScanOptions: Codable, Hashable, Sendable {
    /// Books below this confidence (0...1) need review; nil for the server's setting.
    public var threshold: Double?
    /// Whether books are added to the library as their photo is read; nil for the server's setting.
    public var addsToLibrary: Bool?
    /// The identifier of the shelf that the photos show.
    public var shelf: String?
    /// Whether photos are preprocessed; nil for the server's choice.
    public var preprocessing: PreprocessingMode?
    /// What the photos are for; nil to record a shelf.
    public var purpose: ScanPurpose?
    /// Who reads the photos; nil for the server's setting.
    package var reader: ReaderMode?
    /// Identifies the scan: starting it again with the same key continues it instead of scanning twice.
    public var idempotencyKey: String

    /// Creates options with a new key.
    public init(
        threshold: Double? = nil, addsToLibrary: Bool? = nil, shelf: String? = nil,
        preprocessing: PreprocessingMode? = nil, idempotencyKey: String = UUID().uuidString
    ) {
        (self.threshold, self.addsToLibrary) = (threshold, addsToLibrary)
        (self.shelf, self.preprocessing, self.idempotencyKey) = (shelf, preprocessing, idempotencyKey)
    }

    /// The fields of the form that creates the scan.
    func fields(photos: Int) -> [(name: String, value: String)] {
        var fields = [("expected", "\(photos)")]
        if let threshold { fields.append(("threshold", "\(threshold)")) }
        if let addsToLibrary { fields.append(("import", "\(addsToLibrary)")) }
        if let shelf { fields.append(("shelf", shelf)) }
        if let preprocessing { fields.append(("preprocess", preprocessing.rawValue)) }
        if let purpose { fields.append(("purpose", purpose.rawValue)) }
        if let reader { fields.append(("reader", reader.rawValue)) }
        return fields
    }
}
