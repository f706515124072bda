import Bibliography
import Fixtures
import Identification
import ShelflistAPI
import Testing

/// Volumes of numbered works, whose titles differ by a number only, and other words that spines write differently.
@Suite struct VolumeTests {
    private static let catalog: [BookRecord] = {
        var records: [BookRecord] = []
        func add(_ titles: [String], _ author: String) {
            records += titles.map { record($0, by: author, isbn: nil) }
        }
        add((1...18).map { "Lanternfall \($0)" }, "Ivo Marek")
        add((1...12).map { "Bridge of Herons, Vol. \($0)" }, "Aya Mori")
        add(["I", "II", "III", "IV"].map { "Salt Crowns \($0)" }, "Petra Vidmar")
        add(["冬の駅 上", "冬の駅 下"], "森綾")
        add(["海の城 1", "海の城 2", "海の城 12"], "石田渚")
        add(["Sämtliche Briefe, Band 3", "Sämtliche Briefe, Band 4"], "Hanna Kolb")
        add(["Quiet Harbour", "Quiet Harbour 2"], "Nora Quill")
        return records + MatchingTests.shelf
    }()

    private func match(_ text: String) throws -> BookMatch? {
        try SpineMatcher(catalog: InMemoryCatalog(records: Self.catalog))
            .matches(for: [ReadText(text: text, score: 1)]).first
    }

    @Test(
        "The volume whose number is on the spine is first and sure",
        arguments: [
            ("LANTERNFALL 7 IVO MAREK", "Lanternfall 7"), ("LANTERNFALL 17 IVO MAREK", "Lanternfall 17"),
            ("1 LANTERNFALL MAREK", "Lanternfall 1"),
            ("BRIDGE OF HERONS 2 AYA MORI", "Bridge of Herons, Vol. 2"),
            ("12 BRIDGE OF HERONS MORI", "Bridge of Herons, Vol. 12"),
            ("SALT CROWNS III VIDMAR", "Salt Crowns III"), ("SALT CROWNS 3 VIDMAR", "Salt Crowns III"),
            ("SALT CROWNS I PETRA VIDMAR", "Salt Crowns I"), ("Salt Crowns Ⅳ Petra Vidmar", "Salt Crowns IV"),
            ("冬の駅 上 森綾", "冬の駅 上"), ("冬の駅 下巻 森綾", "冬の駅 下"),
            ("海の城 ② 石田渚", "海の城 2"), ("海の城 第12巻 石田渚", "海の城 12"), ("海の城 十二 石田渚", "海の城 12"),
            ("HANNA KOLB SÄMTLICHE BRIEFE BAND IV", "Sämtliche Briefe, Band 4"),
            ("SÄMTLICHE BRIEFE 4 KOLB", "Sämtliche Briefe, Band 4"),
            ("QUIET HARBOUR 2 NORA QUILL", "Quiet Harbour 2"), ("QUIET HARBOUR NORA QUILL", "Quiet Harbour"),
        ])
    func shown(_ text: String, _ title: String) throws {
        let found = try #require(try match(text))
        #expect(found.title == title)
        #expect(found.confidence >= 0.6, "\(found.confidence)")
    }

    @Test(
        "Without the number, or with one that the catalog lacks, no volume is sure",
        arguments: [
            "LANTERNFALL IVO MAREK", "LANTERNFALL 19 IVO MAREK", "BRIDGE OF HERONS AYA MORI",
            "BRIDGE OF HERONS 13 AYA MORI", "796.4 BRIDGE OF HERONS AYA MORI", "LANTERNFALL 1-3 IVO MAREK",
            "SALT CROWNS VIDMAR", "冬の駅 森綾", "海の城 3 石田渚",
        ])
    func notShown(_ text: String) throws {
        let found = try match(text)
        #expect((found?.confidence ?? 0) < 0.4, "\(found?.title ?? "")")
    }

    @Test(
        "Letters that Arabic and Persian keyboards write differently are the same, and tatweel does not count",
        arguments: ["کتاب اللیالی الصغیره نوری کمال", "كتـــاب الليالي الصغيرة نوري كمـال"])
    func arabic(_ text: String) throws {
        let catalog = [
            record("كتاب الليالي الصغيرة", by: "نوري كمال"), record("دفتر الريح", by: "هدى سليم"),
            record("كتاب البحر", by: "نوري سليم"),
        ]
        let found = try SpineMatcher(catalog: InMemoryCatalog(records: catalog + MatchingTests.shelf))
            .matches(for: [ReadText(text: text, score: 1)]).first
        #expect(found?.title == "كتاب الليالي الصغيرة")
        #expect((found?.confidence ?? 0) >= 0.6)
    }

    @Test(
        "Words that were read without spaces, or in pieces, still name the book",
        arguments: [
            ("THEWIDEMARSHROAD NORAQUILL", "The Wide Marsh Road"),
            ("COLLECTEDWINTERTALES PavelRuzic", "Collected Winter Tales"),
            ("ELEMENTSOF BRIDGEBUILDING ABT", "Elements of Bridge Building"),
            ("COL LECTED WINTER TA LES RUZIC", "Collected Winter Tales"),
        ])
    func joined(_ text: String, _ title: String) throws {
        let catalog = [
            record("The Wide Marsh Road", by: "Nora Quill"), record("The Wide Marsh", by: "Ida Holm"),
            record("Collected Winter Tales", by: "Pavel Ruzic"), record("Elements of Bridge Building", by: "Lena Abt"),
        ]
        let found = try SpineMatcher(catalog: InMemoryCatalog(records: catalog + MatchingTests.shelf))
            .matches(for: [ReadText(text: text, score: 1)]).first
        #expect(found?.title == title)
        #expect((found?.confidence ?? 0) >= 0.6, "\(found?.confidence ?? 0)")
    }
}
