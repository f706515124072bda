import ArgumentParser
import Bibliography
import Foundation
import Library
import Server
import ShelflistAPI
import Terminal

struct LibraryShowCommand: UsesLibrary {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show everything about one book.")

    @Argument(help: "The book's number in the list.") var id: RowID<LibraryEntry>
    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        let record = try await library.record(id)
        options.show(record) { Self.lines(record) }
    }

    private static func lines(_ record: BookRecord) -> [String] {
        let (book, work, item) = (record.book, record.work, record.item)
        let edition = work.editions.first { $0.id == book.editionId }
        let credits = work.authors.map {
            $0.role == AuthorCredit.Role.author.rawValue ? $0.name : "\($0.name) (\($0.role))"
        }
        let sureness = item.confidence.map {
            item.confidenceTier == .notChecked
                ? " (read, not checked)" : " (\(Int(($0 * 100).rounded())) % sure)"
        }
        let seen = ReviewWords.spine(item).map { $0 + (sureness ?? "") }
        let fields: [(String, String?)] = [
            ("title", book.title), ("subtitle", book.subtitle), ("authors", credits.joined(separator: ", ")),
            ("series", work.series), ("ISBN", book.isbn), ("publisher", book.publisher),
            ("year", book.year.map { String($0) }), ("pages", book.pages.map { String($0) }),
            ("language", edition?.language), ("binding", edition?.format), ("shelf", book.shelf?.name),
            ("ownership", book.ownership + (book.loan.map { " to \($0.inWords)" } ?? "")),
            ("lent before", book.pastLoans?.map(\.inWords).joined(separator: "; ")),
            ("reading", book.readingStatus.flatMap(ReadingStatus.init(apiName:))?.rawValue),
            ("rating", book.rating.map { "\($0) of 5" }), ("started", book.startedOn), ("finished", book.finishedOn),
            ("tags", book.tags?.joined(separator: ", ")), ("notes", book.notes),
            ("review", book.reviewStatus.rawValue), ("added", book.addedAt.formatted(.iso8601)),
            ("on the spine", seen), ("copies", book.copies.flatMap { $0 > 1 ? String($0) : nil }),
            ("history", record.history.reversed().map(\.action).joined(separator: ", ")),
        ]
        return TerminalTable(
            columns: [.init(""), .init("", atLeast: 20)],
            rows: fields.compactMap { name, value in
                value.flatMap { $0.isEmpty ? nil : [.init(name, .dim), .init($0)] }
            }
        ).onTerminal().dropFirst().map { $0 }
    }
}
