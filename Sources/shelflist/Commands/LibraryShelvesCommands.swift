import ArgumentParser
import Foundation
import ShelflistAPI
import ShelflistClient
import Terminal

/// A sort rule, or none.
enum ShelfSortChoice: String, CaseIterable, ExpressibleByArgument {
    case author, title, series, none
    case callNumber = "call-number"

    var rule: ShelfSort? { self == .callNumber ? .callNumber : ShelfSort(rawValue: rawValue) }
}

struct LibraryShelvesCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "shelves", abstract: "List the shelves; add, change, move or remove one.",
        discussion: """
            Shelves can be inside others, on up to 8 levels. Wherever a shelf is named, a path may be given: its name after \
            those of the shelves around it, separated by a slash between spaces. Its code may be given, too.

              shelflist library shelves --add 'Home / Study / Bookcase 2'
              shelflist library shelves --shelf Hall --move Home

            A list for --import is a CSV file with the columns path, code, sort and note; only path is needed.
            """)

    @Option(help: "The shelf to change or remove.") var shelf: String?
    @Option(help: "Its new name.") var rename: String?
    @Option(help: ArgumentHelp("The shelf to put it in. An empty text takes it out of all others.", valueName: "shelf"))
    var move: String?
    @Option(help: "The code of a printed label, such as SL-9C4JV.") var code: String?
    @Option(help: "A note. An empty text removes it.") var note: String?
    @Option(help: "By what it is sorted, with the shelves inside it: author, title, series, call-number, or none.")
    var sort: ShelfSortChoice?
    @Flag(help: "Remove the shelf; its books are kept without a position.") var remove = false
    @Option(help: ArgumentHelp("Add a shelf, and those around it that do not exist.", valueName: "path"))
    var add: String?
    @Option(name: .customLong("import"), help: ArgumentHelp("Add the shelves of a list.", valueName: "file"))
    var list: String?
    @Flag(help: "Show which shelf is in which, with codes and notes.") var tree = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        let changes =
            rename != nil || move != nil || note != nil || sort != nil || remove || (code != nil && add == nil)
        if changes, shelf == nil { throw ValidationError("No shelf is named. Add --shelf.") }
        guard [shelf, add, list].compactMap(\.self).count <= 1 else {
            throw ValidationError("--shelf, --add and --import cannot be combined. Use one at a time.")
        }
    }

    func run(_ client: ShelflistClient) async throws {
        if let shelf { try await change(try await client.shelves.existing(named: shelf), client.shelves) }
        if let add { _ = try await client.shelves.add(add, code: code) }
        if let list {
            let file = try await reportingErrors(list) { try Data(contentsOf: URL(filePath: list)) }
            let imported = try await client.shelves.importList(file)
            StandardStream.errors.write("\(imported.added) shelves added, \(imported.changed) changed.\n")
        }
        let shelves = try await client.shelves.all.first().items
        options.show(["shelves": shelves]) { tree ? Self.tree(shelves) : Self.table(shelves) }
    }

    private func change(_ shelf: LibraryShelf, _ shelves: ShelfRequests) async throws {
        if remove {
            try await shelves.remove(shelf.id)
            return
        }
        var change = ShelfChange()
        (change.name, change.code) = (rename, code)
        if let note { change.note = note.isEmpty ? .clear : .set(note) }
        if let sort { change.sort = FieldPatch(sort.rule) }
        if let move {
            change.parent = move.isEmpty ? .clear : .set(try await shelves.place(named: move).id)
        }
        if change != ShelfChange() { _ = try await shelves.change(shelf, change) }
    }

    private static func table(_ shelves: [LibraryShelf]) -> [String] {
        guard !shelves.isEmpty else {
            return ["No shelves yet. Name one when you scan: shelflist scan --import --shelf Hall PHOTO"]
        }
        return TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("shelf", atLeast: 10), .init("books", isRightAligned: true),
            ],
            rows: shelves.map { [.init($0.id, .dim), .init($0.path), .init(String($0.entries))] }
        ).onTerminal()
    }

    private static func tree(_ shelves: [LibraryShelf]) -> [String] {
        TerminalTable(
            columns: [
                .init("shelf", atLeast: 10), .init("books", isRightAligned: true), .init("code"),
                .init("note", dropped: 1),
            ],
            rows: shelves.map { shelf in
                let level = PlacePath(shelf.path).names.count - 1
                return [
                    .init(String(repeating: "  ", count: level) + shelf.name), .init(String(shelf.entriesInside)),
                    .init(shelf.code, .dim), .init(shelf.note ?? "", .dim),
                ]
            }
        ).onTerminal()
    }
}
