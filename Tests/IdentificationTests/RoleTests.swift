import Bibliography
import Identification
import Imaging
import SpineReading
import ShelflistAPI
import Testing

/// Invented titles and people.
@Suite("Title and author on a spine") struct RoleTests {
    struct Spine: Sendable, CustomTestStringConvertible {
        var lines: [(text: String, height: Double)]
        var title: String?
        var author: String?

        var testDescription: String { lines.map(\.text).joined(separator: " | ") }
    }

    static let credited = [
        Spine(
            lines: [("THE SALT ROAD", 60), ("edited by Anna Vogel", 30)], title: "The Salt Road", author: "Anna Vogel"),
        Spine(
            lines: [("DAVID HALE", 40), ("THE SALT ROAD", 60), ("with Mark Vogel", 25)], title: "The Salt Road",
            author: "David Hale"),
        Spine(
            lines: [("THE SALT ROAD", 60), ("DAVID HALE", 40), ("translated by Anna Vogel", 20)],
            title: "The Salt Road",
            author: "David Hale"),
        Spine(
            lines: [("SALT ROAD", 60), ("Translated", 25), ("by Walter", 25), ("Kaufmann", 25)], title: "Salt Road",
            author: nil),
        Spine(lines: [("ANNA", 80), ("VOGEL", 80), ("with Mark Hale", 30)], title: "Anna Vogel", author: "Mark Hale"),
        Spine(lines: [("POEMS BY DAVID HALE", 50)], title: "Poems", author: "David Hale"),
    ]

    @Test("Lines that say what a person did name the author or another person", arguments: credited)
    func credits(_ spine: Spine) throws { try expect(spine) }

    static let named = [
        Spine(lines: [("KARL RIEDER", 70), ("ANNA VOGEL", 45)], title: "Karl Rieder", author: "Anna Vogel"),
        Spine(lines: [("ANNA VOGEL", 45), ("KARL RIEDER", 70)], title: "Karl Rieder", author: "Anna Vogel"),
        Spine(lines: [("SALT", 70), ("ANNA", 40), ("FISCHER", 40)], title: "Salt", author: "Anna Fischer"),
        Spine(lines: [("A. J. Moreno", 30), ("The Salt Road", 60)], title: "The Salt Road", author: "A. J. Moreno"),
        Spine(
            lines: [
                ("HANNAH", 30), ("STONE", 30), ("MYSTERY WITH", 20), ("RECIPES", 20), ("PLUM TART MURDER", 60),
            ], title: "Plum Tart Murder", author: nil),
        Spine(
            lines: [("DEALS", 60), ("Humble, Molesky & O'Reilly", 30), ("O'REILLY", 20)], title: "Deals",
            author: "Humble, Molesky & O'Reilly"),
    ]

    @Test("A person is the subject, the author, or a hero", arguments: named)
    func people(_ spine: Spine) throws { try expect(spine) }

    static let besides = [
        Spine(lines: [("GOING FAR", 62), ("HALE", 38), ("HOGARTH", 20)], title: "Going Far", author: "Hale"),
        Spine(
            lines: [("SALT ROAD", 60), ("David Hale", 60), ("fla mingo", 45)], title: "Salt Road", author: "David Hale"),
        Spine(lines: [("SPORT", 70), ("DAVID HALE", 40), ("Harbourpress", 25)], title: "Sport", author: "David Hale"),
        Spine(lines: [("OVERGROWN", 60), ("HEALTH", 20), ("BEACON", 20)], title: "Overgrown", author: nil),
        Spine(
            lines: [("THE", 30), ("OXFORD BOOK", 50), ("OF", 30), ("RIVER VERSE", 50)],
            title: "The Oxford Book of River Verse", author: nil),
        Spine(lines: [("POCKET GUIDE TO RIVERS", 50)], title: "Pocket Guide to Rivers", author: nil),
        Spine(
            lines: [
                ("MOUNTAIN LIGHT", 60), ("DAVID HALE", 40), ("\"A triumph of patience.", 20),
                ("—ANNA VOGEL, The Evening Post", 20),
            ], title: "Mountain Light", author: "David Hale"),
        Spine(
            lines: [("THE SALT ROAD / David Hale", 60), ("paperbird:", 40)], title: "The Salt Road",
            author: "David Hale"),
        Spine(lines: [("5O River Poems", 50)], title: "50 River Poems", author: nil),
    ]

    @Test("Imprints, genres and praise are neither title nor author", arguments: besides)
    func others(_ spine: Spine) throws { try expect(spine) }

    @Test("A line in one place on several spines is a series, not their title")
    func series() throws {
        func spine(_ x: Double, _ title: String) -> [TextLine] {
            [
                down("Blauland", x: x, from: 100, length: 150, height: 40),
                down(title, x: x, from: 300, length: 400, height: 40),
            ]
        }
        let titles = ["Ebbe", "Strandgut", "Hafenlicht"]
        let books = try identify(zip([200, 500, 800], titles).flatMap(spine)).books
        #expect(books.map(\.title) == titles)
    }

    @Test(
        "A sticker, an edition and the source of a praise are not books",
        arguments: [
            "USED SAVES Your Bookstore", "Dition Third Edition", "—A. Vogel", "Sci/Tech",
        ])
    func noBooks(text: String) throws {
        #expect(try identify([down(text, x: 500, from: 100, length: 400)]).books.isEmpty)
    }

    private func expect(_ spine: Spine) throws {
        var y = 100.0
        let lines = spine.lines.map { text, height in
            let length = height * 0.5 * Double(text.count)
            defer { y += length + 2 * height }
            return down(text, x: 300, from: y, length: length, height: height)
        }
        let found = try RoleAssignment.assign(placed(lines), by: try MatchingModel.fitted.get().roles)
        #expect(found.title == spine.title)
        #expect(found.author == spine.author)
    }
}
