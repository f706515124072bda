import Foundation
import Imaging
import Reading
import Terminal

/// Writes the pictures of `--annotate`: each photo with its spines outlined, numbered as in the table.
struct PhotoAnnotation: Sendable {
    private let annotator: PhotoAnnotator
    private let destinations: [URL]

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: if the folder cannot be created or the label font cannot be read.
    init(folder: String, photos: [PhotoFile], labelFont: URL) throws {
        annotator = try PhotoAnnotator(labelFont: labelFont)
        destinations = try Self.destinations(in: folder, photos: photos)
    }

    /// Returns where the picture of each photo is written; creates the folder if it does not exist.
    ///
    /// - Throws: `CommandError`.
    static func destinations(in folder: String, photos: [PhotoFile]) throws -> [URL] {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandError(
                "The folder cannot be made. Name one that you may write to and that is not a file.", path: folder)
        }
        return AnnotatedNames.names(for: photos.map(\.path), in: folder).map { URL(filePath: $0) }
    }

    /// - Throws: `ImageError`.
    func picture(of bytes: [UInt8], result: ScannedPhoto, photo index: Int) throws -> AnnotatedPicture {
        let jpeg = try annotator.jpeg(of: bytes, books: result.annotatedBooks)
        return AnnotatedPicture(destination: destinations[index], jpeg: jpeg)
    }
}

extension PhotoAnnotator {
    /// Returns the photo with the spines outlined, as JPEG.
    ///
    /// - Throws: `ImageError`.
    func jpeg(of photo: [UInt8], limits: PhotoLimits = PhotoLimits(), books: [AnnotatedBook]) throws -> [UInt8] {
        // Slightly more than the 2,400 pixels of length that the annotator needs.
        let image = try PhotoDecoder.decode(photo, limits: limits, workingPixels: 6_000_000).image
        return try JPEGCodec.encode(annotate(image, books: books), quality: 88)
    }
}

/// A finished picture that is not yet on disk.
struct AnnotatedPicture: Sendable {
    let destination: URL
    let jpeg: [UInt8]

    /// Writes to a temporary name first, so that the file is never incomplete.
    ///
    /// - Throws: `CommandError`.
    func write() throws {
        do {
            try Data(jpeg).write(to: destination, options: .atomic)
        } catch {
            throw CommandError(
                "The annotated photo \(destination.path) could not be written. Check the folder's "
                    + "permissions and the free space.")
        }
    }
}

package enum AnnotatedNames {
    /// Returns `FOLDER/NAME-annotated.jpg` for each photo, with a number if several photos have the same name.
    ///
    /// Never returns the name of one of the photos, so that originals are not overwritten.
    package static func names(for photos: [String], in folder: String) -> [String] {
        var taken = Set(photos.map(resolved))
        return photos.map { photo in
            let stem = URL(filePath: photo).deletingPathExtension().lastPathComponent
            let candidates = (1...).lazy.map { number in
                URL(filePath: folder).appending(path: "\(stem)-annotated\(number == 1 ? "" : "-\(number)").jpg").path
            }
            let name = candidates.first { !taken.contains(resolved($0)) } ?? stem
            taken.insert(resolved(name))
            return name
        }
    }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
