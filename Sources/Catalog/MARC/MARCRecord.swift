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

    /// The book as its spine names it, and the same in Latin letters if the record has both; empty without a title.
    ///
    /// Fields 880 repeat others in the original script (MARC 21, appendix A); their subfield 6 names the other field.
    var descriptions: [BookRecord] {
        let original = MARCRecord(fields: fields.map { inOriginalScript($0) ?? $0 })
        guard let book, let other = original.book, other != book else { return [book].compactMap(\.self) }
        // Some catalogs write the original script into the usual fields, and the romanisation into 880.
        return book.title.contains { $0.isLetter && $0.unicodeScalars.allSatisfy { $0.value > 0x24F } }
            ? [book, other] : [other, book]
    }

    /// Returns the field 880 that repeats a field: its subfield 6 `245-02/$1` answers `880-02`.
    private func inOriginalScript(_ field: Field) -> Field? {
        guard let link = field.first("6"), link.hasPrefix("880-") else { return nil }
        let number = link.dropFirst(4).prefix(2)
        guard number != "00",
            var linked = all("880").first(where: {
                $0.first("6")?.hasPrefix("\(field.tag)-\(number)") == true
            })
        else { return nil }
        linked.tag = field.tag
        return linked
    }

    /// The book that the record describes; nil without a title (field 245, subfield a).
    ///
    /// ISBD punctuation between the parts is removed.
    private var book: BookRecord? {
        guard let title = first("245"), let main = title.text("a") else { return nil }
        var book = BookRecord(id: "", title: ([main] + parts(of: title)).joined(separator: ". "))
        book.subtitle = title.text("b")
        book.authors = authors
        book.isbn = isbns.first?.isbn13
        let imprint = first("260") ?? all("264").first { $0.first("b") != nil } ?? first("264")
        book.publisher = imprint?.text("b")
        book.year = imprint?.first("c").flatMap(Year.first) ?? fixed(7..<11).flatMap(Year.first)
        book.pages = first("300")?.first("a").flatMap(Self.pages)
        book.language = fixed(35..<38).flatMap { $0.allSatisfy { ("a"..."z").contains($0) } ? $0 : nil }
        book.series = series
        return book
    }

    /// The series as the title page or the catalog names it, the one with a number first: `Earthsea, #3`.
    private var series: String? {
        let named = ["490", "830", "440"].flatMap(all).filter { $0.text("a") != nil }
        guard let field = named.first(where: { $0.text("v") != nil }) ?? named.first, let name = field.text("a") else {
            return nil
        }
        guard let number = field.text("v") else { return name }
        let statement = SeriesStatement("\(name), #\(number)")
        return statement.number == nil ? "\(name), \(number)" : statement.text
    }

    var isbns: [ISBN] { all("020").compactMap { $0.first("a").flatMap { ISBN($0) } } }

    /// The number and name of a part: `Vol. 2`, `The return of the king`.
    private func parts(of title: Field) -> [String] {
        title.subfields.filter { $0.code == "n" || $0.code == "p" }.map { Self.clean($0.value) }.filter { !$0.isEmpty }
    }

    /// The main entry first, then the added entries, as many as decide that a book has too many (100); persons with their
    /// dates, and organisations.
    private var authors: [String] {
        var names: [String] = []
        for field in fields where ["100", "110", "700", "710"].contains(field.tag) && Self.isAuthor(field) {
            guard names.count <= 100 else { break }
            guard let name = field.tag.hasSuffix("10") ? Self.organisation(field) : Self.person(field) else { continue }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func person(_ field: Field) -> String? {
        field.text("a").map { name in field.text("d").map { "\(name), \($0)" } ?? name }
    }

    /// The name with its subordinate units: `Food and Harbour Organization. Library`.
    ///
    /// It is one name whatever words it has, so `and` does not separate persons in it, nor a comma a forename.
    private static func organisation(_ field: Field) -> String? {
        let parts = field.subfields.filter { $0.code == "a" || $0.code == "b" }.map { clean($0.value) }
        let name = parts.filter { !$0.isEmpty }.joined(separator: ". ")
        return name.isEmpty ? nil : Organisation.marked(name)
    }

    /// Excludes added entries for translators and illustrators (relator code or term), and for authors of other works
    /// that the record mentions (subfield t).
    private static func isAuthor(_ field: Field) -> Bool {
        guard field.tag.hasPrefix("7") else { return true }
        let others = [
            "trl", "ill", "nrt", "dsr", "pht", "trad", "tran", "ilustr", "illustr", "il.", "narr", "fotogr", "pbl",
            "publi",
            "isb", "issuing", "spn", "sponsor", "his", "host", "dst", "prt", "printer",
        ]
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
