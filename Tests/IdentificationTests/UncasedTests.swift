import Bibliography
import Fixtures
import Identification
import ShelflistAPI
import Testing

/// Invented titles and people.
@Suite("Spines in scripts without capitals, and in Greek") struct UncasedTests {
    @Test(
        "The larger line is the title, and the next one the author",
        arguments: [
            ([("דרך החורף", 50.0), ("רות לביא", 34)], "דרך החורף", "רות לביא"),
            ([("רות לביא", 34), ("דרך החורף", 50), ("עם עולם", 20)], "דרך החורף", "רות לביא"),
            ([("طريق الشتاء", 50), ("سلمى حداد", 34)], "طريق الشتاء", "سلمى حداد"),
            ([("겨울 바다로", 50), ("가는 길", 50), ("이서연", 30)], "겨울 바다로 가는 길", "이서연"),
            ([("सर्दी की राह", 50), ("मीरा जोशी", 34)], "सर्दी की राह", "मीरा जोशी"),
            ([("ทางแห่งฤดูหนาว", 50), ("มาลี แสงทอง", 34), ("12", 40)], "ทางแห่งฤดูหนาว", "มาลี แสงทอง"),
            ([("דרך החורף", 40)], "דרך החורף", nil),
        ] as [([(text: String, height: Double)], String, String?)])
    func roles(lines: [(text: String, height: Double)], title: String, author: String?) throws {
        #expect(try named(lines, widthOfLetter: 0.6) == [title, author])
    }

    @Test("A sigma at the end of a word in capitals gets its own form")
    func sigma() throws {
        let found = try named([("ΝΙΚΟΣ ΛΑΜΠΡΟΣ", 30), ("ΤΟ ΦΩΣ ΤΟΥ ΧΕΙΜΩΝΑ", 50)], widthOfLetter: 0.6)
        #expect(found == ["Το Φως Του Χειμωνα", "Νικος Λαμπρος"])
    }

    @Test(
        "A Korean book that the list lacks is not another one",
        arguments: [["겨울 바다", "이서연"], ["대하", "거두"], ["소년이온다"], ["태백 산맥", "조 저래"], ["토지 1", "박경리"]])
    func unknown(lines: [String]) throws {
        let list = [record("셈을 할 줄 아는 까막눈이 여자", by: "Jonas Jonasson"), record("밤의 도서관", by: "김하늘")]
        let matches = try SpineMatcher(catalog: InMemoryCatalog(records: list))
            .matches(for: lines.map { ReadText(text: $0, score: 0.9) })
        #expect(matches.allSatisfy { $0.confidence < 0.35 })
    }

    @Test("A Korean book of the list is found, also with a letter read wrong")
    func known() throws {
        let list = [record("겨울 바다로 가는 길", by: "이서연"), record("밤의 도서관", by: "김하늘")]
        let matches = try SpineMatcher(catalog: InMemoryCatalog(records: list))
            .matches(for: ["겨울 바다로 가늘 길", "이서연"].map { ReadText(text: $0, score: 0.9) })
        #expect(matches.first?.title == "겨울 바다로 가는 길" && (matches.first?.confidence ?? 0) >= 0.6)
    }
}
