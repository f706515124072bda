import Bibliography
import Identification
import Imaging
import SpineReading
import Testing

@Suite("Names and titles")
struct NameTests {
    @Test(
        "People's names look like names",
        arguments: [
            "Jane Austen", "R. F. Kuang", "R.F. KUANG", "Gabriel García Márquez", "H. G. WELLS", "Gonick & Smith",
            "Hastie · Tibshirani · Friedman", "STRUNK / WHITE / KALMAN", "Johann Wolfgang von Goethe",
            "Antoine de Saint-Exupéry", "Miguel de Cervantes", "Vincent van Gogh", "Thich Nhat Hanh",
            "TOLKIEN, J. R. R.",
            "Terry Pratchett and Neil Gaiman",
        ])
    func names(_ text: String) {
        #expect(NameInLine.likeness(TextNormalisation.words(text), text) >= 0.6)
    }

    @Test(
        "Titles do not look like names",
        arguments: [
            "The Time Machine", "War and Peace", "Wuthering Heights", "Les Misérables", "10 Days to Faster Reading",
            "Treasure Island", "Frankenstein", "Le Petit Prince", "Effi: a life", "Who is Jane?",
            "Cien años de soledad", "", "1984",
        ])
    func titles(_ text: String) {
        #expect(NameInLine.likeness(TextNormalisation.words(text), text) < 0.6)
    }

    @Test(
        "A line with both title and author is split",
        arguments: [
            ("PAUL BEATTY THE SELLOUT", "THE SELLOUT", "PAUL BEATTY"),
            ("THE SELLOUT PAUL BEATTY", "THE SELLOUT", "PAUL BEATTY"),
            ("Sally Rooney BROOKLYN", "BROOKLYN", "Sally Rooney"),
            ("BROOKLYN Sally Rooney", "BROOKLYN", "Sally Rooney"),
            ("Huxley: Kontrapunkt des Lebens", "Kontrapunkt des Lebens", "Huxley"),
            ("Carroll · Die kleine Alice", "Die kleine Alice", "Carroll"),
            ("Jane Austen · Emma", "Emma", "Jane Austen"),
            ("Dune – Frank Herbert", "Dune", "Frank Herbert"), ("Dune / Frank Herbert", "Dune", "Frank Herbert"),
            ("R. F. Kuang Babel", "Babel", "R. F. Kuang"),
        ])
    func split(_ text: String, _ title: String, _ name: String) {
        let parts = NameInLine.split(text)
        #expect(parts?.title == title && parts?.name == name)
    }

    @Test(
        "A line with only a title stays whole",
        arguments: [
            "Wuthering Heights", "Brooklyn", "War and Peace", "", " ", ":", "A : B", "Cien años de soledad",
            "The Time Machine", "The Long River / Lord Jim", "STRUNK / WHITE / KALMAN",
        ])
    func whole(_ text: String) {
        #expect(NameInLine.split(text) == nil)
    }

    /// The lines of a spine, each with its height in pixels, and what they are.
    struct Spine: Sendable, CustomTestStringConvertible {
        var lines: [(text: String, height: Double)]
        var title: String?
        var author: String?
        var roles: [LineRole]

        var testDescription: String { lines.map(\.text).joined(separator: " | ") }
    }

    static let spines = [
        Spine(
            lines: [("WUTHERING HEIGHTS", 40), ("EMILY BRONTË", 25), ("PENGUIN", 15)], title: "Wuthering Heights",
            author: "Emily Brontë", roles: [.title, .author, .publisher]),
        Spine(
            lines: [("EMILY BRONTË", 25), ("WUTHERING HEIGHTS", 40)], title: "Wuthering Heights",
            author: "Emily Brontë",
            roles: [.author, .title]),
        Spine(
            lines: [("The Time Machine", 40), ("H. G. Wells", 35), ("12", 20)], title: "The Time Machine",
            author: "H. G. Wells", roles: [.title, .author, .number]),
        Spine(
            lines: [("Jane Eyre", 45), ("Charlotte Brontë", 25)], title: "Jane Eyre", author: "Charlotte Brontë",
            roles: [.title, .author]),
        Spine(lines: [("Frankenstein", 40)], title: "Frankenstein", author: nil, roles: [.title]),
        Spine(lines: [("Jane Austen", 40)], title: "Jane Austen", author: nil, roles: [.title]),
        Spine(
            lines: [("Sally Rooney BROOKLYN", 40), ("Penguin", 15)], title: "Brooklyn", author: "Sally Rooney",
            roles: [.title, .publisher]),
        Spine(
            lines: [("Second Edition", 20), ("Fundamentals of Physics", 40), ("David Halliday", 30)],
            title: "Fundamentals of Physics", author: "David Halliday", roles: [.number, .title, .author]),
        Spine(lines: [("Verlag", 20)], title: nil, author: nil, roles: [.publisher]),
    ]

