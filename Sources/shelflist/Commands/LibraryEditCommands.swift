import ArgumentParser
import Bibliography
import Library
import ShelflistAPI
import Terminal

struct EntryFields: ParsableArguments {
    @Option(help: "The shelf; created if it is new. An empty text removes it.") var shelf: String?
    @Option(help: "owned, wishlist or lent.") var ownership: Ownership?
    @Option(name: .customLong("lent-to"), help: "Who borrowed it. An empty text marks it returned.") var lentTo: String?
    @Option(help: "The day on which the borrower should bring it back: 2026-12-24.") var due: String?
    @Option(help: "to-read, reading or read.") var reading: ReadingStatus?
    @Option(help: "Stars, 0 to 5.") var rating: Double?
    @Option(help: "Start of reading: 2026, 2026-11 or 2026-11-21. An empty text removes it.") var started: String?
    @Option(help: "End of reading, in the same form.") var finished: String?
    @Option(help: "A note. An empty text removes it.") var notes: String?
    @Option(name: .customLong("tag"), help: "A tag; may be repeated. Replaces existing tags.") var tags: [String] = []

    var isEmpty: Bool {
        let texts = [shelf, lentTo, due, started, finished, notes]
        return texts.allSatisfy { $0 == nil } && ownership == nil && reading == nil && rating == nil && tags.isEmpty
    }

    func apply(to details: EntryDetails, in store: LibraryStore) async throws -> EntryDetails {
        var details = details
        if let shelf { details.shelf = shelf.isEmpty ? nil : try await store.shelf(named: shelf).id }
        if let ownership { details.ownership = ownership }
        if let lentTo {
            if lentTo.isEmpty {
                if details.ownership == .lent { details.comesBack() }
            } else {
                if details.lentTo != lentTo { details.lentOn = nil }
                (details.ownership, details.lentTo, details.dueOn) = (.lent, lentTo, try dueDate())
            }
        }
        if let reading { details.reading = reading }
        if let rating { details.rating = rating }
        if started != nil { details.startedOn = try startDate() }
        if finished != nil { details.finishedOn = try endDate() }
        if let notes { details.notes = notes }
        if !tags.isEmpty { details.tags = tags }
        return details
    }

    /// Nil if it is not given, or to be removed.
    func startDate() throws -> PartialDate? { try Self.date(started, "--started") }
    func endDate() throws -> PartialDate? { try Self.date(finished, "--finished") }
    func dueDate() throws -> PartialDate? { try Self.date(due, "--due") }

    private static func date(_ text: String?, _ option: String) throws -> PartialDate? {
        guard let text, !text.isEmpty else { return nil }
        guard let date = PartialDate(rawValue: text) else {
            throw LibraryError.invalid(
                field: option, reason: "“\(text)” is not a date. Use the form 2026, 2026-11 or 2026-11-21.")
        }
        return date
    }
}

struct BookFields: ParsableArguments {
    @Option(help: "The title.") var title: String?
    @Option(help: "The subtitle.") var subtitle: String?
    @Option(name: .customLong("author"), help: "An author; may be repeated.") var authors: [String] = []
    @Option(help: "The ISBN, 10 or 13 digits. An empty text removes it.") var isbn: String?
    @Option(help: "The series.") var series: String?
    @Option(help: "The publisher.") var publisher: String?
    @Option(help: "The year of the edition.") var year: Int?
    @Option(help: "The number of pages.") var pages: Int?
    @Option(help: "The language.") var language: String?

    var isEmpty: Bool {
        let texts = [title, subtitle, isbn, series, publisher, language]
        return texts.allSatisfy { $0 == nil } && authors.isEmpty && year == nil && pages == nil
    }

    /// - Throws: `LibraryError`.
    static func number(_ text: String) throws -> ISBN {
        guard let number = ISBN(text) else {
            throw LibraryError.invalid(
                field: "--isbn", reason: "“\(text)” is not a valid ISBN: the check digit is wrong. Correct it.")
        }
        return number
    }
}

struct LibraryAddCommand: UsesLibrary {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a book.")

    @OptionGroup(title: "The book") var book: BookFields
    @OptionGroup(title: "Your copy") var entry: EntryFields
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if book.title == nil { throw ValidationError("A book needs a title. Add --title.") }
    }

    func run(_ library: any LibraryAccess) async throws {
        var new = NewBook(title: book.title ?? "")
        new.duplicates = "addCopy"
        new.correction = try book.correction()
        new.details = try entry.change()
        let due = try entry.dueDate()?.rawValue
        new.loan = entry.lentTo.flatMap { $0.isEmpty ? nil : Loan(to: $0, due: due) }
        if let shelf = entry.shelf, !shelf.isEmpty { new.shelf = try await library.shelf(named: shelf).id }
        var added = try await library.add(new)
        added.undoToken = nil
        let questions = try await library.duplicates().filter { $0.entryId == added.id }
        options.show(added) {
            ["Added as book \(added.id)."]
                + questions.map { "It may be in the library already: \(TerminalText.safe($0.existing.title))" }
                + (questions.isEmpty ? [] : ["Decide with: shelflist library duplicates"])
        }
    }
}

struct LibraryEditCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change the details of your copy: shelf, status, rating, dates, notes, tags.",
        discussion: "To correct title, authors and edition, use: shelflist review correct")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @OptionGroup(title: "Your copy") var fields: EntryFields
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if fields.isEmpty { throw ValidationError("Nothing to change. Add an option, for example --rating 4.") }
    }

    func run(_ library: any LibraryAccess) async throws {
        options.show(try await library.edit(id, fields)) { ["Changed."] }
    }
}

struct LibraryRemoveCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove books from the library.",
        discussion: "Undo with: shelflist review undo")

    @Argument(help: "The books' numbers.") var ids: [RowID<LibraryEntry>]
    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        for id in ids { try await library.remove(id) }
        options.show(["removed": ids.count]) {
            [ids.count == 1 ? "Removed 1 book." : "Removed \(ids.count) books."]
        }
    }
}
