import Bibliography
import Concurrency
import Dispatch
package import Foundation
import Imaging
package import Library
import Reading
import ShelflistAPI
import Storage

/// Pictures made from a job's photos when they are asked for, and kept beside them.
package struct JobPictures: Sendable {
    private let jobs: ScanJobs
    private let annotator: PhotoAnnotator
    private let photos = PictureCache()
    /// The long side of the small picture that is shown while titles are being found.
    private static let segmentedLongSide = 1280

    /// - Throws: `TypefaceError` where the font cannot be opened.
    package init(jobs: ScanJobs, labelFont: URL) throws {
        self.jobs = jobs
        annotator = try PhotoAnnotator(labelFont: labelFont)
    }

    /// JPEG of a whole photo, without the place, the time and other metadata of the upload; `nil` where the photo is not
    /// here or cannot be decoded.
    package func original(_ photo: Int, of job: String) async throws -> [UInt8]? {
        try await withTaskExecutorPreference(BlockingExecutor.interactive) {
            guard let bytes = try bytes(of: try await jobs.file(photo, of: job)) else { return nil }
            do {
                return try PictureCodec.withoutMetadata(bytes, limits: jobs.limits.photo)
            } catch is ImageError {
                return nil
            }
        }
    }

    /// JPEG with the spines outlined and numbered and a legend below; `nil` where the photo is not read yet.
    package func annotated(_ photo: Int, of job: String) async throws -> [UInt8]? {
        try await made("annotated", photo, of: job) { image, result in
            try PictureCodec.jpeg(annotator.annotate(image, books: result.annotatedBooks), quality: 85)
        }
    }

    /// Small JPEG with the spines drawn, without words; `nil` where they are not found yet.
    ///
    /// Kept once the photo is read; until then drawn from what is known of the spines.
    package func segmented(_ photo: Int, of job: String) async throws -> [UInt8]? {
        let kept = try await made("segmented", photo, of: job) { image, result in
            try Self.drawn(result.books.map { ($0.quad, TierMark($0.tier)) }, into: image)
        }
        if let kept { return kept }
        let key = PhotoKey(job: job, photo: photo)
        guard let found = try await jobs.log.read({ try $0.spines(of: key) }) else { return nil }
        return try await withTaskExecutorPreference(BlockingExecutor.interactive) {
            guard let image = try await image(photo, of: job) else { return nil }
            // Nothing is known of how sure they are.
            return try Self.drawn(found.spines.map { ($0.quad, TierMark(.verify)) }, into: image)
        }
    }

    private static func drawn(_ spines: [(quad: UnitQuad, mark: TierMark)], into image: RGBImage) throws -> [UInt8] {
        var small = image.fitted(longSide: segmentedLongSide)
        let line = max(1.5, Double(small.size.longSide) / 500)
        for (quad, mark) in spines {
            mark.drawOutline(Path(quad.pixels(in: small.size)), width: line, on: &small)
        }
        return try PictureCodec.jpeg(small, quality: 75)
    }

    /// The spine of a book, upright as in the photo or turned; `nil` for an unknown book.
    ///
    /// - Parameter longSide: of the crop, in pixels; a smaller crop is not enlarged.
    package func crop(
        of book: String, in job: String, turn: SpineTurn, longSide: Int
    ) async throws -> [UInt8]? {
        guard let found = try await jobs.log.book(book, of: job) else { return nil }
        let file = try await jobs.file(found.photo, of: job)
        do {
            let photo = try await photos.picture(file.path) {
                try PictureCodec.decode([UInt8](try Data(contentsOf: file)), workingPixels: PictureCache.pixels).image
            }
            return try await BlockingExecutor.interactive.run {
                let crop = SpineCrop.image(of: found.book.quad, in: photo, turn: turn, longSide: longSide)
                return try PictureCodec.jpeg(crop, quality: 85)
            }
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    private func made(
        _ name: String, _ photo: Int, of job: String, _ make: (RGBImage, ScannedPhoto) throws -> [UInt8]
    ) async throws -> [UInt8]? {
        let file = jobs.files.picture(name, of: photo, job: job)
        let key = PhotoKey(job: job, photo: photo)
        return try await withTaskExecutorPreference(BlockingExecutor.interactive) {
            // A picture that a power failure left empty is made again.
            if let bytes = try bytes(of: file), !bytes.isEmpty { return bytes }
            guard let result = try await jobs.log.read({ try $0.result(of: key) }),
                let image = try await image(photo, of: job)
            else { return nil }
            let picture = try make(image, result)
            try DurableFile.write(picture, to: file, as: .cache)
            // The books may have changed while they were drawn.
            let isCurrent = try await jobs.log.read({ try $0.result(of: key) })?.books == result.books
            if !isCurrent { try jobs.files.removePictures(of: photo, job: job) }
            return picture
        }
    }

    private func image(_ photo: Int, of job: String) async throws -> RGBImage? {
        try bytes(of: try await jobs.file(photo, of: job)).map {
            try PictureCodec.decode($0, workingPixels: 12_000_000).image
        }
    }

    private func bytes(of file: URL) throws -> [UInt8]? {
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }
}
