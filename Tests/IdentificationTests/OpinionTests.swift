import Bibliography
import Fixtures
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Testing

@Suite("What a model read, beside the text")
struct OpinionTests {
    /// Reads one standing spine at x = 400, with what a model read there.
    private func identify(
        _ lines: [String], score: Double = 0.95, knowing records: [BookRecord]? = library,
        verifiedFrom: Double? = nil, _ opinions: [SpineOpinion]
    ) throws -> [DetectedBook] {
        let catalog = records.map(InMemoryCatalog.init(records:))
        let lines = standing(lines, x: 400).map { TextLine(text: $0.text, score: score, quad: $0.quad) }
        return try BookIdentifier(catalog: { catalog?.snapshot })
            .identify(
                ReadShelf(lines: lines, turn: .none), opinions: opinions, verifiedFrom: verifiedFrom, in: photoSize
            ).books
    }

    /// What a model read on the spine between two x coordinates in pixels.
    private func opinion(
        _ title: String, _ author: String?, certainty: Double = 0.9, of xs: ClosedRange<Double> = 370...430
    ) -> SpineOpinion {
        let box = UnitRect(
            x: xs.lowerBound / 2000, y: 0.1, width: (xs.upperBound - xs.lowerBound) / 2000, height: 0.85)
        return SpineOpinion(
            reader: "gemini", title: title, author: author, certainty: certainty, outline: UnitQuad(box))
    }

