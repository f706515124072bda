import ArgumentParser
import Bibliography
import Bounds
import Foundation
import Library
import Server
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryShowCommand: UsesLibrary {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show everything about one book.")

    @Argument(help: "The book's number in the list.") var id: RowID<LibraryEntry>
    @OptionGroup var options: LibraryOptions

    /// Everything about one book.
    private struct Document: Encodable {
        var book: LibraryBook
        var work: LibraryWork
        /// What was read on its spine.
        var item: ReviewQueueItem
        /// The decisions about it, latest first.
        var history: [WorkEvent]
    }

    func run(_ client: ShelflistClient) async throws {
        let book = try await client.library.book("\(id)")
        let document = Document(
            book: book, work: try await client.library.work(book.workId), item: try await client.review.item(id.item),
            history: try await client.library.history(ofWork: book.workId).first().items)
        options.show(document) { Self.lines(document) }
    }

    private static func lines(_ document: Document) -> [String] {
        let (book, work, item) = (document.book, document.work, document.item)
        let edition = work.editions.first { $0.id == book.editionId }
        let credits = work.authors.map { $0.role == .author ? $0.name : "\($0.name) (\($0.role))" }
        let sureness = item.confidence.map {
            item.tier == .notChecked
                ? " (read, not checked)" : " (\(Int(saturating: ($0 * 100).rounded())) % sure)"
        }
        let seen = ReviewWords.spine(item).map { $0 + (sureness ?? "") }
        let origin = [book.acquiredOn, book.acquiredFrom.map { "from \($0)" }].compactMap(\.self)
        let worth = [book.value?.text, book.valuedOn.map { "(\($0))" }].compactMap(\.self)
        let fields: [(String, String?)] = [
            ("title", book.title), ("subtitle", book.subtitle), ("authors", credits.joined(separator: ", ")),
            ("series", work.series.map { [$0, work.seriesNumber].compactMap(\.self).joined(separator: ", ") }),
            ("ISBN", book.isbn), ("publisher", book.publisher),
            ("year", book.year.map { String($0) }), ("pages", book.pages.map { String($0) }),
            ("language", edition?.language), ("binding", edition?.format), ("shelf", book.shelf?.path),
            ("call number", book.callNumber), ("barcode", book.barcode), ("condition", book.condition?.rawValue),
            ("price", book.price?.text), ("value", worth.joined(separator: " ")),
            ("acquired", origin.joined(separator: " ")), ("missing since", book.missingSince?.formatted(.iso8601)),
            ("ownership", (book.ownership?.rawValue ?? "") + (book.loan.map { " to \($0.inWords)" } ?? "")),
            ("lent before", book.pastLoans?.map(\.inWords).joined(separator: "; ")),
            ("reading", book.readingStatus?.word),
            ("rating", book.rating.map { "\($0) of 5" }), ("started", book.startedOn), ("finished", book.finishedOn),
            ("tags", book.tags?.joined(separator: ", ")), ("notes", book.notes),
            ("review", book.reviewStatus.rawValue), ("added", book.addedAt.formatted(.iso8601)),
            ("on the spine", seen), ("copies", book.copies.flatMap { $0 > 1 ? String($0) : nil }),
            ("history", document.history.reversed().compactMap(\.action?.rawValue).joined(separator: ", ")),
        ]
        return TerminalTable(
            columns: [.init(""), .init("", atLeast: 20)],
            rows: fields.compactMap { name, value in
                value.flatMap { $0.isEmpty ? nil : [.init(name, .dim), .init($0)] }
            }
        ).onTerminal().dropFirst().map { $0 }
    }
}
