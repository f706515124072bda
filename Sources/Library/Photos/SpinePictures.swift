import Concurrency
import Foundation
import Imaging
import ShelflistAPI
import Storage

extension LibraryStore {
    /// Returns the picture of one spine as JPEG, rectified, from the stored photo or, if it was deleted, its shelf picture.
    ///
    /// - Parameter longSide: the long side of the crop, in pixels; smaller spines are not enlarged.
    /// - Throws: `LibraryError.notFound`; `.notPossible` if neither is stored; `ImageError`.
    // Inlined into another module's asynchronous function, it makes Swift 6.3.1 crash while splitting coroutines.
    @inline(never)
    package func spineJPEG(
        _ id: RowID<Detection>, turn: SpineTurn = .none, longSide: Int = 1024
    ) async throws -> [UInt8] {
        let (detection, photo) = try await read { db in
            let detection = try db.detection(id)
            return (detection, try db.photo(detection.photo))
        }
        let image = try await picture(of: photo)
        return try await BlockingExecutor.interactive.run {
            let outline = detection.quad ?? UnitQuad(detection.boundingBox)
            let crop = SpineCrop.image(of: outline, in: image, turn: turn, longSide: longSide)
            return try PictureCodec.jpeg(crop, quality: 85)
        }
    }

    /// Returns the photo, decoded at the size for showing spines; cached.
    func picture(of photo: Photo) async throws -> RGBImage {
        let file = try fileName(of: photo)
        let small = SmallPhotos(folder)
        return try await pictures.picture(file) {
            // A damaged copy is treated as missing.
            if let copy = small.bytes(of: file), let photo = try? PictureCodec.decode(copy) { return photo.image }
            let photo = try decodePhoto(file, pixels: PictureCache.pixels)
            // Creates the copy for later requests without delaying this one.
            Task(priority: .utility) { await BlockingExecutor.background.run { small.keep(photo, of: file) } }
            return photo.image
        }
    }

    /// Returns the photo with as many pixels as the reader uses.
    func wholePicture(of photo: Photo) async throws -> RGBImage {
        let file = try fileName(of: photo)
        return try await BlockingExecutor.interactive.run { try decodePhoto(file, pixels: 26_000_000).image }
    }

    private func fileName(of photo: Photo) throws -> String {
        guard let file = photo.shownFile else {
            throw LibraryError.notPossible(
                "The photo was deleted after its books were reviewed. Scan the shelf again to show its spines.")
        }
        return file
    }

    func decodePhoto(_ file: String, pixels: Int) throws -> DecodedPhoto {
        let url = folder.photo(file)
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw StorageError.file(url.path, reason: "The photo cannot be read. Scan the shelf again.")
        }
        // The stored photo was within the limits when it was imported.
        return try PictureCodec.decode(
            Array(data), limits: PhotoLimits(maxBytes: 200_000_000), workingPixels: pixels)
    }
}
