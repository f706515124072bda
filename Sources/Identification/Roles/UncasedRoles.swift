import Imaging
import SpineReading

/// Decides which lines of a spine are its title and its author in scripts without capitals: Arabic, Devanagari, Hebrew,
/// Korean and Thai.
///
/// The model of `RoleAssignment` knows capitals and names of languages that have them; here size decides, then length.
enum UncasedRoles {
    /// Two lines are as large as each other if neither is larger than by this factor.
    private static let asLarge = 1.15
    /// Fewer letters, or a smaller share of all characters, are a part of an emblem, noise or a number.
    private static let (leastLetters, leastShare) = (2, 0.75)
    private static let scripts: [LetterScript] = [.arabic, .devanagari, .hangul, .hebrew, .thai]

    /// A line with letters.
    private struct Piece {
        let line: Int
        let text: String
        let height: Double

        var letters: Int { text.count(where: \.isLetter) }
    }

    /// Returns title and author where most letters of the spine are of one of these scripts; nil otherwise.
    ///
    /// - Parameter lines: of one spine, in reading order.
    static func assign(_ lines: [UprightLine]) -> SpineRoles? {
        let text = lines.map(\.line.text).joined()
        let letters = text.count(where: \.isLetter)
        guard letters > 0,
            scripts.contains(where: { script in 2 * text.count(where: script.contains) > letters })
        else { return nil }
        var roles = [LineRole](repeating: .other, count: lines.count)
        let pieces = lines.enumerated().compactMap { place, line -> Piece? in
            let piece = Piece(line: place, text: line.line.text, height: line.height)
            let all = piece.text.count { !$0.isWhitespace }
            if piece.letters >= leastLetters, Double(piece.letters) >= leastShare * Double(all) { return piece }
            roles[place] = .number
            return nil
        }
        guard let main = mainLine(of: pieces) else { return SpineRoles(title: nil, author: nil, roles: roles) }
        let title = titleLines(around: main, of: pieces)
        let author = mainLine(of: pieces.filter { piece in !title.contains { $0.line == piece.line } })
        for line in title { roles[line.line] = .title }
        if let author { roles[author.line] = .author }
        return SpineRoles(
            title: title.map(\.text).joined(separator: " "), author: author?.text, roles: roles)
    }

    /// Returns the longest of the largest lines.
    private static func mainLine(of pieces: [Piece]) -> Piece? {
        let largest = pieces.map(\.height).max() ?? 0
        return pieces.filter { asLarge * $0.height >= largest }.max { $0.letters < $1.letters }
    }

    /// Returns the lines beside the main one that are as large, where a smaller one is left for the author.
    private static func titleLines(around main: Piece, of pieces: [Piece]) -> [Piece] {
        func isAsLarge(_ piece: Piece) -> Bool {
            max(piece.height, main.height) <= asLarge * min(piece.height, main.height)
        }
        guard pieces.count > 2, pieces.contains(where: { !isAsLarge($0) }),
            let place = pieces.firstIndex(where: { $0.line == main.line })
        else { return [main] }
        let before = pieces[..<place].reversed().prefix(while: isAsLarge).reversed()
        return before + pieces[place...].prefix(while: isAsLarge)
    }
}
