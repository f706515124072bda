package import Foundation
import Imaging
package import Reading
package import ShelflistAPI
import SpineReading
import Synchronization

/// What the reading models found in a photo: its text, but not its books, which are identified again each time.
///
/// `Scripts/web/record.sh` writes the records in `Tests/Recorded`, and `RecordedPhotoTests` compares them with the reader.
package struct RecordedPhoto: Codable, Sendable {
    private struct Line: Codable {
        var text: String
        var score: Double
        /// Eight numbers, x and y in pixels of the corners in the reading direction.
        var quad: [Double]
    }

    /// The long side, in pixels, to which the web app scales photos before it uploads them.
    package static let uploadedLongSide = 3072
    /// In percent, that of the web app.
    private static let uploadedQuality = 86

    package var fingerprint: PhotoFingerprint
    private var turn: QuarterTurn
    private var quality: PhotoQuality
    /// The outlines that are reported before the text is read.
    package var spines: [SpineOutline]
    private var lines: [Line]

    /// Returns a scanner that reads the same on all processors.
    package static func scanner(_ installation: Installation, cache: URL? = nil) throws -> PhotoScanner {
        var installation = installation
        installation.namedPrecision = .single
        return try PhotoScanner(installation: installation, cache: cache)
    }

    /// Reads a photo.
    ///
    /// - Throws: as `PhotoScanner.readText`; `UnsuitablePhoto` for a photo that is read with filters.
    package init(_ bytes: [UInt8], with scanner: PhotoScanner) async throws {
        let sketch = Mutex<[SpineOutline]>([])
        let text = try await scanner.readText(bytes, scanner.request(nil)) { progress in
            if case .spines(let spines) = progress { sketch.withLock { $0 = spines } }
        }
        guard text.filters == nil, text.size == text.originalSize else { throw UnsuitablePhoto() }
        fingerprint = PhotoFingerprint(try PhotoDecoder.decode(bytes).image)
        turn = text.shelf.turn
        quality = text.quality
        spines = sketch.withLock { $0 }
        lines = text.shelf.lines.map { line in
            Line(
                text: line.text, score: line.score.rounded(to: 10_000),
                quad: line.quad.corners.flatMap { [$0.x.rounded(to: 10), $0.y.rounded(to: 10)] })
        }
    }

    /// Reads a photo as it is and, where the web app uploads a smaller one, as that.
    ///
    /// - Returns: the records by name.
    package static func records(
        of bytes: [UInt8], named name: String, with scanner: PhotoScanner
    ) async throws -> [String: RecordedPhoto] {
        var records = [name: try await RecordedPhoto(bytes, with: scanner)]
        let image = try PhotoDecoder.decode(bytes).image
        guard image.size.longSide > uploadedLongSide else { return records }
        let uploaded = try JPEGCodec.encode(image.fitted(longSide: uploadedLongSide), quality: uploadedQuality)
        records["\(name)-uploaded"] = try await RecordedPhoto(uploaded, with: scanner)
        return records
    }

    /// The texts that were read, each with the middle of its line in fractions of the photo.
    package var texts: [(text: String, score: Double, x: Double, y: Double)] {
        lines.map { line in
            let (xs, ys) = (
                stride(from: 0, to: 8, by: 2).map { line.quad[$0] }, stride(from: 1, to: 8, by: 2).map { line.quad[$0] }
            )
            return (
                line.text, line.score, xs.reduce(0, +) / 4 / Double(fingerprint.size.width),
                ys.reduce(0, +) / 4 / Double(fingerprint.size.height)
            )
        }
    }

    /// Returns the text as the reader returns it; the edges are those of the uploaded picture.
    func text(in image: RGBImage) -> PhotoText {
        let lines = lines.map { line in
            let points = (0..<4).map { PixelPoint(x: line.quad[2 * $0], y: line.quad[2 * $0 + 1]) }
            return TextLine(
                text: line.text, score: line.score, quad: Quad(points[0], points[1], points[2], points[3]))
        }
        return PhotoText(
            originalSize: image.size, size: image.size,
            shelf: ReadShelf(lines: lines, turn: turn, edges: ShelfEdges(of: ImagePyramid(image), turn: turn)),
            quality: quality, filters: nil, decodeSeconds: 0, seconds: 0)
    }
}

/// A photo that cannot be recorded: it is read at another size than its own, or with filters.
package struct UnsuitablePhoto: Error {}

extension Double {
    fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
}

/// All records.
package struct RecordedPhotos: Sendable {
    private let photos: [String: RecordedPhoto]

    /// Reads the records of a folder.
    package init(_ folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        photos = try Dictionary(
            uniqueKeysWithValues: files.map { file in
                (
                    file.deletingPathExtension().lastPathComponent,
                    try JSONDecoder().decode(RecordedPhoto.self, from: Data(contentsOf: file))
                )
            })
    }

    /// Returns the record of a picture.
    ///
    /// - Throws: `UnknownPhoto` unless exactly one record matches.
    func photo(_ image: RGBImage) throws -> RecordedPhoto { try only(image) { $0.matches($1) } }

    /// Returns the record of a picture of another size.
    ///
    /// - Throws: `UnknownPhoto` unless exactly one record, or several of one picture, match.
    func frame(_ image: RGBImage) throws -> RecordedPhoto { try only(image, orFirst: true) { $0.looks(like: $1) } }

    private func only(
        _ image: RGBImage, orFirst: Bool = false, where matches: (PhotoFingerprint, PhotoFingerprint) -> Bool
    ) throws -> RecordedPhoto {
        let wanted = PhotoFingerprint(image)
        let found = photos.values.filter { matches($0.fingerprint, wanted) }
        guard let first = found.first, orFirst || found.count == 1 else {
            let differences = photos.map { "\($0.key) \($0.value.fingerprint.difference(to: wanted))" }.sorted()
            throw UnknownPhoto(size: wanted.size, found: found.count, differences: differences)
        }
        return first
    }
}

/// A picture without a record, or with several.
struct UnknownPhoto: Error, CustomStringConvertible {
    let size: PixelSize
    let found: Int
    let differences: [String]

    var description: String {
        "\(found) records match a picture of \(size.width) × \(size.height) pixels. Record it with "
            + "Scripts/web/record.sh. Differences: \(differences.joined(separator: ", "))"
    }
}