    /// The first of these texts that leaves a doubt about the book.
    private func doubtful() throws -> [String] {
        try #require(
            [["WIND WILL"], ["WIND", "GRAHAME"], ["WILLO"], ["WIND WIL", "KENN"], ["WIND WILL", "KENNE"]].first {
                spine in
                let book = try identify(spine, []).first
                return book?.title == "The Wind in the Willows" && (0.05..<0.6).contains(book?.confidence ?? 0)
            })
    }

    @Test("Agreement raises the confidence of a record, disagreement lowers it and shows both")
    func agreement() throws {
        let spine = try doubtful()
        let alone = try #require(try identify(spine, []).first)
        let agreed = try #require(
            try identify(spine, [opinion("The Wind in the Willows", "Kenneth Grahame")]).first)
        let contradicted = try #require(
            try identify(spine, [opinion("The Name of the Wind", "Patrick Rothfuss")]).first)

        #expect(alone.title == "The Wind in the Willows")
        #expect(agreed.title == "The Wind in the Willows")
        #expect(agreed.confidence > alone.confidence)
        #expect(contradicted.confidence < agreed.confidence)
        #expect(contradicted.reviewStatus == .needsReview)
        #expect(
            Set(contradicted.matches.map(\.title)).isSuperset(of: ["The Wind in the Willows", "The Name of the Wind"]))
    }

    @Test("A verified book is never lowered, whatever a model says")
    func verified() throws {
        let spine = ["THE LIES OF LOCKE LAMORA", "SCOTT LYNCH"]
        let alone = try #require(try identify(spine, []).first)
        #expect(alone.reviewStatus == .verified)
        for (title, author) in [
            ("Red Seas Under Red Skies", "Scott Lynch"), ("Emma", "Jane Austen"), ("The Lies of Locke Lamora", nil),
            ("A", nil), ("SCOTT LYNCH", "Locke Lamora"),
        ] {
            for certainty in [0, 0.5, 1] {
                let books = try identify(spine, [opinion(title, author, certainty: certainty)])
                let book = try #require(books.count == 1 ? books[0] : nil)
                #expect(book.title == alone.title && book.isbn == alone.isbn)
                #expect(book.confidence >= alone.confidence)
                #expect(book.reviewStatus == .verified)
            }
        }
    }

    @Test("The threshold of the scan decides what is verified, and what disagreement may lower")
    func threshold() throws {
        let spine = ["WIND WILL", "KENNE"]
        let alone = try #require(try identify(spine, []).first)
        let other = opinion("The Name of the Wind", "Patrick Rothfuss", certainty: 1)
        let kept = try #require(try identify(spine, verifiedFrom: alone.confidence - 0.01, [other]).first)
        #expect(kept.confidence == alone.confidence && kept.title == alone.title)
        #expect(kept.matches.contains { $0.title == "The Name of the Wind" }, "a person sees both readings")
        let lowered = try #require(try identify(spine, verifiedFrom: alone.confidence + 0.01, [other]).first)
        #expect(lowered.confidence < alone.confidence)
    }

    @Test("Opinions do not change which lines form a spine, nor its outline")
    func outlines() throws {
        let spine = ["XQVK", "BRTZ"]
        let alone = try identify(spine, [])
        let named = try identify(spine, [opinion("Pride and Prejudice", "Jane Austen")])
        #expect(named.map(\.quad) == alone.map(\.quad) && named.map(\.text) == alone.map(\.text))
    }

    @Test("A title that no line supports is not sure, even if a catalog has it")
    func memory() throws {
        for title in ["Pride and Prejudice", "A Book that No Catalog Has"] {
            let book = try #require(
                try identify(["XQVK", "BRTZ"], [opinion(title, "Jane Austen", certainty: 1)]).first)
            #expect(book.title != title || book.confidence < 0.4, "what is printed may be shown instead")
            #expect(book.reviewStatus == .needsReview)
        }
    }

    @Test("What text and model agree on is not sure without a record", arguments: [nil, library])
    func withoutRecord(_ records: [BookRecord]?) throws {
        let book = try #require(
            try identify(
                ["THE QUIET CARTOGRAPHER", "MARGARET OAKES"], knowing: records,
                [opinion("The Quiet Cartographer", "Margaret Oakes", certainty: 1)]
            ).first)
        #expect(book.title?.lowercased() == "the quiet cartographer")
        #expect(book.confidence < 0.6)
        for threshold in [0, 0.1, 0.6] { #expect(book.status(threshold: threshold) == .needsReview) }
    }

    @Test("A spine that only the model saw is shown at its place and needs review")
    func unread() throws {
        let seen = opinion("Persuasion", "Jane Austen", certainty: 1, of: 600...650)
        let books = try identify(["EMMA", "JANE AUSTEN"], [opinion("Emma", "Jane Austen"), seen])
        #expect(books.map(\.title) == ["Emma", "Persuasion"])
        let book = try #require(books.last)
        #expect(book.reviewStatus == .needsReview && book.confidence < 0.4 && book.text.isEmpty)
        #expect(abs(book.boundingBox.x - 0.3) < 0.01)
        #expect(book.matches.map(\.source) == ["gemini"])
    }

    @Test("Of two opinions about one spine, the text decides")
    func twoOpinions() throws {
        let books = try identify(
            ["WIND WILL", "KENNE"],
            [opinion("Nineteen Eighty-Four", "George Orwell"), opinion("The Wind in the Willows", "Kenneth Grahame")])
        #expect(books.map(\.title) == ["The Wind in the Willows"])
    }

    @Test(
        "An opinion names a book in spite of spelling and subtitles",
        arguments: [
            ("Prisoners of Geography", "Tim Marshall", "Prisoners of Geography: Ten Maps", "Marshall, Tim", true),
            ("Wuthering Hights", nil, "Wuthering Heights", "Emily Brontë", true),
            ("The Emma", "J. Austen", "Emma", "Austen, Jane", true),
            ("Emma", "Jane Austen", "Emma", "Kate Smith", false), ("Emma", nil, "Persuasion", nil, false),
            ("", "Jane Austen", "Emma", "Jane Austen", false),
        ] as [(String, String?, String, String?, Bool)])
    func names(_ title: String, _ author: String?, _ other: String, _ otherAuthor: String?, _ same: Bool) {
        #expect(opinion(title, author).names(title: other, authors: otherAuthor.map { [$0] } ?? []) == same)
    }
}
