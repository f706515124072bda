import Bibliography

/// A bibliographic record in MARC 21: numbered fields of lettered subfields.
struct MARCRecord: Sendable {
    struct Field: Sendable {
        var tag: String
        /// The value of a control field (00X); empty in a data field.
        var value = ""
        var subfields: [(code: Character, value: String)] = []

        func first(_ code: Character) -> String? { subfields.first { $0.code == code }?.value }

        /// The subfield without the punctuation at its end; nil if nothing is left.
        func text(_ code: Character) -> String? {
            first(code).map(MARCRecord.clean).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    var fields: [Field] = []

    /// The book that the record describes; nil without a title (field 245, subfield a).
    ///
    /// ISBD punctuation between the parts is removed.
    var book: Record? {
        guard let title = first("245"), let main = title.text("a") else { return nil }
        var book = Record(id: "", title: ([main] + parts(of: title)).joined(separator: ". "))
        book.subtitle = title.text("b")
        book.authors = authors
        book.isbn = isbns.first?.isbn13
        let imprint = first("260") ?? all("264").first { $0.first("b") != nil } ?? first("264")
        book.publisher = imprint?.text("b")
        book.year = imprint?.first("c").flatMap(Year.first) ?? fixed(7..<11).flatMap(Year.first)
        book.pages = first("300")?.first("a").flatMap(Self.pages)
        book.language = fixed(35..<38).flatMap { $0.allSatisfy { ("a"..."z").contains($0) } ? $0 : nil }
        book.series = (first("490") ?? first("830") ?? first("440")).flatMap { field in
            field.text("a").map { name in field.text("v").map { "\(name), \($0)" } ?? name }
        }
        return book
    }

    var isbns: [ISBN] { all("020").compactMap { $0.first("a").flatMap { ISBN($0) } } }

    /// The number and name of a part: `Vol. 2`, `The return of the king`.
    private func parts(of title: Field) -> [String] {
        title.subfields.filter { $0.code == "n" || $0.code == "p" }.map { Self.clean($0.value) }.filter { !$0.isEmpty }
    }

    /// The main entry first, then the added entries; persons with their dates, and organisations.
    private var authors: [String] {
        var names: [String] = []
        for field in fields where ["100", "110", "700"].contains(field.tag) && Self.isAuthor(field) {
            guard let name = field.text("a") else { continue }
            let full = field.text("d").map { "\(name), \($0)" } ?? name
            if !names.contains(full) { names.append(full) }
        }
        return names
    }

    /// Excludes added entries for translators and illustrators (relator code or term), and for authors of other works
    /// that the record mentions (subfield t).
    private static func isAuthor(_ field: Field) -> Bool {
        guard field.tag == "700" else { return true }
        let others = ["trl", "ill", "nrt", "dsr", "pht", "trad", "tran", "ilustr", "illustr", "il.", "narr", "fotogr"]
        return !field.subfields.contains { subfield in
            let value = subfield.value.lowercased()
            return subfield.code == "t"
                || "e4".contains(subfield.code) && others.contains { value.hasPrefix($0) }
        }
    }

    private func first(_ tag: String) -> Field? { fields.first { $0.tag == tag } }
    private func all(_ tag: String) -> [Field] { fields.filter { $0.tag == tag } }

    /// Returns a range of characters of field 008.
    private func fixed(_ range: Range<Int>) -> String? {
        guard let value = first("008")?.value, value.count >= range.upperBound else { return nil }
        return String(value.dropFirst(range.lowerBound).prefix(range.count))
    }

    /// Removes separators at the end; keeps the full stop of an initial (`Kuang, R. F.`).
    private static func clean(_ text: String) -> String {
        var text = text.trimmed[...]
        while let last = text.last {
            if " /:;,=".contains(last) {
                text.removeLast()
            } else if last == ".", !text.hasSuffix("..."), (text.dropLast().split(separator: " ").last?.count ?? 0) > 2
            {
                text.removeLast()
            } else {
                break
            }
        }
        return String(text)
    }

    /// Returns the largest number before the page unit in `xii, 345 p. : il.`.
    private static func pages(_ text: String) -> Int? {
        text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }.filter { (1...20_000).contains($0) }.max()
    }
}

/// Why a record was skipped.
struct MARCFault: Error { let reason: String }
