import Bibliography
import Testing

@Suite("Person names")
struct PersonNameTests {
    @Test("Long text is not read as names or as parts of a title")
    func longText() {
        let particles = "Name, z" + String(repeating: " de", count: 6_000)
        #expect(PersonName(particles)?.particles.count == 6_000 * 3 - 1)
        let long = "Name, z" + String(repeating: " de", count: 300_000)
        #expect(PersonName(long) == nil)
        #expect(PersonName.list(long).isEmpty)
        let brackets = "Title" + String(repeating: " (#1)", count: 100_000)
        #expect(Title(brackets).main == brackets)
    }

    @Test(
        "Names are read from headings and in natural order",
        arguments: [
            ("King, Stephen", "Stephen", "", "King", nil as Int?, nil as Int?),
            ("Stephen King", "Stephen", "", "King", nil, nil),
            ("Bunge, Mario, 1919-2020", "Mario", "", "Bunge", 1919, 2020),
            ("Rowling, J. K., 1965-", "J. K.", "", "Rowling", 1965, nil),
            ("Beauvoir, Simone de, 1908-1986", "Simone", "de", "Beauvoir", 1908, 1986),
            ("Simone de Beauvoir", "Simone", "de", "Beauvoir", nil, nil),
            ("Ludwig van Beethoven", "Ludwig", "van", "Beethoven", nil, nil),
            ("García Márquez, Gabriel, 1927-2014", "Gabriel", "", "García Márquez", 1927, 2014),
            ("Homer", "", "", "Homer", nil, nil),
            ("Porta, Carles (Periodista)", "Carles", "", "Porta", nil, nil),
            ("George R. R. Martin", "George R. R.", "", "Martin", nil, nil),
            ("Martin Luther King Jr.", "Martin Luther", "", "King", nil, nil),
            ("King, Martin Luther, Jr., 1929-1968", "Martin Luther", "", "King", 1929, 1968),
            ("Cruz, Juana Inés de la, 1648-1695", "Juana Inés", "de la", "Cruz", 1648, 1695),
            ("d'Ors, Pablo", "Pablo", "", "d'Ors", nil, nil),
            ("Ursula K. Le Guin", "Ursula K.", "", "Le Guin", nil, nil),
            ("Le Guin, Ursula K., 1929-2018", "Ursula K.", "", "Le Guin", 1929, 2018),
            ("Walter De La Mare", "Walter", "", "De La Mare", nil, nil),
            ("Le Guin", "", "", "Le Guin", nil, nil),
            ("Le Ly Hayslip", "Le Ly", "", "Hayslip", nil, nil),
        ])
    func reads(_ text: String, given: String, particles: String, family: String, born: Int?, died: Int?) throws {
        let name = try #require(PersonName(text))
        #expect(name.given == given)
        #expect(name.particles == particles)
        #expect(name.family == family)
        #expect(name.birthYear == born)
        #expect(name.deathYear == died)
    }

    @Test(
        "Names in Han characters, Hangul and kana begin with the family name",
        arguments: [("村上 春木", "村上", "春木"), ("김 하나", "김", "하나"), ("刘慈心", "刘慈心", ""), ("村上, 春木", "村上", "春木")])
    func eastAsian(_ text: String, _ family: String, _ given: String) throws {
        let name = try #require(PersonName(text))
        #expect((name.family, name.given) == (family, given))
    }

    @Test("A name without a letter is nil", arguments: ["", ",", " , ", "1900-1980", "(ed.)", "…"])
    func nothing(_ text: String) {
        #expect(PersonName(text) == nil)
    }

    @Test(
        "Names are shown in natural order",
        arguments: [
            ("Beauvoir, Simone de, 1908-1986", "Simone de Beauvoir"),
            ("King, Martin Luther, Jr.", "Martin Luther King Jr."),
            ("Homer", "Homer"),
        ])
    func display(_ text: String, _ shown: String) {
        #expect(PersonName(text)?.displayName == shown)
    }