    @Test("Each line of a spine has its role", arguments: spines)
    func roles(_ spine: Spine) throws {
        let found = try assign(spine.lines)
        #expect(found.title == spine.title)
        #expect(found.author == spine.author)
        #expect(found.roles == spine.roles)
    }

    @Test(
        "Initials and names beside capitals differ from titles",
        arguments: [
            ("Babel R. F. Kuang", "Babel", "R. F. Kuang"), ("Colm Tóibín BROOKLYN", "BROOKLYN", "Colm Tóibín"),
            ("BROOKLYN Colm Tóibín", "BROOKLYN", "Colm Tóibín"),
        ])
    func unlisted(_ text: String, _ title: String, _ name: String) {
        let parts = NameInLine.split(text)
        #expect(parts?.title == title && parts?.name == name)
    }

    @Test(
        "Other text on a spine is neither title nor author",
        arguments: [
            ["CLASSICAL MECHANICS", "HERBERT GOLDSTEIN", "THIRD", "EDITION"],
            ["CLASSICAL MECHANICS", "HERBERT GOLDSTEIN", "ADDISON", "WESLEY"],
            ["CLASSICAL MECHANICS", "HERBERT GOLDSTEIN", "THE NATIONAL ACADEMIES PRESS"],
        ])
    func besides(_ lines: [String]) throws {
        let found = try assign(lines.enumerated().map { ($1, $0 < 2 ? 40 : 25) })
        #expect(found.title == "Classical Mechanics" && found.author == "Herbert Goldstein")
    }

    @Test(
        "A title is printed without its edition and with its subtitle apart",
        arguments: [
            ("Effective C++ Third Edition", "Effective C++"), ("Fluent Python 2nd Edition", "Fluent Python"),
            ("Kochen für Kinder 3. Auflage", "Kochen für Kinder"),
            ("Functional Histology A Text and Colour Atlas", "Functional Histology: A Text and Colour Atlas"),
        ])
    func wholeTitle(_ line: String, _ title: String) throws {
        let found = try assign([(text: line, height: 40)])
        #expect(found.title == title, "\(found.author ?? "")")
    }

    @Test("A word divided at the end of a line is one word")
    func divided() throws {
        let found = try assign([("LUCINDA RILEY", 40), ("Engels-", 60), ("BAUM", 60)])
        #expect(found.title == "Engelsbaum" && found.author == "Lucinda Riley")
    }

    @Test("Further authors who are not named are not an author")
    func others() throws {
        let found = try assign([("et al.", 20), ("Programming Interviews Exposed", 50)])
        #expect(found.title == "Programming Interviews Exposed" && found.author == nil)
    }

    @Test("An author does not end with a function word or an edition")
    func openEnds() throws {
        #expect(try assign([("The Visual Display of Quantitative Information secono ED", 40)]).author == nil)
        let found = try assign([("ATLAS ILUSTRADO DE LOS", 30), ("Deportes de aventura", 34)])
        #expect(found.title == "ATLAS ILUSTRADO DE LOS Deportes de aventura")
        #expect(found.author == nil)
    }

    @Test("An organisation is the author where no person is")
    func organisations() throws {
        let body = ("THE PRINCETON LANGUAGE INSTITUTE", 20.0)
        let alone = try assign([("10 Days to Faster Reading", 50), body])
        #expect(alone.title == "10 Days to Faster Reading" && alone.author == "The Princeton Language Institute")
        let beside = try assign([("10 Days to Faster Reading", 50), ("Abby Marks-Beale", 40), body])
        #expect(beside.title == "10 Days to Faster Reading" && beside.author == "Abby Marks-Beale")
        let kitchen = try assign([("COOKING FOR BEGINNERS", 50), ("RIVERTOWN'S TEST KITCHEN", 30)])
        #expect(kitchen.title == "Cooking for Beginners" && kitchen.author == "Rivertown's Test Kitchen")
        let publisher = try assign([("10 Days to Faster Reading", 50), ("PRINCETON UNIVERSITY PRESS", 20)])
        #expect(publisher.author == nil)
    }

