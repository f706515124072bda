/// A person's name, split into the parts that cataloguing rules distinguish.
///
/// Reads headings (`Beauvoir, Simone de, 1908-1986`) and natural order (`Simone de Beauvoir`). Particles are compared
/// as part of the family name, wherever they were written.
public struct PersonName: Hashable, Sendable {
    /// Forenames and initials as written, such as `Simone`; empty for a single name.
    public var given = ""
    /// The family name without particles, or the only name: `Beauvoir`, `Homer`, `García Márquez`.
    public var family = ""
    /// Particles such as `de`, `van der`, `von`; often empty.
    public var particles = ""
    /// A suffix such as `Jr.` or `III`.
    public var suffix: String?
    public var birthYear: Int?
    public var deathYear: Int?
    /// Whether the family name is written first, as in Chinese, Japanese and Korean: `村上 春木`.
    public var isFamilyFirst = false

    /// The name in natural order: `Simone de Beauvoir`.
    public var displayName: String {
        let parts = isFamilyFirst ? [family, given] : [given, particles, family, suffix ?? ""]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The words of the family name, folded for comparison, without upper-case or lower-case particles.
    public var familyWords: [String] {
        let words = TextNormalisation.words(family)
        let bare = words.drop(while: Self.articleWords.contains)
        return bare.isEmpty ? words : Array(bare)
    }

    /// Reads one name; nil if the text does not contain a letter.
    ///
    /// Roles in brackets (`(ed.)`, `[illustrator]`) are omitted. Text longer than `lengthLimit` is not a name.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let text = Self.withoutBrackets(text)
        self.init(bare: text, isOrganisation: Organisation.isOne(text))
    }

    /// - Parameter text: without brackets.
    private init?(bare text: String, isOrganisation: Bool) {
        guard text.contains(where: \.isLetter) else { return nil }
        guard !isOrganisation else {
            family = text
            return
        }
        var parts: [String] = []
        for part in text.split(separator: ",").map({ String($0).trimmed }) where !part.isEmpty {
            if !parts.isEmpty, let years = Self.years(in: part) {
                (birthYear, deathYear) = years
            } else if !parts.isEmpty, Self.isSuffix(part) {
                suffix = part
            } else if parts.count < 2 {
                parts.append(part)
            }  // further parts of a heading are titles ("Sir", "Saint") and roles
        }
        guard let first = parts.first, first.contains(where: \.isLetter) else { return nil }
        if parts.count == 2 {
            readHeading(family: first, given: parts[1])
        } else {
            readNatural(first)
        }
    }

    /// Reads several names from one string: `A. One, B. Two`, `One, Ann; Two, Bob`, `Ann One & Bob Two`.
    ///
    /// A comma separates two people, or a family name from its forename. It separates people if both sides have at
    /// least two words and the right side does not consist of forenames and initials.
    /// Text longer than `lengthLimit` is not a list of names.
    public static func list(_ text: String) -> [PersonName] {
        guard text.utf8.count <= lengthLimit else { return [] }
        let text = withoutBrackets(text)
        let isOrganisation = Organisation.isOne(text)
        let parts = isOrganisation ? [text] : split(text)
        // Most texts are one name, which is then not folded again.
        return parts == [text]
            ? [PersonName(bare: text, isOrganisation: isOrganisation)].compactMap(\.self)
            : parts.compactMap(PersonName.init)
    }

    /// Separates the texts that `list` reads as one name each.
    package static func parts(of text: String) -> [String] {
        guard text.utf8.count <= lengthLimit else { return [] }
        let text = withoutBrackets(text)
        return Organisation.isOne(text) ? [text] : split(text)
    }

    /// - Parameter text: without brackets, and not the name of an organisation.
    private static func split(_ text: String) -> [String] {
        var parts = [text]
        for separator in [";", " & ", " and ", " with ", "|"] where text.mayContain(separator) {
            parts = parts.flatMap { $0.split(separator: separator).map(String.init) }
        }
        return parts.flatMap(splitAtCommas)
    }

    /// The largest number of bytes that is read as names.
    public static let lengthLimit = 20_000

    // MARK: - Reading

    private mutating func readHeading(family: String, given: String) {
        var familyWords = family.split(separator: " ")[...]
        var before: [Substring] = []
        while familyWords.count > 1, let first = familyWords.first, Self.isParticle(first) {
            before.append(familyWords.removeFirst())
        }
        var givenWords = given.split(separator: " ")[...]
        var after: [Substring] = []
        while givenWords.count > 1, let last = givenWords.last, Self.isParticle(last) {
            after.append(givenWords.removeLast())
        }
        self.family = familyWords.joined(separator: " ")
        self.given = givenWords.joined(separator: " ")
        isFamilyFirst = Self.isEastAsian(family + given)
        particles = (after.reversed() + before).joined(separator: " ")
    }

