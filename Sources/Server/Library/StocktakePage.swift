import Bounds
import Foundation
package import ShelflistAPI

/// A page of the report of a stocktake as HTML to print: on the first one totals by shelf, then the copies that were not seen in
/// their place.
package struct StocktakePage {
    package enum Language: String, CaseIterable, Sendable { case en, de }

    private let stocktake: Stocktake
    private let copies: [StocktakeCopy]
    private let language: Language
    private let isFirst: Bool
    private let next: String?

    /// The states of the copies that a report lists.
    package static let states: [StocktakeCopy.State] = [.misplaced, .unseen, .lent, .missing]

    /// - Parameters:
    ///   - stocktake: with its places for the first page.
    ///   - copies: those of the page; seen ones are left out.
    ///   - next: a link to the next page; nil for the last one.
    package init(
        stocktake: Stocktake, copies: [StocktakeCopy], language: Language, isFirst: Bool = true, next: String? = nil
    ) {
        (self.stocktake, self.language) = (stocktake, language)
        self.copies = copies.filter { $0.state != .seen }
        (self.isFirst, self.next) = (isFirst, next)
    }

    /// The page.
    package var html: String {
        let days = [stocktake.startedAt, stocktake.closedAt].compactMap { $0?.formatted(.iso8601.year().month().day()) }
        let body = """
            <h1>\(EscapedText.html(stocktake.name))</h1>
            <p>\(days.joined(separator: " – "))\(stocktake.closedAt == nil ? ", \(word(.open))" : "")</p>
            \(isFirst ? totals : "")
            \(list)
            \(next.map { "<p><a rel=\"next\" href=\"\(EscapedText.html($0))\">\(word(.nextPage))</a></p>" } ?? "")
            """
        return PrintedPage(language: language.rawValue, title: stocktake.name, style: Self.style, body: body).html
    }

    private var totals: String {
        let rows = (stocktake.places ?? []).map { row($0.shelf?.path ?? word(.noShelf), $0.counts) }
        return table(
            [.shelf, .copies, .seen, .misplaced, .unseen, .lent, .missing],
            rows + [row(word(.total), stocktake.counts)], numbersFrom: 1)
    }

    private func row(_ name: String, _ counts: Stocktake.Counts) -> [String] {
        let numbers = [counts.expected, counts.seen, counts.misplaced, counts.unseen, counts.lent, counts.missing]
        return [name] + numbers.map { "\($0)" }
    }

    private var list: String {
        guard !copies.isEmpty || !isFirst else { return "<p>\(word(.allSeen))</p>" }
        let rows = copies.map { copy in
            [
                copy.shelf?.path ?? word(.noShelf), copy.callNumber ?? "", copy.barcode ?? copy.entryId, copy.title,
                copy.author, state(of: copy), copy.price?.text ?? "",
                copy.lastPhotoAt?.formatted(.iso8601.year().month().day()) ?? "",
            ]
        }
        return table([.shelf, .callNumber, .number, .title, .author, .state, .price, .lastPhoto], rows)
    }

    private func state(of copy: StocktakeCopy) -> String {
        switch copy.state {
        case .misplaced: "\(word(.seenOn)) \(copy.seenOn?.path ?? "")"
        case .lent: word(.lent)
        case .missing: word(.missing)
        case .seen: word(.seen)
        case .unseen, nil: word(.unseen)
        }
    }

    private func table(_ heads: [Word], _ rows: [[String]], numbersFrom first: Int = .max) -> String {
        func cells(_ texts: [String], _ tag: String) -> String {
            texts.enumerated().map { index, text in
                "<\(tag)\(index >= first ? " class=\"n\"" : "")>\(EscapedText.html(text))</\(tag)>"
            }.joined()
        }
        let body = rows.map { "<tr>\(cells($0, "td"))</tr>" }.joined(separator: "\n")
        return "<table><thead><tr>\(cells(heads.map(word), "th"))</tr></thead><tbody>\n\(body)\n</tbody></table>"
    }

    private static let style = """
        @page { margin: 15mm } body { font: 10pt Arial, Helvetica, "Liberation Sans", sans-serif; color: #000 }
        h1 { font-size: 16pt; margin: 0 } table { border-collapse: collapse; width: 100%; margin: 4mm 0 }
        th, td { text-align: left; vertical-align: top; padding: 1mm 2mm; border-bottom: 0.1mm solid #999 }
        thead { display: table-header-group } tr { break-inside: avoid } .n { text-align: right }
        """

    // MARK: Words

    private enum Word {
        case open, noShelf, total, allSeen, shelf, copies, seen, misplaced, unseen, lent, missing, callNumber, number
        case title, author, state, price, lastPhoto, seenOn, nextPage
    }

    private func word(_ word: Word) -> String {
        let (english, german) =
            switch word {
            case .open: ("still open", "noch offen")
            case .noShelf: ("no shelf", "kein Regal")
            case .total: ("Total", "Gesamt")
            case .allSeen: ("All copies were seen in their places.", "Alle Exemplare wurden an ihrem Platz gesehen.")
            case .shelf: ("Shelf", "Regal")
            case .copies: ("Copies", "Exemplare")
            case .seen: ("Seen", "Gesehen")
            case .misplaced: ("Misplaced", "Verstellt")
            case .unseen: ("Not seen", "Nicht gesehen")
            case .lent: ("Lent", "Verliehen")
            case .missing: ("Missing before", "Vorher vermisst")
            case .callNumber: ("Call number", "Signatur")
            case .number: ("Barcode or number", "Barcode oder Nummer")
            case .title: ("Title", "Titel")
            case .author: ("Author", "Autor")
            case .state: ("State", "Status")
            case .price: ("Price", "Preis")
            case .lastPhoto: ("Last photo", "Letztes Foto")
            case .seenOn: ("Seen on", "Gesehen auf")
            case .nextPage: ("Next page", "Nächste Seite")
            }
        return language == .de ? german : english
    }
}
