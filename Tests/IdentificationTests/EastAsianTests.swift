import Identification
import ShelflistAPI
import Testing

@Suite("Spines in Chinese and Japanese") struct EastAsianTests {
    /// Invented titles and people.
    @Test(
        "Title and author",
        arguments: [
            (["山と川の物語", "佐藤花子"], "山と川の物語", "佐藤花子"),
            (["佐藤花子", "山と川の物語"], "山と川の物語", "佐藤花子"),
            (["夜の図書館", "アンナ・ベルク", "新潮文庫"], "夜の図書館", "アンナ・ベルク"),
            (["星を見る人", "ベルク著", "山田太郎訳", "岩波文庫"], "星を見る人", "ベルク"),
            (["星を見る人 ベルク著 山田太郎訳"], "星を見る人", "ベルク"),
            (["江边的灯火", "林晓舟 著", "人民文学出版社"], "江边的灯火", "林晓舟"),
            (["江边的灯火", "林晓舟 主编"], "江边的灯火", "林晓舟"), (["名著案内", "佐藤の家族"], "名著案内", nil),
            (["夜の図書館"], "夜の図書館", nil), (["星を見る人", "永田 一"], "星を見る人", "永田一"),
            (["ア72 星を見る人", "アンナ・ベルク", "山田太郎 編"], "星を見る人", "アンナ・ベルク"),
            (["星を見る人", "山田太郎 編"], "星を見る人", "山田太郎"),
            (["星を見る人", "佐藤花子×山田太郎"], "星を見る人", "佐藤花子, 山田太郎"),
            (["星を見る人", "J・ベルク 〇・ハルト", "銀田 浩 山田太郎 監訳"], "星を見る人", "J・ベルク, O・ハルト"),
            (["星を見る人", "著：佐藤花子"], "星を見る人", "佐藤花子"),
            (["星を見る人", "アンナ・ベルク 山田太郎訳"], "星を見る人", "アンナ・ベルク"),
            (["ベルクマン", "星を見る人", "新潮文庫"], "星を見る人", "ベルクマン"), (["新装版", "星を見る人"], "星を見る人", nil),
            (["星を見る人", "コレクション"], "星を見る人", nil),
        ] as [([String], String, String?)])
    func roles(lines: [String], title: String, author: String?) throws {
        let isTitle = { (text: String) in text.hasPrefix(title) }
        #expect(try named(lines.map { ($0, isTitle($0) ? 40 : 24) }) == [title, author])
    }

    @Test("A title on two lines that a particle joins is one")
    func twoLines() throws {
        #expect(try named([("佐藤花子", 24), ("古い橋が", 40), ("ぼくたちを渡すとき", 40)]) == ["古い橋がぼくたちを渡すとき", "佐藤花子"])
    }

    @Test(
        "An imprint, a translator, a number or two characters are not a book",
        arguments: ["岩波文庫", "新潮社", "翻訳権独占 新潮社版", "山田太郎訳", "第三巻", "山川"])
    func others(text: String) throws {
        #expect(try identify([down(text, x: 500, from: 100, length: 30 * Double(text.count))]).books.isEmpty)
    }

    @Test("Capitals and Roman numerals in such titles stay")
    func casing() {
        #expect(Casing.settled("世界の歴史物語 Ⅲ OL DX") == "世界の歴史物語 Ⅲ OL DX")
        #expect(Casing.settled("THE SEA") == "The Sea")
    }
}
