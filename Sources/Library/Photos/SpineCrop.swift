import Foundation
import GRDB
package import Imaging
import ShelflistAPI

/// How a spine is cut out of its photo.
package struct SpineCropOptions: Hashable, Sendable {
    /// Around the spine, as a fraction of its shorter side.
    package var margin: Double
    package var turn: SpineTurn
    /// Pixels; smaller spines are not made larger.
    package var longSide: Int

    package init(margin: Double = 0.08, turn: SpineTurn = .asItStands, longSide: Int = 1024) {
        self.margin = margin
        self.turn = turn
        self.longSide = longSide
    }
}

/// How a standing spine is shown; one that lies is never turned.
package enum SpineTurn: String, Codable, CaseIterable, Sendable {
    case asItStands
    /// Text that runs down, as in English and German, reads from left to right.
    case textRunningDown
    /// Text that runs up, as often in French and Spanish, reads from left to right.
    case textRunningUp
}

extension LibraryStore {
    /// The picture of one spine, straightened, from the stored photo.
    ///
    /// - Throws: `LibraryError.notFound`; `.notPossible` where the photo was cleaned up; `ImageError`.
    package func spineCrop(
        _ detection: RowID<Detection>, _ options: SpineCropOptions = SpineCropOptions()
    ) async throws -> RGBImage {
        let (place, photo) = try await read { db in
            let detection = try db.detection(detection.rawValue)
            return (detection, try db.photo(detection.photo.rawValue))
        }
        return try await spineCrop(of: place.quad, or: place.boundingBox, in: photo, options)
    }

    /// Begins to decode the photos of these items, so that their first spines come as fast as the next ones.
    ///
    /// To be called with the page of the queue that is about to be shown; returns at once.
    package func prepareSpines(of items: [ReviewItem]) {
        var photos: [RowID<Photo>] = []
        for photo in items.compactMap(\.detection?.photo) where !photos.contains(photo) { photos.append(photo) }
        let wanted = photos.prefix(2)
        Task.detached(priority: .utility) {
            for id in wanted {
                // Whoever asks for the spine is told what is wrong with its photo.
                do { _ = try await picture(of: try await photo(id)) } catch {}
            }
        }
    }

    /// As JPEG, for showing.
    // Inlined into another module's asynchronous function, it makes Swift 6.3.1 crash while splitting coroutines.
    @inline(never)
    package func spineJPEG(
        _ detection: RowID<Detection>, _ options: SpineCropOptions = SpineCropOptions()
    ) async throws -> [UInt8] {
        let crop = try await spineCrop(detection, options)
        return try JPEGCodec.encode(crop, quality: 85)
    }

    func spineCrop(
        of quad: UnitQuad?, or box: UnitRect, in photo: Photo, _ options: SpineCropOptions
    ) async throws -> RGBImage {
        let image = try await picture(of: photo)
        return SpineCrop.cut(quad, or: box, of: image, options)
    }

    /// The decoded photo.
    ///
    /// - Parameter pixels: at most so many; nil for what is enough to show spines, which is kept for the next one.
    func picture(of photo: Photo, pixels: Int? = nil) async throws -> RGBImage {
        guard let file = photo.file else {
            throw LibraryError.notPossible(
                "The photo was deleted after its books were reviewed; the spine cannot be shown.")
        }
        let url = folder.photo(file)
        let small = SmallPhotos(folder)
        let decode: @Sendable () throws -> RGBImage = {
            // A copy that is damaged is as good as none.
            if pixels == nil, let copy = small.bytes(of: file), let photo = try? PhotoDecoder.decode(copy) {
                return photo.image
            }
            guard let data = FileManager.default.contents(atPath: url.path) else {
                throw LibraryError.file(url.path, reason: "The photo cannot be read. Scan the shelf again.")
            }
            // What is stored was within the limits when it came.
            let photo = try PhotoDecoder.decode(
                Array(data), limits: PhotoLimits(maxBytes: 200_000_000),
                workingPixels: pixels ?? SpineCropCache.pixels)
            // For the next time, when this one has been shown.
            if pixels == nil { Task.detached(priority: .utility) { small.keep(photo, of: file) } }
            return photo.image
        }
        if pixels != nil { return try await Task.detached { try decode() }.value }
        return try await crops.picture(file, decode: decode)
    }
}

/// Cutting spines out.
enum SpineCrop {
    static func cut(_ quad: UnitQuad?, or box: UnitRect, of image: RGBImage, _ options: SpineCropOptions) -> RGBImage {
        let outline = (quad?.pixels(in: image.size) ?? Quad(box.pixels(in: image.size)))
            .grown(by: options.margin)
        let (width, height) = (max(1, outline.length), max(1, outline.height))
        let scale = min(1, Double(options.longSide) / max(width, height))
        let size = PixelSize(
            width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())))
        let upright = image.warped(outline, to: size)
        guard size.height > size.width else { return upright }
        return switch options.turn {
        case .asItStands: upright
        case .textRunningDown: upright.turned(.threeQuarters)
        case .textRunningUp: upright.turned(.quarter)
        }
    }
}

extension Quad {
    /// Larger on all sides by a fraction of the shorter side.
    fileprivate func grown(by fraction: Double) -> Quad {
        let margin = fraction * min(length, height)
        let right = direction.unit
        let down = ((bottomLeft + bottomRight) * 0.5 - (topLeft + topRight) * 0.5).unit
        return Quad(
            topLeft - right * margin - down * margin, topRight + right * margin - down * margin,
            bottomRight + right * margin + down * margin, bottomLeft - right * margin + down * margin)
    }
}

extension PixelPoint {
    fileprivate var unit: PixelPoint {
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? self * (1 / length) : PixelPoint(x: 0, y: 0)
    }
}

/// The photos decoded last: the spines of a queue come from few photos, one after another.
actor SpineCropCache {
    /// Enough for spines as a phone shows them; with this limit a JPEG of 12 megapixels is decoded at half its size.
    static let pixels = 4_000_000
    private static let capacity = 4

    private var pictures: [(file: String, image: Task<RGBImage, any Error>)] = []

    func picture(_ file: String, decode: @escaping @Sendable () throws -> RGBImage) async throws -> RGBImage {
        if let index = pictures.firstIndex(where: { $0.file == file }) {
            let known = pictures.remove(at: index)
            pictures.append(known)
            return try await known.image.value
        }
        let task = Task.detached { try decode() }
        pictures.append((file, task))
        if pictures.count > Self.capacity { pictures.removeFirst() }
        do {
            return try await task.value
        } catch {
            pictures.removeAll { $0.file == file }
            throw error
        }
    }

    func forget(_ file: String) { pictures.removeAll { $0.file == file } }
}
