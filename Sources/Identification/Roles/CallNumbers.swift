import Imaging
import SpineReading

/// The call numbers of a library: stickers with text of one form, `796.323 Joh`, in one place on several spines.
struct CallNumbers {
    /// Fewer lines of one form may be numbers of a series.
    private static let leastLines = 3
    /// In lengths of the line: the largest distance of stickers that are in one place, across the shelf's height.
    private static let farthest = 2.0

    /// The indices of the lines that are call numbers.
    private let lines: Set<Int>
    /// The first three figures of the classes that the call numbers name.
    private let classes: Set<Substring>

    /// O(lines²).
    ///
    /// - Parameter lines: all lines of a photo.
    /// - Throws: `IdentificationError.tooMuchText`.
    init(_ lines: [UprightLine], effort: IdentificationEffort) throws {
        let forms = lines.map { Self.form($0.line.text) }
        var found: Set<Int> = []
        for (line, form) in zip(lines, forms) where form != nil {
            try effort.spend(3 * lines.count)
            let alike = zip(lines, forms).count { other, its in
                its == form && abs(other.quad.center.y - line.quad.center.y) <= Self.farthest * line.length
            }
            if alike >= Self.leastLines { found.insert(line.index) }
        }
        self.lines = found
        classes = Set(lines.filter { found.contains($0.index) }.compactMap { Self.classNumber($0.line.text) })
    }

    /// Returns the call number among the lines of one spine; nil if it shows none.
    func text(among spine: [UprightLine]) -> String? {
        spine.first { lines.contains($0.index) }?.line.text
    }

    /// Whether a line is a call number, or the label of a shelf with books of such a class: `796 SPORT`.
    func isLabel(_ line: UprightLine) -> Bool {
        lines.contains(line.index) || Self.classNumber(line.line.text).map(classes.contains) ?? false
    }

    /// Whether a line is the sign of a shelf with books of such a class, with a word of three letters: `796 SPORT`.
    func isSign(_ line: UprightLine) -> Bool {
        !lines.contains(line.index) && isLabel(line) && line.words.contains { $0.count { $0.isLetter } >= 3 }
    }

    /// The form of a call number, `9A` for `796.323 Joh`; nil for other text.
    private static func form(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        let form = parts.map { part in
            isClass(part) ? "9" : part.count <= 4 && part.allSatisfy(\.isLetter) ? "A" : " "
        }.joined()
        return (2...3).contains(form.count) && form.contains("9") && !form.contains(" ") ? form : nil
    }

    /// The first three figures of the class.
    private static func classNumber(_ text: String) -> Substring? {
        text.split(separator: " ").first(where: isClass)?.prefix(3)
    }

    /// Whether this is a class of the decimal classifications: `796`, `796.323`, `796(09)`.
    private static func isClass(_ part: Substring) -> Bool {
        part.count >= 3 && part.prefix(3).allSatisfy(\.isNumber)
            && part.dropFirst(3).allSatisfy { $0.isNumber || ".()-/:".contains($0) }
            && (part.count == 3 || part.contains { ".(".contains($0) })
    }
}
