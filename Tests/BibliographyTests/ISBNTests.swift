import Bibliography
import Foundation
import Testing

@Suite("ISBN")
struct ISBNTests {
    @Test(
        "ISBNs are read in the notations of people and files",
        arguments: [
            ("9780063021426", "9780063021426"),
            ("978-0-06-302142-6", "9780063021426"),
            ("978–0–06–302142–6", "9780063021426"),
            ("978 0 06 302142 6", "9780063021426"),
            ("0451524934", "9780451524935"),
            ("0-8044-2957-X", "9780804429573"),
            ("080442957x", "9780804429573"),
            ("ISBN 0-8044-2957-X", "9780804429573"),
            ("ISBN-13: 978-0-06-302142-6", "9780063021426"),
            ("ISBN-10 0451524934", "9780451524935"),
            ("isbn:0451524934", "9780451524935"),
            ("9788427132177 (rúst.)", "9788427132177"),
            ("=\"9780063021426\"", "9780063021426"),
            ("0451524934 9780451524935", "9780451524935"),
            ("9790000000001", "9790000000001"), ("٩٧٨٠٠٦٣٠٢١٤٢٦", "9780063021426"),
            ("９７８００６３０２１４２６", "9780063021426"), ("978006302142651299", "9780063021426"),
            ("978006302142612", "9780063021426"),
        ])
    func reads(_ text: String, as isbn13: String) {
        #expect(ISBN(text)?.isbn13 == isbn13)
    }

    @Test(
        "Wrong check digits, wrong lengths and other text are refused",
        arguments: [
            "", "X", "9780063021427", "0451524935", "978006302142", "97800630214266", "1234567890123", "97800X3021426",
            "abc9780063021426", "9780063021426abc", "ISBN", "9770063021429", "9780063021426123",
        ])
    func refuses(_ text: String) {
        #expect(ISBN(text) == nil)
    }

    @Test("Ten and thirteen digits give the same ISBN")
    func conversion() throws {
        let ten = try #require(ISBN("0804429 57X"))
        #expect(ten == ISBN("9780804429573"))
        #expect(ten.isbn10 == "080442957X")
        #expect(ISBN("9790000000001")?.isbn10 == nil)
        #expect(ISBN(number: 9_780_804_429_574) == nil)
    }

    @Test("Every check digit survives conversion", arguments: 0..<50)
    func roundTrip(n: Int) throws {
        let body = 978_000_000_000 + n * 19_999_999
        let isbn = try #require((0...9).lazy.compactMap { ISBN(number: body * 10 + $0) }.first)
        let ten = try #require(isbn.isbn10)
        #expect(ISBN(ten) == isbn)
        #expect(try JSONDecoder().decode([ISBN].self, from: JSONEncoder().encode([isbn])) == [isbn])
    }
}