    @Test("A title does not end with a comma")
    func comma() throws {
        let found = try assign([("THINKING,", 95), ("FAST AND SLOW", 100), ("DANIEL KAHNEMAN", 70)])
        #expect(found.title == "Thinking, Fast and Slow" && found.author == "Daniel Kahneman")
    }

    @Test("A possessive begins a title")
    func possessive() throws {
        let found = try assign([("Heath", 25), ("WHEATER'S Functional Histology", 50)])
        #expect(found.author?.contains("WHEATER") != true)
    }

    @Test("A name that a catalog lists, or that another spine has, too, is the author")
    func knownNames() throws {
        let lines = [("Blaue Tage", 30.0), ("Selma Okafor", 30.0)]
        for names in [KnownNames(listed: [["selma", "okafor"]]), KnownNames(repeated: [["selma", "okafor"]])] {
            let found = try assign(lines, knowing: names)
            #expect(found.title == "Blaue Tage" && found.author == "Selma Okafor")
        }
    }

    @Test("A line of many repeated names is not divided in all ways")
    func manyNames() throws {
        let names = KnownNames(repeated: [["ana", "ana"], ["ana", "ana", "ana"], ["ana", "ana", "ana", "ana"]])
        let line = Array(repeating: "Ana", count: 200).joined(separator: " ")
        let found = try assign([("Blaue Tage", 60), (line, 20)], knowing: names)
        #expect(found.title == "Blaue Tage")
    }

    @Test("A full name is the author where other text can be the title")
    func largeName() throws {
        let found = try assign([("LECTURES ON PROBABILITY", 20), ("AND STATISTICS", 20), ("Marco Taboga", 45)])
        #expect(found.title == "Lectures on Probability and Statistics" && found.author == "Marco Taboga")
    }

    @Test(
        "A title on several lines of any size is one title",
        arguments: [
            [("AN INTRODUCTION TO", 20.0), ("THERMAL PHYSICS", 40.0), ("DANIEL SCHROEDER", 25.0)],
            [("DANIEL SCHROEDER", 25), ("AN INTRODUCTION TO", 20), ("THERMAL PHYSICS", 40)],
            [("DANIEL SCHROEDER", 25), ("AN INTRODUCTION", 40), ("TO", 20), ("THERMAL PHYSICS", 40)],
        ])
    func broken(_ lines: [(String, Double)]) throws {
        let found = try assign(lines.map { (text: $0.0, height: $0.1) })
        #expect(found.title == "An Introduction to Thermal Physics" && found.author == "Daniel Schroeder")
    }

    static let mixed: [(lines: [(String, Double)], title: String, author: String)] = [
        ([("HEMINGWAY", 70), ("FOR WHOM THE", 38), ("BELL TOLLS", 38)], "For Whom the Bell Tolls", "Hemingway"),
        (
            [("GRIFFITHS", 40), ("INTRODUCTION TO QUANTUM MECHANICS", 50)], "Introduction to Quantum Mechanics",
            "Griffiths"
        ),
        (
            [("Biological Inorganic Chemistry", 60), ("BERTINI", 26), ("GRAY", 26)], "Biological Inorganic Chemistry",
            "Bertini Gray"
        ),
        ([("NEAL STEPHENSON THE DIAMOND AGE", 60)], "The Diamond Age", "Neal Stephenson"),
        ([("STEPHEN KING", 80), ("THE STAND", 40)], "The Stand", "Stephen King"),
        ([("HERMANN HESSE", 40), ("DER STEPPENWOLF", 60), ("SUHRKAMP", 20)], "Der Steppenwolf", "Hermann Hesse"),
        ([("Kafka", 50), ("Der Prozess", 50)], "Der Prozess", "Kafka"),
    ]

    @Test("Names and titles differ by their words, in any order and size", arguments: mixed)
    func words(_ lines: [(String, Double)], _ title: String, _ author: String) throws {
        let found = try assign(lines.map { (text: $0.0, height: $0.1) })
        #expect(found.title == title && found.author == author)
    }

    @Test("A smaller line below a title is its subtitle")
    func subtitle() throws {
        let lines = [("MISBEHAVING", 60.0), ("The Making of Behavioral Economics", 40), ("Richard Thaler", 40)]
        let found = try assign(lines.map { (text: $0.0, height: $0.1) })
        #expect(found.title == "Misbehaving: The Making of Behavioral Economics" && found.author == "Richard Thaler")
    }

