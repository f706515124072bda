import Foundation
import Imaging
import Storage

/// Smaller copies of large photos, sufficient for showing spines: a photo of 12 megapixels takes three times as long
/// to decode.
///
/// They are stored upright in `cache/spines/` under the photo's name, can be recreated at any time, and are not backed
/// up.
struct SmallPhotos: Sendable {
    let folder: URL

    /// Photos with more pixels get a copy, which has at most this many.
    private static let pixels = PictureCache.pixels

    init(_ library: LibraryFolder) {
        folder = library.url.appending(path: "cache/spines", directoryHint: .isDirectory)
    }

    private func copy(of file: String) -> URL { PictureName.url(file, in: folder) }

    /// Returns the bytes of the copy, or `nil` if there is none.
    func bytes(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: copy(of: file).path).map { [UInt8]($0) }
    }

    /// Stores a copy of a photo that was decoded to at most `PictureCache.pixels`.
    ///
    /// Errors are ignored, because a missing copy only costs time later.
    func keep(_ photo: DecodedPhoto, of file: String) {
        guard photo.originalSize.area > Self.pixels else { return }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try DurableFile.write(try PictureCodec.jpeg(photo.image, quality: 88), to: copy(of: file), as: .cache)
        } catch {
            forget(file)
        }
    }

    func forget(_ file: String) { unlink(copy(of: file).path) }

    /// Deletes copies whose photo is gone.
    func trim(keeping photos: URL) {
        // If the folder does not exist, there are no copies.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where !FileManager.default.fileExists(atPath: photos.appending(path: name).path) {
            forget(name)
        }
    }
}
