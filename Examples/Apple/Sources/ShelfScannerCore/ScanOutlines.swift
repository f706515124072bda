public import ShelflistModels

/// The spines of one photo, as they are drawn over it.
public struct ScanOutlines: Sendable {
    /// The photo on the server; nil until the server has it.
    public let path: ServerPath?
    public let outlines: [UnitQuad]
    /// How sure each of them is; nil where that is not known yet.
    public let tiers: [ConfidenceTier?]
    /// The books of the outlines, in their order; empty until they are known.
    public let books: [ScanResultBook]
}

extension ScanModel {
    /// The spines of a photo: of its books once there are results, before that as the server has found them.
    public func outlines(of photo: ScanPhotoState) -> ScanOutlines {
        let books = (results?.books ?? []).filter { $0.photo == photo.id }
        let isKnown = results != nil
        return ScanOutlines(
            path: photo.isOnServer ? jobID.map { JobURLs($0).photo(photo.id) } : nil,
            outlines: isKnown ? books.map(\.quad) : photo.spines.map(\.quad),
            tiers: isKnown ? books.map(\.tier) : photo.spines.map { _ in nil }, books: books)
    }
}

extension ScanPhotoState {
    fileprivate var isOnServer: Bool {
        switch state {
        case .sent, .reading, .done: true
        case .captured, .preprocessing, .waiting, .uploading, .failed: false
        }
    }
}

extension ConfidenceTier {
    /// The colour of its outlines over a photo.
    public var outline: RGB {
        switch self {
        case .ready: RGB(0x34_C759)
        case .verify: RGB(0xFF_CC00)
        case .needsReview: RGB(0xFF_3B30)
        case .notChecked: RGB(0x5A_C8FA)
        }
    }
}