    @Test(
        "Several names in one string are separated",
        arguments: [
            ("J.K. Rowling, Mary GrandPré", ["J.K. Rowling", "Mary GrandPré"]),
            ("Terry Pratchett, Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
            ("King, Stephen; Straub, Peter", ["Stephen King", "Peter Straub"]),
            ("Ann Leckie & Bob Shaw", ["Ann Leckie", "Bob Shaw"]),
            ("Ann Leckie and Bob Shaw", ["Ann Leckie", "Bob Shaw"]),
            ("King, Stephen, Straub, Peter", ["Stephen King", "Peter Straub"]),
            ("Belmonte Nieto, Manuel", ["Manuel Belmonte Nieto"]),
            ("Pérez Nieto, Miguel Ángel", ["Miguel Ángel Pérez Nieto"]),
            ("Rowling, J.K.", ["J.K. Rowling"]),
            ("Martin, George R. R.", ["George R. R. Martin"]),
            ("Freud, Sigmund, 1856-1939", ["Sigmund Freud"]),
            ("A. Albet, R. Méndez, F. Muñoz", ["A. Albet", "R. Méndez", "F. Muñoz"]),
            ("Ortega y Gasset, José", ["José Ortega y Gasset"]),
            ("Ann One (ed.)and Bob Two", ["Ann One", "Bob Two"]),
            ("Ünal Öz & Bob Two", ["Ünal Öz", "Bob Two"]),
            ("Food and Harbour Organization", ["Food and Harbour Organization"]),
            ("Department of Trade and Industry", ["Department of Trade and Industry"]),
            ("Barnard and Noll, Inc.", ["Barnard and Noll, Inc."]), ("Simon & Sons Ltd", ["Simon & Sons Ltd"]),
            ("The Salt and the Sea", ["The Salt and the Sea"]),
            ("Ann One and Harbour University", ["Ann One", "Harbour University"]),
            ("Nora Holt and Ida Lund", ["Nora Holt", "Ida Lund"]),
            ("Holt, Nora and Ida Lund", ["Nora Holt", "Ida Lund"]),
            ("John Press", ["John Press"]), ("村上 春木", ["村上 春木"]), ("김 하나; 刘, 慈心", ["김 하나", "刘 慈心"]),
            ("", []),
        ])
    func list(_ text: String, _ names: [String]) {
        #expect(PersonName.list(text).map(\.displayName) == names)
    }

    @Test(
        "Names are compared by cataloguing rules",
        arguments: [
            ("King, Stephen, 1947-", "Stephen King", PersonName.Agreement.same),
            ("J. K. Rowling", "Rowling, Joanne", .initials),
            ("J.K. Rowling", "J. K. Rowling", .same),
            ("JK Rowling", "J. K. Rowling", .same),
            ("Rowling", "J. K. Rowling", .surnameOnly),
            ("Le Guin", "Ursula K. Le Guin", .surnameOnly),
            ("GUIN", "Ursula K. Le Guin", .surnameOnly),
            ("Guin, Ursula K. le", "Ursula K. Le Guin", .same),
            ("KING", "King, Stephen", .surnameOnly),
            ("Simone de Beauvoir", "Beauvoir, Simone de, 1908-1986", .same),
            ("Gabriel García Márquez", "García Márquez, Gabriel", .same),
            ("Gabriel Garcia", "García Márquez, Gabriel", .same),
            ("Tolkien, J. R. R.", "John Ronald Reuel Tolkien", .initials),
            ("Tolkien, J. R. R.", "J. Tolkien", .initials),
            ("Ann Smith", "Bob Smith", .family),
            ("Dumas, Alexandre, 1802-1870", "Dumas, Alexandre, 1824-1895", .none),
            ("Stephen King", "Stephen Hawking", .none),
            ("Homer", "Virgil", .none),
        ])
    func agree(_ a: String, _ b: String, _ expected: PersonName.Agreement) throws {
        let (a, b) = (try #require(PersonName(a)), try #require(PersonName(b)))
        #expect(a.agreement(with: b) == expected)
        #expect(b.agreement(with: a) == expected, "agreement is symmetric")
    }
}
