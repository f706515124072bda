import Bibliography

/// Reads lines of the Open Library dumps: type, key, revision, date and JSON, separated by tabs.
///
/// Format: https://openlibrary.org/developers/dumps. Accepts all types in any file, so `ol_dump_latest`, which
/// contains everything, works too.
enum OpenLibraryLine {
    /// Whether a file that starts with these bytes is a dump; its first lines may be malformed.
    static func isDump(start: [UInt8]) -> Bool {
        start.split(separator: 0x0A).contains { line in
            line.starts(with: "/type/".utf8) && line.count { $0 == 0x09 } >= 4
        }
    }

    /// Adds the row of one line; skips redirects, deletions, other types, and rows that `filter` leaves out.
    ///
    /// - Returns: the fault of a malformed line.
    static func parse(
        _ line: UnsafeBufferPointer<UInt8>, into batch: inout RowBatch, keeping filter: RowFilter = RowFilter()
    ) -> String? {
        if line.isEmpty { return nil }
        guard let tabs = firstFourTabs(line) else { return "not five columns separated by tabs" }
        let kind = UnsafeBufferPointer(rebasing: line[..<tabs.0])
        let key = UnsafeBufferPointer(rebasing: line[tabs.0 + 1..<tabs.1])
        let json = UnsafeBufferPointer(rebasing: line[tabs.3 + 1..<line.count])
        var scanner = JSONScanner(json)
        let isRead: Bool
        if equal(kind, "/type/edition") {
            guard let id = number(ofKey: key, UInt8(ascii: "M")) else { return "not the key of an edition (OL…M)" }
            isRead = edition(id, &scanner, &batch, filter)
        } else if equal(kind, "/type/work") {
            guard let id = number(ofKey: key, UInt8(ascii: "W")) else { return "not the key of a work (OL…W)" }
            guard filter.keeps(work: id) else { return nil }
            isRead = work(id, &scanner, &batch)
        } else if equal(kind, "/type/author") {
            guard let id = number(ofKey: key, UInt8(ascii: "A")) else { return "not the key of an author (OL…A)" }
            guard filter.keeps(author: id) else { return nil }
            isRead = author(id, &scanner, &batch)
        } else {
            return kind.starts(with: "/type/".utf8) ? nil : "the first column is not a type"
        }
        return isRead && scanner.peek() == nil ? nil : "the fifth column is not a JSON object"
    }

    // MARK: - The three types

