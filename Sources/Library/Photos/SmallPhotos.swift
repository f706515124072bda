import Foundation
import Imaging

/// Smaller copies of large photos, enough for showing their spines: a photo of 12 megapixels takes three times as long to
/// decode.
///
/// They lie in `cache/spines/` under the photo's name, upright, can be made again at any time, and are in no backup.
struct SmallPhotos: Sendable {
    let folder: URL

    /// Photos above this have a copy, with as many pixels at most.
    private static let pixels = PictureCache.pixels

    init(_ library: LibraryFolder) {
        folder = library.url.appending(path: "cache/spines", directoryHint: .isDirectory)
    }

    private func copy(of file: String) -> URL { folder.appending(path: file) }

    /// The bytes of the copy; nil where there is none.
    func bytes(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: copy(of: file).path).map { [UInt8]($0) }
    }

    /// Keeps a copy of a photo that was decoded to at most `PictureCache.pixels`.
    ///
    /// A copy that cannot be made or written costs time later, and nothing else.
    func keep(_ photo: DecodedPhoto, of file: String) {
        guard photo.originalSize.area > Self.pixels else { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(try PictureCodec.jpeg(photo.image, quality: 88)).write(to: copy(of: file), options: .atomic)
        } catch {
            forget(file)
        }
    }

    func forget(_ file: String) { unlink(copy(of: file).path) }

    /// Deletes copies whose photo is gone.
    func trim(keeping photos: URL) {
        // Where there is no folder, there are no copies.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where !FileManager.default.fileExists(atPath: photos.appending(path: name).path) {
            forget(name)
        }
    }
}
