import Fixtures
import Foundation
import Imaging
import Inference
import ShelflistAPI
import SpineReading
import TestSupport
import Testing

@Suite("Reading with the real models", .serialized, .blocks)
struct LocalReaderTests {
    private static let text = "Wuthering Heights"

    /// The one that is used on this machine, unless everything is tested; `ReadingPrecisionTests` checks the choice.
    private static let precisions =
        readsAllPhotos ? ReadingPrecision.allCases : [(try? .fastest()) ?? .native]

    @Test(
        "A printed line is read at its position in every direction and precision", arguments: QuarterTurn.allCases,
        precisions)
    func directions(_ turn: QuarterTurn, _ precision: ReadingPrecision) async throws {
        let font = try Typeface(file: SpineFont.garamond.file)
        var page = RGBImage(size: PixelSize(width: 900, height: 700), filledWith: RGBColor(0xF4EEDD))
        let run = font.run(LocalReaderTests.text, size: 60)
        page.write(run, at: PixelPoint(x: 200, y: 300), with: Paint(RGBColor(0x202020)))

        let read = try await reader(precision).read(ImagePyramid(page.turned(turn)))

        let line = try #require(read.lines.count == 1 ? read.lines[0] : nil)
        #expect(line.text == LocalReaderTests.text)
        #expect(line.score > 0.9)
        #expect(line.direction == ReadingDirection.upright.turned(turn))
        let ink = try #require(run.path.bounds)
        let written = PixelRect(x: 200 + ink.x, y: 300 + ink.y, width: ink.width, height: ink.height)
        let expected = Quad(written).map { turn.apply(to: $0, in: page.size) }
        #expect(line.quad.bounds.overlap(with: expected.bounds) > 0.6)
    }

    @Test(
        "A page of any proportions reads the same with one thread and with several", .whenReadingChanges,
        arguments: [(1600, 700), (700, 1600), (1900, 1900)])
    func proportions(_ width: Int, _ height: Int) async throws {
        let font = try Typeface(file: SpineFont.garamond.file)
        var page = RGBImage(size: PixelSize(width: width, height: height), filledWith: RGBColor(0xF4EEDD))
        for (row, text) in ["Persuasion", "Emma", "Middlemarch", "Villette", "Cranford"].enumerated() {
            page.write(
                font.run(text, size: 60), at: PixelPoint(x: 100, y: 100 + Double(row) * 110),
                with: Paint(RGBColor(0x202020)))
        }
        let alone = try await reader(threads: 1).read(ImagePyramid(page)).lines.map(\.text).sorted()
        let together = try await reader(threads: 3).read(ImagePyramid(page)).lines.map(\.text).sorted()
        #expect(alone == ["Cranford", "Emma", "Middlemarch", "Persuasion", "Villette"])
        #expect(together == alone)
    }

    @Test("A page without text has no lines", .whenReadingChanges)
    func blank() async throws {
        let page = RGBImage(size: PixelSize(width: 640, height: 480), filledWith: RGBColor(0x9A8A70))
        let read = try await reader().read(ImagePyramid(page))
        #expect(read.lines.isEmpty && read.turn == .none)
    }

    @Test(
        "The smallest pictures are read without an error", .whenReadingChanges, arguments: [(1, 1), (3, 500), (500, 3)])
    func tiny(_ width: Int, _ height: Int) async throws {
        let page = RGBImage(size: PixelSize(width: width, height: height))
        let read = try await reader().read(ImagePyramid(page))
        #expect(read.lines.isEmpty)
    }

    @Test(
        "Each recogniser has a character for each class but the blank and the space", .whenReadingChanges,
        arguments: ["recognition.onnx", "recognition-latin-int8.onnx", "recognition-tiny.onnx"])
    func characters(_ name: String) async throws {
        let file = try models().appending(path: name)
        let list = try #require(try ModelMetadata.value(of: "character", in: file))
        let model = try Model(contentsOf: file, budget: ComputeBudget(streams: 1, threads: 1))
        let blank = Tensor(shape: [1, 3, 48, 64], values: [Float](repeating: 0, count: 3 * 48 * 64))
        let classes = try await model.run(blank) { $0.shape[2] }
        #expect(CTCDecoder(characterList: list).classCount == classes)
    }

    /// The quick recogniser has Ş, which looks nearly the same and is equal in comparisons.
    @Test("A letter that the quick recogniser lacks is read, if only as its twin", .whenReadingChanges)
    func otherLetters() async throws {
        let text = "Ștefan cel Mare"
        let font = try Typeface(file: SpineFont.garamond.file)
        var page = RGBImage(size: PixelSize(width: 900, height: 300), filledWith: RGBColor(0xF4EEDD))
        page.write(font.run(text, size: 60), at: PixelPoint(x: 100, y: 150), with: Paint(RGBColor(0x202020)))
        let read = try await reader().read(ImagePyramid(page))
        func folded(_ text: String) -> String { text.folding(options: .diacriticInsensitive, locale: nil) }
        #expect(read.lines.map { folded($0.text) } == [folded(text)])
    }

    @Test(
        "Lines in Kana and Han are read, which the quick recogniser and that of eight bits lack", .whenReadingChanges,
        arguments: ReadingPrecision.allCases)
    func japanese(_ precision: ReadingPrecision) async throws {
        let font = try Typeface(file: URL(filePath: "/usr/share/fonts/truetype/vlgothic/VL-Gothic-Regular.ttf"))
        let titles = ["ノルウェイの森", "海辺のカフカ", "吾輩は猫である", "コンビニ人間"]
        var page = RGBImage(size: PixelSize(width: 900, height: 700), filledWith: RGBColor(0xF4EEDD))
        for (row, title) in titles.enumerated() {
            page.write(
                font.run(title, size: 60), at: PixelPoint(x: 100, y: 120 + Double(row) * 140),
                with: Paint(RGBColor(0x202020)))
        }
        let read = try await reader(precision).read(ImagePyramid(page))
        #expect(Set(read.lines.map(\.text)) == Set(titles))
    }

    /// With the models that set-up puts into the checkout.
    private func reader(_ precision: ReadingPrecision = .native, threads: Int = 2) throws -> LocalReader {
        // Apart from the others, because these pages have unusual sizes and few networks are kept.
        let networks = CompiledNetworks(in: SharedCache.folder.appending(path: "pages"))
        return LocalReader(
            models: try models(), precision: precision, keptIn: networks, concurrentPhotos: 1, threads: threads)
    }

    private func models() throws -> URL {
        try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps/models")
    }
}

@Suite("Reading without models") struct MissingModelTests {
    @Test("A folder without models is an error that names a missing file")
    func missing() throws {
        let error = try #require(throws: (any Error).self) {
            try LocalReader(models: URL(filePath: "/nowhere/models"), concurrentPhotos: 1, threads: 2).prepare()
        }
        #expect("\(error)".contains("/nowhere/models/"))
        #expect(error is InferenceError)
    }
}