    /// Calls `body` for each member of the object that is the rest of the line.
    ///
    /// - Returns: false if the object is malformed; the text that `body` added is then removed.
    private static func forEachMember(
        _ scanner: inout JSONScanner, _ batch: inout RowBatch,
        _ body: (inout JSONScanner, inout RowBatch, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let textStart = batch.text.count
        if scanner.forEachMember({ body(&$0, &batch, $1) }), scanner.peek() == nil { return true }
        batch.text.removeLast(batch.text.count - textStart)
        return false
    }

    private static func author(_ id: Int64, _ scanner: inout JSONScanner, _ batch: inout RowBatch) -> Bool {
        var row = AuthorRow(id: id, name: TextRange())
        let isRead = forEachMember(&scanner, &batch) { scanner, batch, key in
            if equal(key, "name") || equal(key, "personal_name") && row.name.isEmpty {
                row.name = scanner.string(into: &batch.text)
                return true
            }
            return scanner.skipValue()
        }
        guard isRead else { return false }
        if !row.name.isEmpty { batch.authors.append(row) }
        return true
    }

    private static func work(_ id: Int64, _ scanner: inout JSONScanner, _ batch: inout RowBatch) -> Bool {
        var row = WorkRow(id: id)
        let isRead = forEachMember(&scanner, &batch) { scanner, batch, key in
            if equal(key, "title") {
                row.title = scanner.string(into: &batch.text)
            } else if equal(key, "subtitle") {
                row.subtitle = scanner.string(into: &batch.text)
            } else if equal(key, "authors") {
                row.authors = ids(&scanner, UInt8(ascii: "A"), &batch)
            } else {
                return scanner.skipValue()
            }
            return true
        }
        guard isRead else { return false }
        if !row.title.isEmpty { batch.works.append(row) }
        return true
    }

    private static func edition(
        _ id: Int64, _ scanner: inout JSONScanner, _ batch: inout RowBatch, _ filter: RowFilter
    ) -> Bool {
        var row = EditionRow(id: id)
        var isInLanguage = true
        let textStart = batch.text.count
        var isbns = ISBNs()
        let isRead = forEachMember(&scanner, &batch) { scanner, batch, key in
            switch (key.first, key.count) {
            case (UInt8(ascii: "t"), 5) where equal(key, "title"):
                row.title = scanner.string(into: &batch.text)
            case (UInt8(ascii: "s"), 8) where equal(key, "subtitle"):
                row.subtitle = scanner.string(into: &batch.text)
            case (UInt8(ascii: "s"), 6) where equal(key, "series"):
                row.series = firstString(&scanner, &batch)
            case (UInt8(ascii: "p"), 10) where equal(key, "publishers"):
                row.publisher = firstString(&scanner, &batch)
            case (UInt8(ascii: "p"), 12) where equal(key, "publish_date"):
                row.year = year(&scanner)
            case (UInt8(ascii: "n"), 15) where equal(key, "number_of_pages"):
                row.pages = scanner.integer().map { (1...100_000).contains($0) ? $0 : 0 } ?? 0
            case (UInt8(ascii: "c"), 6) where equal(key, "covers"):
                row.cover = firstPositive(&scanner)
            case (UInt8(ascii: "l"), 9) where equal(key, "languages"):
                (row.language, isInLanguage) = language(&scanner, &batch, filter)
            case (UInt8(ascii: "w"), 5) where equal(key, "works"):
                row.work = firstReference(&scanner, UInt8(ascii: "W")) ?? 0
            case (UInt8(ascii: "a"), 7) where equal(key, "authors"):
                row.authors = ids(&scanner, UInt8(ascii: "A"), &batch)
            case (UInt8(ascii: "i"), _) where equal(key, "isbn_13") || equal(key, "isbn_10") || equal(key, "isbn"):
                isbns.read(&scanner)
            default:
                return scanner.skipValue()
            }
            return true
        }
        guard isRead else { return false }
        guard isInLanguage, !filter.needsISBN || isbns.first != 0 else {
            batch.text.removeLast(batch.text.count - textStart)
            return true
        }
        if row.work == 0 {
            // An edition without a work gets a generated work.
            guard !row.title.isEmpty else { return true }
            row.work = Identity.workOfLoneEdition(id)
            batch.works.append(
                WorkRow(id: row.work, title: row.title, subtitle: row.subtitle, authors: row.authors))
        }
        row.isbn = isbns.first
        for isbn in isbns.others { batch.otherISBNs.append((isbn, id)) }
        batch.editions.append(row)
        return true
    }

    // MARK: - Fields

    /// The distinct valid ISBNs of one edition.
    private struct ISBNs {
        private(set) var first = 0
        private(set) var others: [Int] = []

        mutating func read(_ scanner: inout JSONScanner) {
            guard scanner.peek() == UInt8(ascii: "[") else {
                _ = scanner.skipValue()
                return
            }
            _ = scanner.forEachElement { scanner in
                guard scanner.peek() == UInt8(ascii: "\""), let text = scanner.rawString() else {
                    return scanner.skipValue()
                }
                if let isbn = ISBN(digits: text)?.number { add(isbn) }
                return true
            }
        }

        private mutating func add(_ isbn: Int) {
            if first == 0 {
                first = isbn
            } else if isbn != first, others.count < 8, !others.contains(isbn) {
                others.append(isbn)
            }
        }
    }

    private static func firstString(_ scanner: inout JSONScanner, _ batch: inout RowBatch) -> TextRange {
        guard scanner.peek() == UInt8(ascii: "[") else { return scanner.string(into: &batch.text) }
        var range = TextRange()
        _ = scanner.forEachElement { scanner in
            guard range.isEmpty else { return scanner.skipValue() }
            range = scanner.string(into: &batch.text)
            return true
        }
        return range
    }

    private static func firstPositive(_ scanner: inout JSONScanner) -> Int {
        guard scanner.peek() == UInt8(ascii: "[") else {
            _ = scanner.skipValue()
            return 0
        }
        var value = 0
        _ = scanner.forEachElement { scanner in
            let number = scanner.integer() ?? 0
            if value == 0, number > 0 { value = number }
            return true
        }
        return value
    }

    private static func year(_ scanner: inout JSONScanner) -> Int {
        guard scanner.peek() == UInt8(ascii: "\""), let text = scanner.rawString() else {
            _ = scanner.skipValue()
            return 0
        }
        var run = 0
        var value = 0
        for (index, byte) in text.enumerated() {
            if byte &- 0x30 < 10 {
                run += 1
                value = run <= 4 ? value * 10 + Int(byte - 0x30) : 0
                let isEnd = index + 1 == text.count || text[index + 1] &- 0x30 >= 10
                if isEnd, run == 4, (1000...2100).contains(value) { return value }
            } else {
                run = 0
                value = 0
            }
        }
        return 0
    }

    /// Returns the first language, and whether any of them is kept; an edition without a language is.
    private static func language(
        _ scanner: inout JSONScanner, _ batch: inout RowBatch, _ filter: RowFilter
    ) -> (TextRange, isKept: Bool) {
        var range = TextRange()
        var isKept = false
        forEachKey(&scanner) { key in
            guard let slash = key.lastIndex(of: UInt8(ascii: "/")), key.count - slash <= 16 else { return }
            isKept = isKept || filter.keeps(language: key[(slash + 1)...])
            guard range.isEmpty else { return }
            range = TextRange(start: Int32(batch.text.count), count: Int32(key.count - slash - 1))
            batch.text.append(contentsOf: key[(slash + 1)...])
        }
        return (range, isKept || range.isEmpty)
    }

    private static func firstReference(_ scanner: inout JSONScanner, _ letter: UInt8) -> Int64? {
        var id: Int64?
        forEachKey(&scanner) { key in id = id ?? number(ofKey: key, letter) }
        return id
    }

    private static func ids(_ scanner: inout JSONScanner, _ letter: UInt8, _ batch: inout RowBatch) -> TextRange {
        let start = batch.text.count
        var count = 0
        forEachKey(&scanner) { key in
            guard count < 50, let id = number(ofKey: key, letter) else { return }
            if count > 0 { batch.text.append(0x20) }
            count += 1
            appendDecimal(id, to: &batch.text)
        }
        return TextRange(start: Int32(start), count: Int32(batch.text.count - start))
    }

    /// Calls `body` with every reference in the next value: `[{"key": "/…"}]`, `[{"author": {"key": "/…"}}]`,
    /// `["/…"]`, or one of these without the array.
    private static func forEachKey(_ scanner: inout JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if scanner.peek() == UInt8(ascii: "[") {
            _ = scanner.forEachElement { reference(&$0, body) }
        } else {
            _ = reference(&scanner, body)
        }
    }

    private static func reference(_ scanner: inout JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        guard scanner.peek() == UInt8(ascii: "{") else { return text(&scanner, body) }
        return scanner.forEachMember { scanner, key in
            guard equal(key, "key") || equal(key, "author") else { return scanner.skipValue() }
            if scanner.peek() == UInt8(ascii: "{") {
                return scanner.forEachMember { scanner, key in
                    equal(key, "key") ? text(&scanner, body) : scanner.skipValue()
                }
            }
            return text(&scanner, body)
        }
    }

    /// Calls `body` with the next value if it is a string; skips other values.
    private static func text(_ scanner: inout JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        guard scanner.peek() == UInt8(ascii: "\"") else { return scanner.skipValue() }
        if let text = scanner.rawString() { body(text) }
        return true
    }

    // MARK: - Bytes

    /// Returns the number in `/books/OL123M` (or `OL123M`) if its last letter is `letter`.
    static func number(ofKey key: some BidirectionalCollection<UInt8>, _ letter: UInt8) -> Int64? {
        guard key.last == letter else { return nil }
        var value: Int64 = 0
        var scale: Int64 = 1
        var index = key.index(before: key.endIndex)
        var digits = 0
        while index > key.startIndex {
            index = key.index(before: index)
            let byte = key[index]
            if byte &- 0x30 < 10 {
                digits += 1
                guard digits <= 12 else { return nil }
                value += Int64(byte - 0x30) * scale
                scale *= 10
            } else {
                return byte == UInt8(ascii: "L") && digits > 0 && value > 0 ? value : nil
            }
        }
        return nil
    }

    private static func appendDecimal(_ number: Int64, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(0x30 + number / divisor % 10))
            divisor /= 10
        }
    }

    private static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
        return true
    }

    private static func firstFourTabs(_ line: UnsafeBufferPointer<UInt8>) -> (Int, Int, Int, Int)? {
        var found = (0, 0, 0, 0)
        var count = 0
        for index in 0..<line.count where line[index] == 0x09 {
            switch count {
            case 0: found.0 = index
            case 1: found.1 = index
            case 2: found.2 = index
            default:
                found.3 = index
                return found
            }
            count += 1
        }
        return nil
    }
}
