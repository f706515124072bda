import Fixtures
import Foundation
import Imaging
import Inference
import SpineReading
import TestSupport
import Testing

/// Pages in letters that the models lack, with invented titles.
@Suite(.serialized, .blocks, .endsHangs) struct ScriptReadingTests {
    private static let cyrillic = [
        "Морское окно", "СЕВЕРНОЕ ТЕЧЕНИЕ", "Город, которого нет", "Полночная звезда", "СТАРАЯ СКАЗКА",
        "Ветер над полем",
        "Письма из гавани", "ХОЛОДНОЕ ЛЕТО", "Сад за рекой", "Хранитель маяка",
    ]
    private static let greek = [
        "Το φως του χειμώνα", "ΤΟ ΠΕΡΙΒΟΛΙ ΤΗΣ ΝΥΧΤΑΣ", "Ο φύλακας του φάρου", "Γράμματα από το λιμάνι",
        "Ο άνεμος στο χωράφι",
        "Η παλιά ιστορία", "ΤΟ ΜΑΚΡΥ ΤΑΞΙΔΙ", "Το παράθυρο στη θάλασσα", "Κρύο καλοκαίρι", "Η πόλη που χάθηκε",
    ]
    private static let hebrew = [
        "דרך החורף", "אור של ערב", "העיר שנעלמה", "מכתבים מן הנמל", "הרוח בשדה", "שומר המגדלור", "הגן שמעבר לנהר",
        "קיץ קר מאוד", "חלון אל הים", "סיפור ישן",
    ]
    private static let latin = [
        "Winter Light", "THE ORCHARD AT DUSK", "A Field Guide to Rivers", "Bees in the Orchard", "HARBOUR OF GLASS",
        "Letters from the Quay", "The Keeper of the Light",
    ]

    private func page(_ titles: [String], in font: SpineFont = .dejaVuSerif) throws -> ImagePyramid {
        let font = try Typeface(file: font.file)
        var page = RGBImage(size: PixelSize(width: 1000, height: 1100), filledWith: RGBColor(0xF4EEDD))
        for (row, title) in titles.enumerated() {
            page.write(
                font.run(title, size: 44), at: PixelPoint(x: 80, y: 90 + Double(row) * 100),
                with: Paint(RGBColor(0x202020)))
        }
        return ImagePyramid(page)
    }

    private func reader(_ scripts: ScriptData) throws -> LocalReader {
        LocalReader(
            models: try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps/models"),
            keptIn: CompiledNetworks(in: SharedCache.folder.appending(path: "pages")), scripts: scripts,
            concurrentPhotos: 1,
            threads: 2)
    }

    /// What `make setup` installs.
    private func installed() throws -> ScriptData {
        let data = ScriptData(environment: [:])
        try #require(
            data.scripts.starts(with: [.cyrillic, .greek, .hebrew]), "make setup installs the data of these scripts")
        return data
    }

    @Test("Titles in letters that the models lack are read with Tesseract")
    func read() async throws {
        let shelf = try await reader(installed()).read(page(Self.cyrillic))
        #expect(shelf.unknownLetters == nil)
        #expect(Set(shelf.lines.map(\.text)) == Set(Self.cyrillic))
    }

    /// Its data read two letters of a hundred wrong, and accents as it comes.
    @Test("Nearly all titles in Greek letters are read")
    func readGreek() async throws {
        let shelf = try await reader(installed()).read(page(Self.greek))
        #expect(shelf.unknownLetters == nil && shelf.lines.count == Self.greek.count)
        func folded(_ text: String) -> String {
            text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
        }
        let read = Set(shelf.lines.map { folded($0.text) })
        #expect(Self.greek.count { read.contains(folded($0)) } >= 8, "\(read)")
    }

    /// The letters from left to right, as they are drawn.
    private func hebrewPage() throws -> ImagePyramid {
        try page(Self.hebrew.map { String($0.reversed()) }, in: .dejaVuSans)
    }

    @Test("Nearly all titles in letters that score low, but are none of the Latin ones, are read in their own order")
    func readHebrew() async throws {
        let shelf = try await reader(installed()).read(hebrewPage())
        #expect(shelf.unknownLetters == nil)
        let read = Set(shelf.lines.map(\.text))
        #expect(Self.hebrew.count(where: read.contains) >= 8, "\(read)")
    }

    @Test("Without the data, unknown letters are noticed, and no look-alike is read")
    func withoutData() async throws {
        let shelf = try await reader(.none).read(page(Self.cyrillic))
        #expect(shelf.unknownLetters != nil)
        #expect(shelf.lines.count == Self.cyrillic.count && shelf.lines.allSatisfy { $0.text.isEmpty })
    }

    @Test("Greek letters, of which the models know some, are named too, and not misread")
    func greekWithoutData() async throws {
        let shelf = try await reader(.none).read(page(Self.greek))
        #expect(shelf.unknownLetters == .greek)
        #expect(shelf.lines.allSatisfy { $0.text.isEmpty })
    }

    @Test("A page in Latin letters is read as without the data")
    func latinStays() async throws {
        let page = try page(Self.latin)
        let (with, without) = (try await reader(installed()).read(page), try await reader(.none).read(page))
        #expect(with.lines == without.lines)
        #expect(Set(with.lines.map(\.text)) == Set(Self.latin))
    }

    @Test("A Latin title among Cyrillic ones is kept as the models read it")
    func mixed() async throws {
        let titles = Self.cyrillic + ["A Field Guide to Rivers"]
        let shelf = try await reader(installed()).read(page(titles))
        #expect(Set(shelf.lines.map(\.text)) == Set(titles))
    }

    @Test("A Cyrillic title among Latin ones is read")
    func single() async throws {
        let titles = Self.latin + ["Полночная звезда"]
        let shelf = try await reader(installed()).read(page(titles))
        #expect(Set(shelf.lines.map(\.text)) == Set(titles))
    }

    @Test("Data that Tesseract does not accept are an error that names their file")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "Cyrillic.traineddata")
        try Data("no data".utf8).write(to: file)
        let data = ScriptData(environment: ["TESSDATA_PREFIX": folder.url.path])
        #expect(data.scripts == [.cyrillic])
        let error = await #expect(throws: (any Error).self) { try await reader(data).read(page(Self.cyrillic)) }
        #expect(error.map { "\($0)".contains(file.path) } == true)
    }

    @Test("A folder that is named instead of the usual ones is the only one that is looked in")
    func namedFolder() throws {
        let folder = try TemporaryFolder()
        #expect(ScriptData(environment: ["TESSDATA_PREFIX": folder.url.path]).scripts.isEmpty)
    }
}
