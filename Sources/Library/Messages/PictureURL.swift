import Crypto
import Foundation
package import ShelflistAPI

/// The URLs of photos and spines; there is none for a picture that is not stored.
package enum PictureURL {
    package static func photo(_ id: RowID<Photo>) -> ServerPath { "/api/v1/photos/\(id)/image" }

    package static func crop(_ detection: Detection) -> ServerPath? {
        guard detection.hasPicture else { return nil }
        let box = detection.boundingBox
        let corners = detection.quad?.corners ?? []
        let outline = [box.x, box.y, box.width, box.height] + corners.flatMap { [$0.x, $0.y] }
        return crop(detection.id, outline: outline.map { "\($0)" }.joined(separator: " "))
    }

    /// - Parameter outline: changes when the user moves the outline, so that no cache shows the former crop.
    static func crop(_ id: RowID<Detection>, outline: String) -> ServerPath {
        let hash = SHA256.hash(data: Data(outline.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return "/api/v1/detections/\(id)/crop?v=\(String(hash, radix: 36))"
    }
}

package enum CoverURL {
    package static func of(_ file: String) -> ServerPath { "/api/v1/covers/\(file)" }
}

/// Entity tags of library revisions.
package enum RevisionTag {
    package static func of(_ revision: Int) -> String { "r\(revision)" }

    /// Returns the revision of a tag without quotes; nil if it is not one of a revision.
    package static func revision(_ tag: String) -> Int? { tag.hasPrefix("r") ? Int(tag.dropFirst()) : nil }
}