    private mutating func readNatural(_ text: String) {
        var words = text.split(whereSeparator: \.isWhitespace)[...]
        if words.count == 2, Self.isEastAsian(text) {
            (family, given, isFamilyFirst) = (String(words[0]), String(words[1]), true)
            return
        }
        while words.count > 2, let last = words.last, Self.isSuffix(String(last)) {
            suffix = String(words.removeLast())
        }
        // The family name starts at the first particle after the first word; without one, it is the last word.
        if let start = words.dropFirst().dropLast().firstIndex(where: Self.isParticle) {
            let family = words[start...].drop(while: Self.isParticle)
            particles = words[start..<family.startIndex].joined(separator: " ")
            self.family = family.joined(separator: " ")
            given = words[..<start].joined(separator: " ")
        } else {
            // A capitalized particle is part of the family name, and the name is filed under it.
            let mayBegin = words.count == 2 ? words.dropLast() : words.dropFirst().dropLast()
            let start = mayBegin.firstIndex(where: Self.isLargeParticle) ?? words.endIndex - 1
            family = words[start...].joined(separator: " ")
            given = words[..<start].joined(separator: " ")
        }
    }

    /// Whether all letters are Han characters, Hangul or kana.
    private static func isEastAsian(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isAlphabetic || scalar.properties.isIdeographic
                || [0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0xAC00...0xD7A3].contains {
                    $0.contains(scalar.value)
                }
        } && text.contains(where: \.isLetter)
    }

    private static func splitAtCommas(_ text: String) -> [String] {
        guard text.mayContain(",") else { return [text] }
        let parts = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        // "Surname, Forename, 1900-1980", "King, Martin Luther, Jr."
        let names = parts.filter { years(in: $0) == nil && !isSuffix($0) }
        guard names.count >= 2, names.count == parts.count else { return [text] }
        if names.count == 2 { return isHeading(names[0], names[1]) ? [text] : names }
        if names.allSatisfy({ $0.contains(" ") }) { return names }
        let pairs = stride(from: 0, to: names.count - 1, by: 2).map { (names[$0], names[$0 + 1]) }
        if names.count.isMultiple(of: 2), pairs.allSatisfy({ isHeading($0.0, $0.1) }) {
            return pairs.map { "\($0.0), \($0.1)" }
        }
        return names
    }

    /// Returns whether `left, right` is one person's heading rather than two people.
    private static func isHeading(_ left: String, _ right: String) -> Bool {
        let leftWords = left.split(separator: " ")
        let rightWords = right.split(separator: " ")
        if isInitials(leftWords[0]), !isEastAsian(left) { return false }  // "J.K. Rowling, ..."
        if leftWords.count == 1 || rightWords.count == 1 || isParticle(leftWords[0]) { return true }
        if isForename(leftWords[0]) { return false }
        return rightWords.allSatisfy { isInitials($0) || isParticle($0) || isForename($0) }
    }

    /// Reads dates such as `1900-1980`, `1943-`, `b. 1943`, `approximately 1340-1400`; nil for other text.
    private static func years(in text: String) -> (Int?, Int?)? {
        guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }.filter {
            (1...2100).contains($0)
        }
        let letters = text.filter(\.isLetter).count
        guard let first = numbers.first, letters <= 14 else { return nil }
        let isDeathOnly = text.hasPrefix("-") || text.hasPrefix("d.")
        return isDeathOnly ? (nil, first) : (first, numbers.count > 1 ? numbers[1] : nil)
    }

    private static func isSuffix(_ text: String) -> Bool {
        ["jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "m d"].contains(TextNormalisation.fold(text))
    }

    /// Returns whether a word consists of initials: `J.`, `J.K.`, `JK`.
    private static func isInitials(_ word: some StringProtocol) -> Bool {
        let letters = word.filter(\.isLetter)
        return word.contains(".") && word.split(separator: ".").allSatisfy { $0.count <= 2 }
            || letters.count == 1 || letters.count == 2 && letters.allSatisfy(\.isUppercase)
    }

    private static func isParticle(_ word: some StringProtocol) -> Bool {
        guard word.first?.isLowercase == true || word.contains("'") else { return false }
        return particleWords.contains(word.lowercased())
    }

    /// Returns whether a word is a capitalized particle, as in “Le Guin”.
    private static func isLargeParticle(_ word: some StringProtocol) -> Bool {
        word.first?.isUppercase == true && articleWords.contains(word.lowercased())
    }

    private static func withoutBrackets(_ text: String) -> String {
        guard text.utf8.contains(where: { "()[]".utf8.contains($0) }) else { return text.trimmed }
        var depth = 0
        var kept = ""
        for character in text {
            if character == "(" || character == "[" {
                depth += 1
            } else if character == ")" || character == "]" {
                depth = max(0, depth - 1)
            } else if depth == 0 {
                kept.append(character)
            }
        }
        return kept.trimmed
    }

    /// Particles under which a name is filed if they are capitalized.
    private static let articleWords: Set<String> = [
        "de", "del", "della", "dei", "degli", "di", "da", "das", "do", "dos", "du", "des", "la", "le", "las", "los",
        "van", "von", "der", "den", "ter", "ten",
    ]
    private static let particleWords = articleWords.union([
        "d'", "vom", "zu", "zum", "zur", "af", "av", "al", "el", "bin", "ibn", "ben", "y", "i", "e", "st.",
    ])

    /// Returns whether a word is a frequent forename; used only where commas are ambiguous (`García, Miguel Ángel`).
    private static func isForename(_ word: some StringProtocol) -> Bool {
        forenames.contains(TextNormalisation.fold(String(word)))
    }

    private static let forenames: Set<String> = Set(
        """
        ana andre andrea andreu andrew angel angela anna anne anthony antoni antonio arthur barbara beatriz benjamin \
        brian carl carla carles carlos carmen carol catherine charles christian christopher clara claude cristina dan \
        daniel david diana diego edgar eduardo elena elizabeth emma enric enrique eric ernest eva fernando francesc \
        francisco frank frederic gabriel george gloria guillem guillermo gustavo hans helen henri henry ignacio irene \
        isabel jaime james jan jane javier jean jeff jennifer jesus joan joaquim joaquin john jordi jorge jose josefa josep \
        joseph juan judith julia julian karen karl kate kevin laura lluis louis lucia luis luisa ma manuel marc margaret \
        maria marie mario mark marta martha martin mary matthew mercedes michael michel miguel miquel monica montserrat \
        nicholas nuria oscar pablo patricia patrick paul paula pedro peter philip pierre pilar rafael ramon raquel ray \
        richard robert roberto roger rosa ruth salvador sandra sara sarah sergio silvia simon sofia stephen steven susan \
        teresa thomas tom vicente victor virginia walter william xavier
        """.split(separator: " ").map(String.init))
}

