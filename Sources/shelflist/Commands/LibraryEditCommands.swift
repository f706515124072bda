import ArgumentParser
import Bibliography
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryAddCommand: UsesLibrary {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a book.")

    @OptionGroup(title: "The book") var book: BookFields
    @OptionGroup(title: "Your copy") var entry: EntryFields
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if book.title == nil { throw ValidationError("A book needs a title. Add --title.") }
    }

    func run(_ client: ShelflistClient) async throws {
        var new = NewBook(title: book.title ?? "")
        new.duplicates = "addCopy"
        new.correction = try book.correction()
        new.details = try entry.change()
        let due = try entry.dueDate()?.rawValue
        new.loan = entry.lentTo.flatMap { $0.isEmpty ? nil : Loan(to: $0, due: due) }
        if let shelf = entry.shelf, !shelf.isEmpty { new.shelf = try await client.shelves.place(named: shelf).id }
        let added = try await Self.add(new, client.library)
        let questions = try await client.review.item("e\(added.id)").duplicates
        options.show(added) {
            ["Added as book \(added.id)."]
                + questions.map { "It may be in the library already: \(TerminalText.safe($0.existing.title))" }
                + (questions.isEmpty ? [] : ["Decide with: shelflist library duplicates"])
        }
    }

    private static func add(_ book: NewBook, _ library: LibraryRequests) async throws -> LibraryBook {
        switch try await library.add(book) {
        case .added(let added): return try await library.book(added.id)
        case .exists(let same):
            throw CommandError(
                "The server did not add the book, because the library has it: \(same.existing.first?.title ?? "?"). "
                    + "Update the server.")
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

    func run(_ client: ShelflistClient) async throws {
        // Before anything is sent.
        var change = try fields.change()
        let due = try fields.dueDate()?.rawValue
        var book = try await client.library.book("\(id)")
        if let shelf = fields.shelf {
            change.shelf = shelf.isEmpty ? .clear : .set(try await client.shelves.place(named: shelf).id)
        }
        if change != BookChange() { book = try await client.library.change(book, change) }
        if let name = fields.lentTo, !name.isEmpty || book.ownership == .lent {
            book = try await client.library.lend("\(id)", to: name.isEmpty ? nil : name, due: due)
        }
        book.undoToken = nil
        options.show(book) { ["Changed."] }
    }
}

struct LibraryRemoveCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove books from the library.",
        discussion: "Undo with: shelflist review undo")

    @Argument(help: "The books' numbers.") var ids: [RowID<LibraryEntry>]
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        // As one action, which skips books that do not exist; a wrong number is an error before anything is removed.
        for id in ids { _ = try await client.library.book("\(id)") }
        let count = try await client.library.remove(all: ids.map { "\($0)" }).changed
        options.show(["removed": count]) { [count == 1 ? "Removed 1 book." : "Removed \(count) books."] }
    }
}
