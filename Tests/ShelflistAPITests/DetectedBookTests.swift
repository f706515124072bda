import Bibliography
import Foundation
import ShelflistAPI
import Testing

@Suite("Detected books as JSON") struct DetectedBookTests {
    /// A book as `scan --format json` and the jobs write it.
    private static let json = """
        {"author":null,"boundingBox":{"height":0.8,"width":0.05,"x":0.1,"y":0.1},"checked":true,"confidence":0.9,"id":"book-1",\
        "isbn":null,"matches":[],"quad":[[0.1,0.1],[0.15,0.1],[0.15,0.9],[0.1,0.9]],"reviewStatus":"verified",\
        "text":[{"score":0.9,"text":"DUNE"}],"title":"Dune"}
        """

    @Test("The field survives encoding and decoding", arguments: [true, false])
    func readsBack(checked: Bool) throws {
        var book: DetectedBook = try WireJSON.decode(from: Data(Self.json.utf8))
        book.checked = checked
        let data = try WireJSON.encode(book)
        #expect(String(decoding: data, as: UTF8.self).contains("\"checked\":\(checked)"))
        let read: DetectedBook = try WireJSON.decode(from: data)
        #expect(read == book)
    }

    @Test("A field that is not a Boolean is refused", arguments: ["1", #""true""#])
    func refuses(value: String) {
        let text = Self.json.replacing(#""checked":true"#, with: #""checked":\#(value)"#)
        #expect(throws: DecodingError.self) { try WireJSON.decode(from: Data(text.utf8)) as DetectedBook }
    }

    @Test(
        "Only a checked book from the threshold on is accepted without a review",
        arguments: [(true, 0.6, true), (true, 0.59, false), (false, 0.6, false), (false, 1, false)])
    func status(checked: Bool, confidence: Double, isAccepted: Bool) throws {
        var book: DetectedBook = try WireJSON.decode(from: Data(Self.json.utf8))
        (book.checked, book.confidence) = (checked, confidence)
        book.matches = [BookMatch(title: "Dune", confidence: confidence, source: "local")]
        #expect(book.status(threshold: 0.6) == (isAccepted ? .verified : .needsReview))
    }

    @Test("A book without a record that is as sure is never accepted without a review, however low the threshold")
    func statusWithoutRecord() throws {
        var book: DetectedBook = try WireJSON.decode(from: Data(Self.json.utf8))
        func isAccepted(_ matches: [BookMatch]) -> Bool {
            book.matches = matches
            return book.status(threshold: 0.4) == .verified
        }
        #expect(!isAccepted([]))
        #expect(!isAccepted([BookMatch(title: "Dune Messiah", confidence: 0.9, source: "local")]))
        #expect(!isAccepted([BookMatch(title: "Dune", author: "Frank Herbert", confidence: 0.9, source: "local")]))
        // The text names the same book as a record that is unlikely.
        #expect(!isAccepted([BookMatch(title: "Dune", confidence: 0.39, source: "local")]))
        #expect(isAccepted([BookMatch(title: "Dune", confidence: 0.4, source: "local")]))
    }
}