    @Test(
        "Names of several publishers differ from titles",
        arguments: [
            ("HARPER Voyager", true), ("RANDOM HOUSE KNOPF BOOKS LITTLE, BROWN", true),
            ("Puffin Modern Classics", true),
            ("rororo rotfuchs", true), ("Books", false), ("", false), ("Knopf Emma", false), ("Vintage Murder", false),
        ])
    func publishers(_ text: String, _ isOnly: Bool) {
        #expect(Publishers.areOnly(TextNormalisation.words(text)) == isOnly)
    }

    static let manyLanguages = [
        ("MARGUERITE DURAS L’AMANT", "L’amant", "Marguerite Duras"),
        ("Elena Ferrante L'amica geniale", "L'amica geniale", "Elena Ferrante"),
        ("José Saramago Ensaio sobre a cegueira", "Ensaio sobre a cegueira", "José Saramago"),
        ("Åsa Larsson Solstorm", "Solstorm", "Åsa Larsson"),
        (
            "Christine Nöstlinger Wir pfeifen auf den Gurkenkönig", "Wir pfeifen auf den Gurkenkönig",
            "Christine Nöstlinger"
        ),
    ]

    @Test("A line in any language is split between author and title", arguments: manyLanguages)
    func languages(_ line: String, _ title: String, _ author: String) throws {
        let found = try assign([(line, 50)])
        #expect(found.title == title && found.author == author)
    }

    @Test("Call numbers are numbers", arguments: ["P 821 Ker", "38(09) Ber", "796.332 Luc", "N 14 KIN"])
    func callNumbers(_ text: String) {
        #expect(Numbering.isNumbering(TextNormalisation.words(text)))
    }

    @Test(
        "Titles with numbers are not call numbers", arguments: ["Catch 22", "12 Rules for Life", "Apollo 13", "Dune"])
    func titlesWithNumbers(_ text: String) {
        #expect(!Numbering.isNumbering(TextNormalisation.words(text)))
    }

    @Test(
        "Stickers of shops are not text of a book", arguments: ["USED", "SAVES BOOKSTORE", "www.shop.com", "shop.com"])
    func stickers(_ text: String) {
        #expect(Numbering.isNumbering(TextNormalisation.words(text)))
    }

    @Test(
        "Text with the words of shops is text of a book", arguments: ["Bookstore Cats", "Used and Rare", "The Dot Com"])
    func titlesWithShops(_ text: String) {
        #expect(!Numbering.isNumbering(TextNormalisation.words(text)))
    }

    @Test("Names on both sides of an ampersand are of one author")
    func ampersand() throws {
        let found = try assign([("PROGRAMMING HTML", 60), ("Robson &", 30), ("Freeman", 30)])
        #expect(found.title == "Programming Html" && found.author == "Robson & Freeman")
    }

    @Test("Names that an ampersand joins are the author, also below a subtitle")
    func ampersandBelowSubtitle() throws {
        let found = try assign([
            ("LEAN ANALYTICS", 60), ("Use Data to Build a", 30), ("Better Startup Faster", 30), ("Croll &", 32),
            ("Yoskovitz", 32),
        ])
        #expect(found.author == "Croll & Yoskovitz")
    }

    @Test("A point in the middle of a line divides author and title, also beside other text")
    func dividedLine() throws {
        let found = try assign([("Lewis", 40), ("artgerecht", 45), ("Carroll · Die kleine Alice", 50)])
        #expect(found.title == "Die kleine Alice")
    }

    @Test("A title of one word includes the word above it, unless that is a name, or an author is named")
    func wordAboveTitle() throws {
        #expect(try assign([("Introductory", 44), ("Combinatorics", 105)]).title == "Introductory Combinatorics")
        #expect(try assign([("AUSTEN", 44), ("Persuasion", 105)]).title == "Persuasion")
        #expect(try assign([("Sally Rooney", 44), ("BROOKLYN", 105)]).title == "Brooklyn")
    }

    @Test("A title of digits is a title", arguments: [("1984", "George Orwell"), ("2666", "Roberto Bolaño")])
    func figures(_ title: String, _ author: String) throws {
        let found = try assign([(title, 60), (author, 30)])
        #expect(found.title == title && found.author == author)
    }

    /// One below the other along a standing spine.
    private func assign(
        _ spine: [(text: String, height: Double)], knowing names: KnownNames = KnownNames()
    ) throws -> SpineRoles {
        var y = 100.0
        var lines: [TextLine] = []
        for (text, height) in spine {
            let length = height * 0.5 * Double(text.count)
            lines.append(down(text, x: 300, from: y, length: length, height: height))
            y += length + 2 * height
        }
        return try RoleAssignment.assign(
            placed(lines), knowing: names, by: try MatchingModel.fitted.get().roles)
    }
}
