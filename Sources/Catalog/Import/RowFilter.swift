import Foundation
import GRDB
import ShelflistAPI

/// Which editions of a dump to import; their works and authors are imported with them.
package struct EditionFilter: Codable, Equatable, Sendable {
    /// MARC language codes in alphabetical order; empty for all languages.
    ///
    /// Editions whose language is unknown are kept: many records lack it.
    package private(set) var languages: [String] = []
    /// Whether editions without an ISBN are left out.
    package private(set) var needsISBN = false

    /// Keeps everything.
    package init() {}

    /// - Parameter languages: MARC codes (`ger`) or ISO 639 codes (`deu`, `de`).
    /// - Throws: `UnknownLanguage`.
    package init(languages: [String], needsISBN: Bool) throws(UnknownLanguage) {
        var codes: Set<String> = []
        for name in languages {
            guard let code = Self.marcCode(name) else { throw UnknownLanguage(name: name) }
            codes.insert(code)
        }
        self.languages = codes.sorted()
        self.needsISBN = needsISBN
    }

    package var keepsEverything: Bool { languages.isEmpty && !needsISBN }

    private static func marcCode(_ name: String) -> String? {
        let name = name.lowercased()
        if marcCodes.values.contains(name) { return name }
        let language = Locale.LanguageCode(name)
        guard (2...3).contains(name.count), language.isISOLanguage, let code = language.identifier(.alpha3) else {
            return nil
        }
        return marcCodes[code] ?? code
    }

    /// The languages whose MARC code differs from the one of ISO 639-3.
    private static let marcCodes = [
        "bod": "tib", "ces": "cze", "cym": "wel", "deu": "ger", "ell": "gre", "eus": "baq", "fas": "per", "fra": "fre",
        "hye": "arm", "isl": "ice", "kat": "geo", "mkd": "mac", "mri": "mao", "msa": "may", "mya": "bur", "nld": "dut",
        "ron": "rum", "slk": "slo", "sqi": "alb", "zho": "chi",
    ]
}

package struct UnknownLanguage: ReportedError {
    package var name: String
    package var problemCode: String { "unknown_language" }

    package var description: String {
        "“\(name)” is not the code of a language. Use codes of three letters, for example eng,ger,fre."
    }
}

/// The rows of a dump to keep.
struct RowFilter: Sendable {
    private var languages: [[UInt8]] = []
    private(set) var needsISBN = false
    /// Nil keeps all.
    private var works: NumberSet?
    private var authors: NumberSet?

    /// Keeps everything.
    init() {}

    /// Keeps editions by `editions`, and the works and authors that the catalog's editions and works refer to.
    ///
    /// Reads all editions and works of the catalog.
    init(_ editions: EditionFilter, _ db: Database) throws {
        guard !editions.keepsEverything else { return }
        languages = editions.languages.map { Array($0.utf8) }
        needsISBN = editions.needsISBN
        var works = NumberSet()
        var authors = NumberSet()
        let edition = try RawStatement(db, "SELECT work, authors FROM edition")
        while try edition.step() {
            works.insert(edition.integer(0))
            for author in AuthorIDs(edition.text(1)) { authors.insert(author) }
        }
        let work = try RawStatement(db, "SELECT authors FROM work WHERE authors IS NOT NULL")
        while try work.step() {
            for author in AuthorIDs(work.text(0)) { authors.insert(author) }
        }
        (self.works, self.authors) = (works, authors)
    }

    func keeps(work id: Int64) -> Bool { works?.mayContain(id) ?? true }
    func keeps(author id: Int64) -> Bool { authors?.mayContain(id) ?? true }

    func keeps(language code: some Sequence<UInt8>) -> Bool {
        languages.isEmpty || languages.contains { $0.elementsEqual(code) }
    }
}

/// A set of Open Library's numbers in one bit each, at most 64 MB.
struct NumberSet: Sendable {
    private var words: [UInt64] = []

    /// Open Library has given fewer than 100 million numbers of each kind.
    private static let limit: Int64 = 1 << 29

    mutating func insert(_ number: Int64) {
        guard (0..<Self.limit).contains(number) else { return }
        let index = Int(number >> 6)
        if index >= words.count { words.append(contentsOf: repeatElement(0, count: index + 1 - words.count)) }
        words[index] |= 1 << UInt64(number & 63)
    }

    /// Returns whether the number was inserted; numbers from the limit on count as inserted.
    func mayContain(_ number: Int64) -> Bool {
        guard (0..<Self.limit).contains(number) else { return true }
        let index = Int(number >> 6)
        return index < words.count && words[index] >> UInt64(number & 63) & 1 == 1
    }
}
