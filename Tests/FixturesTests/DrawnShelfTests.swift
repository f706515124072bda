import Fixtures
import Foundation
import Imaging
import ShelfRendering
import ShelflistAPI
import Testing

@Suite("Drawn shelves")
struct DrawnShelfTests {
    private static let size = PixelSize(width: 640, height: 480)

    @Test("The random numbers are those of SplitMix64")
    func generator() {
        var random = SeededGenerator(seed: 1_234_567)
        #expect([random.next(), random.next()] == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973])
    }

    @Test("The same seed draws the same picture, and another seed another picture")
    func deterministic() throws {
        func photograph(seed: UInt64) throws -> DrawnPhoto {
            try DrawnShelf(books: [book(.topToBottom), book(.upright)], seed: seed)
                .photograph(size: PixelSize(width: 240, height: 180))
        }
        let first = try photograph(seed: 5)
        #expect(try photograph(seed: 5).image == first.image)
        #expect(try photograph(seed: 6).image != first.image)
    }

    @Test(
        "The truth's box is where the spine's color is for every camera",
        arguments: [
            DrawnCamera(), DrawnCamera(tilt: 4), DrawnCamera(tilt: -4), DrawnCamera(right: 25, up: 12),
            DrawnCamera(distance: 60, right: -12), DrawnCamera(aimRight: 4, aimUp: -3, fill: 0.8),
            DrawnCamera(brightness: 0.5), DrawnCamera(noise: 6, blur: 4),
        ])
    func boxes(_ camera: DrawnCamera) throws {
        var red = book(.topToBottom)
        red.design.bands = [SpineBand(0...1, RGBColor(0xC01818))]
        let photo = try DrawnShelf(books: [book(.bottomToTop), red, book(.upright)], camera: camera)
            .photograph(size: DrawnShelfTests.size)
        try expectRed(photo, around: photo.truth.books[1].box)
    }

    @Test("A turned photo has its boxes turned with it", arguments: QuarterTurn.allCases)
    func turned(_ turn: QuarterTurn) throws {
        var red = book(.topToBottom)
        red.design.bands = [SpineBand(0...1, RGBColor(0xC01818))]
        let photo = try DrawnShelf(books: [book(.bottomToTop), red]).photograph(size: DrawnShelfTests.size).turned(turn)
        #expect(photo.truth.width == photo.image.width && photo.truth.height == photo.image.height)
        try expectRed(photo, around: photo.truth.books[1].box)
        let expected: [QuarterTurn: TextDirection] = [
            .none: .topToBottom, .quarter: .upsideDown, .half: .bottomToTop, .threeQuarters: .upright,
        ]
        #expect(photo.truth.books[1].orientation == expected[turn])
    }

    @Test("Standing books have their own reading direction", arguments: TextDirection.allCases)
    func directions(_ direction: TextDirection) throws {
        let photo = try DrawnShelf(books: [book(direction)]).photograph(size: PixelSize(width: 120, height: 160))
        #expect(photo.truth.books.map(\.orientation) == [direction])
    }

    @Test("Leaning books take more room than their thickness and touch their neighbor", arguments: [12.0, -12])
    func leaning(_ lean: Double) throws {
        var leaning = book(.topToBottom)
        leaning.lean = lean
        let books = lean > 0 ? [book(.upright), leaning] : [leaning, book(.upright)]
        let boxes = try DrawnShelf(books: books).photograph(size: DrawnShelfTests.size).truth.books.map(\.box)
        let (leaner, upright) = lean > 0 ? (boxes[1], boxes[0]) : (boxes[0], boxes[1])
        #expect(leaner.width > 2 * upright.width)
        // They touch, up to perspective.
        let gap = boxes[1].x - boxes[0].x - boxes[0].width
        #expect(abs(gap) < 0.02)
    }

    @Test("Books of a stack are on top of each other and read upright")
    func stack() throws {
        let shelf = DrawnShelf(
            compartments: [
                Compartment(height: 24, items: [.stack([book(.topToBottom), book(.bottomToTop), book(.topToBottom)])])
            ],
            width: 30)
        let books = try shelf.photograph(size: DrawnShelfTests.size).truth.books
        #expect(books.allSatisfy { $0.orientation == .upright && $0.box.width > 3 * $0.box.height })
        for (above, below) in zip(books, books.dropFirst()) {
            #expect(abs(above.box.y + above.box.height - below.box.y) < 0.02)
        }
    }

