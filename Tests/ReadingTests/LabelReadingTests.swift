import Foundation
import Imaging
import Reading
import ShelfRendering
import ShelflistAPI
import TestSupport
import Testing

extension Reading { @Suite("Labels of shelves in a photo") struct LabelReadingTests {} }

extension Reading.LabelReadingTests {
    /// Pixels of the example photo, 4,000 pixels wide, for a millimetre of its front.
    private static let millimetre = 6.4
    /// The height of the middle of the upper board's front edge, as a fraction of the photo.
    private static let edge = 0.506

    /// The example photo with labels on the edge of its upper board, and the codes that are read in it.
    ///
    /// - Parameter labels: with the place from the left, as a fraction of the photo, and the height of capitals in mm.
    private func read(
        _ labels: [(code: String, x: Double, capitals: Double)], _ change: (inout DrawnLabel) -> Void = { _ in }
    ) async throws -> ScannedPhoto {
        var image = try PhotoDecoder.decode(ExampleScan.bytes()).image
        let typeface = try Typeface(file: ExampleScan.installation().labelFont)
        for label in labels {
            let middle = PixelPoint(x: label.x * Double(image.width), y: Self.edge * Double(image.height))
            var drawn = DrawnLabel(label.code, at: middle, capitals: label.capitals * Self.millimetre)
            change(&drawn)
            image.draw(drawn, in: typeface)
        }
        return try await ExampleScan.scanner().read(JPEGCodec.encode(image, quality: 88), name: "labels.jpg")
    }

    private func codes(_ photo: ScannedPhoto) -> [String] {
        (photo.labels ?? []).sorted { $0.outline.boundingBox.x < $1.outline.boundingBox.x }.map(\.code)
    }

    private func hasBookOfLabel(_ photo: ScannedPhoto) -> Bool {
        photo.books.contains { book in
            book.text.contains { $0.text.uppercased().contains("SL-") || $0.text.uppercased().hasPrefix("SL ") }
        }
    }

    private static let five = [11, 222, 3_333, 44_444, 55_555].map { PlaceCode(number: $0).description }

    @Test(
        "Codes with capitals of 4 to 8 mm are read, two of one shelf too, and none becomes a book", .whenReadingChanges)
    func sizes() async throws {
        let labels = [(0.1, 4.0), (0.3, 5), (0.5, 6.5), (0.7, 8)].enumerated().map {
            (code: Self.five[$0], x: $1.0, capitals: $1.1)
        }
        let photo = try await read(labels + [(code: Self.five[0], x: 0.9, capitals: 5)])
        #expect(codes(photo) == Array(Self.five.prefix(4)) + [Self.five[0]])
        #expect(!hasBookOfLabel(photo))
        let middle = try #require(photo.labels?.first { $0.code == Self.five[1] }?.outline.boundingBox)
        #expect(abs(middle.x + middle.width / 2 - 0.3) < 0.02 && abs(middle.y + middle.height / 2 - Self.edge) < 0.02)
    }

    @Test("Slanted codes are read", .whenReadingChanges, arguments: [-5.0, 5])
    func slanted(slant: Double) async throws {
        let labels = [0.2, 0.5, 0.8].enumerated().map { (code: Self.five[$0], x: $1, capitals: 6.0) }
        let photo = try await read(labels) { $0.slant = slant }
        #expect(codes(photo) == Array(Self.five.prefix(3)))
        #expect(!hasBookOfLabel(photo))
    }

    @Test("A blurred code is read or not read, but never as another one", .whenReadingChanges, arguments: [3, 8])
    func blurred(reach: Int) async throws {
        let labels = [0.2, 0.5, 0.8].enumerated().map { (code: Self.five[$0], x: $1, capitals: 6.0) }
        let photo = try await read(labels) { $0.blur = reach }
        #expect(Set(codes(photo)).isSubset(of: Self.five.prefix(3)))
        if reach == 3 { #expect(codes(photo).count == 3) }
    }

    @Test("A half covered code and one with a wrong letter are not codes", .whenReadingChanges)
    func invalid() async throws {
        var wrong = Array(Self.five[0])
        wrong[4] = wrong[4] == "7" ? "9" : "7"
        let labels = [
            (code: Self.five[1], x: 0.2, capitals: 6.0), (code: String(wrong), x: 0.5, capitals: 6),
            (code: Self.five[2], x: 0.8, capitals: 6),
        ]
        let photo = try await read(labels) { if $0.text == Self.five[1] { $0.covered = 0.5 } }
        #expect(codes(photo) == [Self.five[2]])
    }
}