// MARK: - Comparison

extension PersonName {
    /// The degree to which two names may belong to the same person.
    public enum Agreement: Comparable, Sendable {
        /// The family names differ.
        case none
        /// The family names agree; the forenames differ: `Ann Smith`, `Bob Smith`.
        case family
        /// The family names agree, and one name has no forename: `Rowling`, `J. K. Rowling`.
        case surnameOnly
        /// The forenames agree as far as initials allow: `J. K. Rowling`, `Joanne Rowling`.
        case initials
        /// The names are the same, in any order.
        case same
    }

    /// Compares two names, ignoring order, particles, accents and abbreviations of forenames.
    ///
    /// A second Spanish surname may be missing. If both names have dates, the dates must be compatible.
    public func agreement(with other: PersonName) -> Agreement {
        if let mine = birthYear, let theirs = other.birthYear, mine != theirs { return .none }
        let (a, b) = (Folded(self), Folded(other))
        if a.all.sorted() == b.all.sorted() { return .same }
        guard a.sharesFamily(with: b) || b.sharesFamily(with: a) else { return .none }
        let (mine, theirs) = (a.givenBeside(b), b.givenBeside(a))
        if mine.isEmpty || theirs.isEmpty { return mine.isEmpty && theirs.isEmpty ? .same : .surnameOnly }
        return Self.agree(mine, theirs)
    }

    /// Compares the forenames one by one; further forenames may be missing.
    private static func agree(_ a: [String], _ b: [String]) -> Agreement {
        var allWhole = true
        for (x, y) in zip(a, b) where x != y {
            guard x.count == 1 && y.hasPrefix(x) || y.count == 1 && x.hasPrefix(y) else { return .family }
            allWhole = false
        }
        return allWhole && a.count == b.count ? .same : .initials
    }

    private struct Folded {
        let given: [String]
        let family: [String]
        var all: [String] { given + family }

        init(_ name: PersonName) {
            // "J.K." and "JK" are two initials each.
            given = name.given.split(whereSeparator: { $0.isWhitespace || $0 == "." || $0 == "-" }).flatMap { part in
                let isInitials = part.count == 2 && part.allSatisfy(\.isUppercase)
                return isInitials
                    ? part.map { TextNormalisation.fold(String($0)) } : TextNormalisation.words(String(part))
            }
            family = name.familyWords
        }

        /// Returns whether the family name equals the other's or its first part, or was read as a forename:
        /// `Gabriel García Márquez` in natural order seems to have two forenames.
        func sharesFamily(with other: Folded) -> Bool {
            guard let first = family.first else { return false }
            return other.family.first == first || other.given.dropFirst().contains(first) && family.count > 1
                || family.count == 1 && other.family.count > 1 && other.family.last == first && given.isEmpty
        }

        /// Returns the forenames without those that are surnames in the other name.
        func givenBeside(_ other: Folded) -> [String] {
            given.filter { !other.family.contains($0) || given.count == 1 }
        }
    }
}