    @Test("A text that the font cannot draw is named in the error")
    func missingLetter() {
        var strange = book(.topToBottom)
        strange.title = "Gödel 日本"
        let error = #expect(throws: MissingFontError.self) {
            try DrawnShelf(books: [strange]).photograph(size: PixelSize(width: 80, height: 60))
        }
        #expect(error?.description.contains("日") == true)
    }

    /// Red fills the middle of the box and is nowhere beside it.
    private func expectRed(_ photo: DrawnPhoto, around box: UnitRect) throws {
        func isRed(_ x: Double, _ y: Double) -> Bool {
            let x = min(max(Int(x * Double(photo.image.width)), 0), photo.image.width - 1)
            let y = min(max(Int(y * Double(photo.image.height)), 0), photo.image.height - 1)
            let color = photo.image[x, y]
            return Int(color.red) > 2 * max(Int(color.green), Int(color.blue)) + 24
        }
        let reds = (0..<photo.image.size.area).compactMap { i -> PixelPoint? in
            let point = PixelPoint(x: Double(i % photo.image.width) + 0.5, y: Double(i / photo.image.width) + 0.5)
            return isRed(point.x / Double(photo.image.width), point.y / Double(photo.image.height)) ? point : nil
        }
        let seen = try #require(Path(polygon: reds).bounds)
        let overlap = seen.overlap(with: box.pixels(in: photo.image.size))
        #expect(overlap > 0.93, "seen \(seen), box \(box.pixels(in: photo.image.size))")
        #expect(isRed(box.x + box.width / 2, box.y + box.height * 0.97))
    }

    private func book(_ direction: TextDirection) -> DrawnBook {
        DrawnBook(
            "Emma", by: nil, thickness: 3.4, height: 20,
            design: SpineDesign(
                .cloth, ground: RGBColor(0x2A4B7C), ink: .white, title: TextStyle(.garamond, direction, size: 0.3),
                author: TextStyle(.garamond)))
    }
}

@Suite("The example photo")
struct ExamplePhotoTests {
    @Test("The example's truth matches the shelf it was drawn from")
    func upToDate() throws {
        let truth = try ExamplePhoto.truth()
        let drawn = try DrawnShelf.example.photograph(size: PixelSize(width: 800, height: 600)).truth
        #expect(truth.books.map(\.title) == DrawnShelf.example.books.map(\.title))
        for (written, now) in zip(truth.books, drawn.books) {
            #expect(written.author == now.author && written.orientation == now.orientation)
            #expect(abs(written.box.x - now.box.x) < 0.001 && abs(written.box.height - now.box.height) < 0.001)
        }
    }

    @Test("The example photo has the size of its truth and is small enough to store")
    func photo() throws {
        let (truth, bytes) = (try ExamplePhoto.truth(), try Data(contentsOf: ExamplePhoto.photo()))
        #expect(bytes.count < 1_500_000)
        let photo = try PhotoDecoder.decode([UInt8](bytes))
        #expect(photo.originalSize == PixelSize(width: truth.width, height: truth.height))
        #expect(truth.photo == "shelf.jpg")
    }

    @Test("The example has books of every kind that the reader must know")
    func variety() throws {
        let books = try ExamplePhoto.truth().books
        #expect((22...26).contains(books.count))
        let count = { (kind: TextDirection) in books.count { $0.orientation == kind } }
        #expect(count(.stackedLetters) == 2)
        #expect(count(.bottomToTop) >= 3 && count(.topToBottom) >= 8 && count(.upright) >= 6)
        #expect(books.allSatisfy { $0.legible && $0.author != nil })
        #expect(Set(books.map(\.title)).count == books.count)
    }

    @Test("The example's boxes are inside the photo and hardly overlap")
    func boxes() throws {
        let boxes = try ExamplePhoto.truth().books.map(\.box)
        for (i, box) in boxes.enumerated() {
            #expect(box.x > 0 && box.y > 0 && box.x + box.width < 1 && box.y + box.height < 1)
            for other in boxes.dropFirst(i + 1) {
                let unit = PixelSize(width: 1, height: 1)
                #expect(box.pixels(in: unit).overlap(with: other.pixels(in: unit)) < 0.12)
            }
        }
    }

    @Test("The truth is written as the scoring script reads it")
    func format() throws {
        let truth = ShelfTruth(
            photo: "a.jpg", width: 4, height: 3,
            books: [
                TrueBook(
                    title: "Emma", author: nil, orientation: .stackedLetters,
                    box: UnitRect(x: 0.5, y: 0.25, width: 0.12345678, height: 0.5))
            ])
        let json = try #require(try JSONSerialization.jsonObject(with: truth.json()) as? [String: Any])
        let book = try #require((json["books"] as? [[String: Any]])?.first)
        #expect(book["author"] is NSNull && book["isbn"] is NSNull)
        #expect(book["orientation"] as? String == "stacked-letters")
        #expect(book["box"] as? [Double] == [0.5, 0.25, 0.1235, 0.5])
        #expect(try JSONDecoder().decode(ShelfTruth.self, from: truth.json()).books[0].title == "Emma")
    }
}
