import Bibliography

/// Numbers and the words that go with them: editions, volumes, call numbers.
package enum Numbering {
    /// Removes the number of a first volume in front of a title: "1 Buddenbrooks".
    ///
    /// Other numbers count something ("12 Rules for Life"); titles do not count one thing.
    package static func withoutFirstVolume(_ title: String) -> String {
        let parts = title.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["1", "1."].contains(parts[0]), parts[1].first?.isLetter == true else { return title }
        return String(parts[1])
    }

    /// Removes the edition at the end of a title: `Effective C++ Third Edition`.
    static func withoutEdition(_ title: String) -> String {
        let parts = title.split(separator: " ")
        func folded(_ part: Substring) -> String { TextNormalisation.fold(String(part)) }
        guard let last = parts.last, editions.contains(folded(last)) else { return title }
        let kept = parts.dropLast().reversed().drop { part in
            let word = folded(part)
            return words.contains(word) || ordinals.contains(word) || !word.isEmpty && word.allSatisfy(\.isNumber)
        }
        let isNumbered = kept.count < parts.count - 1
        guard isNumbered, kept.contains(where: { $0.count(where: \.isLetter) >= 3 }) else { return title }
        return NameInLine.trimmed(kept.reversed().joined(separator: " "))
    }

    /// Whether a line was cut within the number of its edition: `Effective C++ Third` and `Edition`.
    static func isEdition(divided before: [String], _ after: [String]) -> Bool {
        guard let number = before.last, let edition = after.first, editions.contains(edition) else { return false }
        return words.contains(number) || ordinals.contains(number) || number.contains(where: \.isNumber)
    }

    static func isEdition(_ word: String) -> Bool { editions.contains(word) }

    private static let editions: Set<String> = [
        "edition", "ed", "edn", "auflage", "aufl", "edicion", "edicio", "edizione",
    ]

    private static let words: Set<String> = [
        "edition", "ed", "edn", "auflage", "aufl", "edicion", "edicio", "edizione", "first", "second", "third",
        "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "1st", "2nd", "3rd", "4th", "5th", "6th",
        "7th", "8th", "9th", "10th", "anniversary", "fiftieth", "revised", "updated", "expanded", "international",
        "vol", "volume", "band", "bd",
        "tome", "tomo", "part", "teil", "isbn", "bestseller", "bestselling", "author", "new", "york", "times",
        "used", "book", "lecture", "note", "series", "том", "часть", "выпуск", "издание", "серия",
    ]

    /// Whether a line contains only words of a numbering that spans several lines: `THIRD` above `EDITION`.
    package static func continuesNumbering(_ line: [String]) -> Bool {
        !line.isEmpty && line.allSatisfy { ordinals.contains($0) || $0.allSatisfy(\.isNumber) }
    }

    /// Whether one letter of `edition` is wrong or missing.
    private static func isMisreadEdition(_ word: String) -> Bool {
        ["dition", "editon", "editio", "edtion", "editlon", "ediition"].contains(word)
    }

    private static let ordinals: Set<String> = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "edition", "edicion",
        "edicio", "auflage", "primera", "segunda", "tercera", "cuarta", "quinta",
    ]

    /// Whether a line is the sticker of a shop: `USED SAVES`, `www.shop.com`.
    static func isSticker(_ line: [String]) -> Bool {
        if line.contains(where: ofShops.contains), line.allSatisfy({ ofShops.contains($0) || besideShops.contains($0) })
        {
            return true
        }
        return (2...3).contains(line.count) && line.last.map(domains.contains) == true
            && (line.count == 2 || line[0] == "www")
    }

    private static let ofShops: Set<String> = ["used", "saves", "bookstore"]
    private static let besideShops: Set<String> = [
        "book", "books", "textbook", "textbooks", "copy", "price", "your", "campus", "college", "university",
    ]
    private static let domains: Set<String> = ["com", "net", "org"]

    /// Whether a line contains only numbering, or is a sticker.
    package static func isNumbering(_ line: [String]) -> Bool {
        let letters = line.joined().filter(\.isLetter).count
        if letters < 2 || isSticker(line) { return true }
        // A call number: 796.332 Luc.
        if let first = line.first, first.count == 3, first.allSatisfy(\.isNumber), letters <= 4 { return true }
        let plain = line.filter { !$0.allSatisfy(\.isNumber) }
        // Others: P 821 Ker, 38(09) Ber.
        if plain.count < line.count, line.contains(where: { $0.count > 1 && $0.allSatisfy(\.isNumber) }),
            plain.allSatisfy({ $0.count <= 3 && $0.allSatisfy(\.isLetter) })
        {
            return true
        }
        return plain.allSatisfy { words.contains($0) || isMisreadEdition($0) }
            && plain.contains {
                isMisreadEdition($0)
                    || [
                        "edition", "ed", "auflage", "author", "times", "vol", "volume", "band", "used", "anniversary",
                        "series", "bestselling", "том", "часть", "выпуск", "издание",
                    ].contains($0)
            }
    }
}
