import Imaging
import SpineReading

/// Decides which lines of a spine in Chinese or Japanese are its title and its author.
///
/// The model of `RoleAssignment` knows words, capitals and names of languages with letters; here the marks `著` and `訳`,
/// frequent surnames, the division of foreign names, and size decide.
enum EastAsianRoles {
    /// Names are set smaller than this share of the title's height, or are shorter.
    private static let smaller = 0.85

    /// A line, or what a space divides from it.
    private struct Piece {
        var line: Int
        var text: String
        var height: Double
    }

    /// Returns title and author where most letters of the spine are Han characters or kana; nil otherwise.
    ///
    /// - Parameter lines: of one spine, in reading order.
    static func assign(_ lines: [UprightLine]) -> SpineRoles? {
        guard EastAsianText.isMost(of: lines.map(\.line.text).joined()) else { return nil }
        var roles = lines.map { role(of: $0.line.text) }
        var (pieces, authors, editors, together): ([Piece], [Piece], [Piece], [Piece]) = ([], [], [], [])
        for (index, line) in lines.enumerated() where roles[index] == .other {
            func piece(_ text: String) -> Piece { Piece(line: index, text: text, height: line.height) }
            if let names = EastAsianText.names(line.line.text) {
                if names.allSatisfy(EastAsianText.isForeignName) {
                    pieces += names.map(piece)
                } else {
                    together += names.map(piece)
                }
                continue
            }
            let credits = EastAsianText.credits(line.line.text)
            authors += credits.authors.map(piece)
            editors += credits.editors.map(piece)
            pieces += credits.others.filter { role(of: $0) == .other }.map(piece)
        }
        pieces = joined(pieces)
        guard let main = pieces.max(by: { weight($0) < weight($1) }) else {
            return SpineRoles(title: nil, author: authors.first?.text, roles: roles)
        }
        let others = pieces.filter { $0.line != main.line || $0.text != main.text }
        let tests: [(Piece) -> Bool] = [
            { EastAsianText.isForeignName($0.text) }, { EastAsianText.startsWithSurname($0.text) },
            { EastAsianText.isForeignSurname($0.text) && EastAsianText.hasHan(main.text) },
        ]
        for test in tests where authors.isEmpty { authors = others.filter(test) }
        // People of Japan beside a foreign name translated or edited the book.
        if authors.isEmpty { authors = together + editors }
        if authors.isEmpty { authors = others.filter { isName($0, beside: main) } }
        roles[main.line] = .title
        for author in authors where author.line != main.line { roles[author.line] = .author }
        let names = authors.map { EastAsianText.settled($0.text) }
        return SpineRoles(
            title: main.text, author: names.isEmpty ? nil : names.joined(separator: ", "), roles: roles)
    }

    /// Joins a piece that ends with a particle and the next one that is as large: a title on two lines.
    private static func joined(_ pieces: [Piece]) -> [Piece] {
        pieces.reduce(into: []) { joined, piece in
            guard let last = joined.last, EastAsianText.isOpen(last.text), last.line != piece.line,
                asLarge.contains(piece.height / max(1, last.height)), EastAsianText.length(piece.text) >= leastLetters,
                !EastAsianText.isForeignName(piece.text), !EastAsianText.startsWithSurname(piece.text)
            else { return joined.append(piece) }
            joined[joined.count - 1] = Piece(line: piece.line, text: last.text + piece.text, height: piece.height)
        }
    }

    /// The ratio of the heights of two lines of one title.
    private static let asLarge = 0.7...1.4
    /// Of the second line: fewer are noise.
    private static let leastLetters = 3

    private static func role(of text: String) -> LineRole {
        if EastAsianText.isImprint(text) { return .publisher }
        if EastAsianText.isEdition(text) { return .number }
        return EastAsianText.length(text) == 0 || EastAsianText.isNumber(text) ? .number : .other
    }

    /// How much a piece looks like a title: large and long, and not a name.
    private static func weight(_ piece: Piece) -> Double {
        let length = Double(min(10, EastAsianText.length(piece.text)))
        let isName = EastAsianText.startsWithSurname(piece.text)
        let share = isName ? 0.3 : EastAsianText.isForeignName(piece.text) ? 0.5 : 1
        return share * piece.height * length.squareRoot()
    }

    /// Whether a piece is as short as a name of Han characters, two to five, and the title beside it is longer or larger.
    private static func isName(_ piece: Piece, beside title: Piece) -> Bool {
        let letters = piece.text.unicodeScalars.filter { !$0.properties.isWhitespace }
        return (2...5).contains(letters.count) && letters.allSatisfy(\.properties.isIdeographic)
            && (piece.height < smaller * title.height || EastAsianText.length(title.text) > letters.count)
    }
}
